import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readableStack } from '#server/platform/source-positions.ts'
import { bundleOf, bundleServer } from './bundle.mjs'

let root: string
const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-bundle-'))
  for (const folder of ['apps/server/seeds', 'apps/web/src', 'packages'])
    fs.mkdirSync(path.join(root, folder), { recursive: true })
  write('package-lock.json', '{}')
  write('apps/server/src/run-worker.ts', 'export const runWorker = () => 1')
  write('apps/server/src/modules/part/beside.txt', 'text beside the source')
  write(
    'apps/server/src/modules/part/part.ts',
    `import fs from 'node:fs'
type Word = string
export const folder: Word = import.meta.dirname
export const beside = () => fs.readFileSync(new URL('./beside.txt', import.meta.url), 'utf8')
export function fail(): never {
  throw new Error('broken')
}
`,
  )
  write('apps/server/src/lazy.ts', 'export const answer = 42')
  write(
    'apps/server/src/server.ts',
    `export * from './modules/part/part.ts'\nexport const lazy = () => import('./lazy.ts')\n`,
  )
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const readableStackOf = (fail: () => unknown) => {
  try {
    return String(fail())
  } catch (error) {
    return readableStack(error)
  }
}
const load = async () => import(/* @vite-ignore */ bundleOf('server', root)!)

test('a bundle runs until a source changes, and again once there is one of the changed sources', async () => {
  expect(bundleOf('server', root)).toBeUndefined()
  await bundleServer(root)
  const first = bundleOf('server', root)
  expect([first, bundleOf('worker', root)]).toEqual([
    expect.stringMatching(/server\.mjs$/),
    expect.stringMatching(/worker\.mjs$/),
  ])
  await bundleServer(root)
  expect(bundleOf('server', root)).toBe(first)
  write('apps/server/src/lazy.ts', 'export const answer = 43;')
  expect(bundleOf('server', root)).toBeUndefined()
  await bundleServer(root)
  expect((await (await load()).lazy()).answer).toBe(43)
  expect(fs.existsSync(new URL(first!)), 'a running server still finds its parts').toBe(true)
})

test('modules find the files beside their source', async () => {
  await bundleServer(root)
  const { folder, beside } = await load()
  expect(fs.realpathSync(folder)).toBe(fs.realpathSync(path.join(root, 'apps/server/src/modules/part')))
  expect(beside()).toBe('text beside the source')
})

test('a stack trace names the source, its line and column; the map is read once for errors of the same minute', async () => {
  await bundleServer(root)
  const { fail } = await load()
  const place = /^Error: broken\n {4}at fail \(apps\/server\/src\/modules\/part\/part\.ts:6:9\)\n/
  expect(readableStackOf(fail)).toMatch(place)
  fs.rmSync(new URL(`${bundleOf('server', root)}.map`))
  expect(readableStackOf(fail)).toMatch(place)
})

test('a bundle is ASCII, and a stack trace names the column behind a character that is not', async () => {
  write(
    'apps/server/src/modules/part/part.ts',
    `const sql = (texts: TemplateStringsArray, ...values: unknown[]) => texts.join(String(values))
export const text = (name: string) => sql\`\\– \${name} \\\\é 😀\`; export function fail(): never {
  throw new Error(text('broken'))
}
export const failAtOnce = () => sql\`–––\${((): never => { throw new Error('broken') })()}\`
`,
  )
  await bundleServer(root)
  const { text, fail, failAtOnce } = await load()
  expect(text('a')).toBe('– a \\é 😀')
  expect(fs.readFileSync(new URL(bundleOf('server', root)!), 'utf8')).toMatch(/^[\0-\x7f]*$/)
  expect(readableStackOf(fail)).toContain('\n    at fail (apps/server/src/modules/part/part.ts:3:9)\n')
  expect(readableStackOf(failAtOnce)).toContain('part.ts:5:64\n')
})

test('schemas of declared endpoints are made when they are first read, and once', async () => {
  write('packages/domain/src/endpoint.ts', 'export const endpoint = (declaration: object) => declaration')
  write(
    'packages/domain/src/part/endpoints.ts',
    `import { endpoint } from '../endpoint.ts'
export const calls: string[] = []
const make = (name: string) => {
  calls.push(name)
  return { name }
}
const shared = make('shared')
export const call = endpoint({ path: '/a', body: make('body – one'), params: shared, response: make('response') })
const value = 'a constant'
const failing = () => { throw new Error(value) }
export const failingCall = endpoint({ path: '/b', query: make('query'), response: failing() })
`,
  )
  write('apps/server/src/server.ts', `export * from '../../../packages/domain/src/part/endpoints.ts'`)
  await bundleServer(root)
  const { call, failingCall, calls } = await load()
  expect(calls).toEqual(['shared'])
  expect([call.body, call.body, call.params, { ...call }.response]).toEqual([
    { name: 'body – one' },
    { name: 'body – one' },
    { name: 'shared' },
    { name: 'response' },
  ])
  expect(calls).toEqual(['shared', 'body – one', 'response'])
  expect(readableStackOf(() => failingCall.response)).toMatch(
    /^Error: a constant\n.*endpoints\.ts:10:31\)\n.*endpoints\.ts:11:83\)\n/,
  )
})

test('two starts at once bundle once, and only the newest four bundles stay', async () => {
  await Promise.all([bundleServer(root), bundleServer(root)])
  for (let n = 0; n < 5; n++) {
    write('apps/server/src/lazy.ts', `export const answer = ${10 ** n}`)
    await bundleServer(root)
  }
  expect(fs.readdirSync(path.join(root, 'apps/server/dist'))).toHaveLength(4)
  expect((await (await load()).lazy()).answer).toBe(10_000)
})
