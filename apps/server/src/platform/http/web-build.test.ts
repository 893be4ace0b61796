import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { builtWeb } from './web-build.ts'

/** Counts how often a new process looks for built pages: with all modules of the server, and when it asks for them. */
const program = (file: string) => `
  import fs from 'node:fs'
  let looks = 0
  for (const name of ['readFileSync', 'existsSync']) {
    const original = fs[name]
    fs[name] = (place, ...rest) => {
      if (String(place).startsWith(${JSON.stringify(builtWeb)})) looks++
      return original(place, ...rest)
    }
  }
  await import(${JSON.stringify(file)})
  const { webBuild } = await import(${JSON.stringify(path.join(import.meta.dirname, 'web-build.ts'))})
  const atImport = looks
  webBuild()
  console.log(JSON.stringify([atImport, looks - atImport]))
  process.exit()`

test('the built pages are not looked for with the first import, because a first start builds them meanwhile', () => {
  const server = path.join(import.meta.dirname, '../../server.ts')
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program(server)], {
    encoding: 'utf8',
  })
  const [atImport, whenAsked] = JSON.parse(output) as number[]
  expect(atImport).toBe(0)
  expect(whenAsked).toBeGreaterThan(0)
})
