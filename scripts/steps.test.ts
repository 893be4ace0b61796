import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const { forgetOldBuilds } = await import(path.join(import.meta.dirname, 'steps.mjs'))

const day = 86_400_000

test('a tab left open during an update finds its files for two weeks', () => {
  const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-dist-'))
  const assets = path.join(dist, 'assets')
  fs.mkdirSync(assets)
  const now = Date.now()
  const build = (at: number, names: string[]) => {
    for (const name of names) {
      fs.writeFileSync(path.join(assets, name), name)
      fs.utimesSync(path.join(assets, name), new Date(at), new Date(at))
    }
    forgetOldBuilds(dist, at, at)
    return fs.readdirSync(assets).sort()
  }
  expect(build(now, ['a1.js', 'kept.js'])).toEqual(['a1.js', 'kept.js'])
  // The build was months old when it was replaced, but the tab may be from this morning.
  expect(build(now + 90 * day, ['a2.js', 'kept.js'])).toEqual(['a1.js', 'a2.js', 'kept.js'])
  expect(build(now + 100 * day, ['a3.js', 'kept.js'])).toEqual(['a1.js', 'a2.js', 'a3.js', 'kept.js'])
  expect(build(now + 105 * day, ['a4.js', 'kept.js'])).toEqual(['a2.js', 'a3.js', 'a4.js', 'kept.js'])
  expect(build(now + 130 * day, ['a1.js', 'kept.js'])).toEqual(['a1.js', 'a4.js', 'kept.js'])
  fs.rmSync(dist, { recursive: true })
})
