import fs from 'node:fs'
import { expect, test, vi } from 'vitest'

test('no page is read before the server is put together, because a first start builds the pages meanwhile', async () => {
  const reads = vi.spyOn(fs, 'readFileSync')
  const exists = vi.spyOn(fs, 'existsSync')
  vi.resetModules()
  const { builtWeb, webBuild } = await import('./web-build.ts')
  await Promise.all([import('#server/app.ts'), import('#server/server.ts')])
  const ofPages = () =>
    [...reads.mock.calls, ...exists.mock.calls].filter(([file]) => String(file).startsWith(builtWeb)).length
  expect(ofPages()).toBe(0)
  webBuild()
  expect(ofPages()).toBeGreaterThan(0)
})
