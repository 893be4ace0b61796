import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let ownBuild: string | null
beforeEach(() => {
  vi.resetModules()
  ownBuild = 'aaaaaaaaaaaa'
  vi.stubGlobal('document', { querySelector: () => ownBuild && { content: ownBuild } })
})
afterEach(() => vi.unstubAllGlobals())

it('a tab left open during an update notices it at the next answer', async () => {
  const { noteBuild, hasNewerBuild, onNewerBuild } = await import('./newer-build.ts')
  const listener = vi.fn()
  onNewerBuild(listener)
  noteBuild('aaaaaaaaaaaa')
  expect(hasNewerBuild()).toBe(false)
  noteBuild('bbbbbbbbbbbb')
  noteBuild('bbbbbbbbbbbb')
  expect(hasNewerBuild()).toBe(true)
  expect(listener).toHaveBeenCalledOnce()
})

it('an answer from a proxy, or a page in development, names no build and is ignored', async () => {
  const { noteBuild, hasNewerBuild } = await import('./newer-build.ts')
  noteBuild(null)
  ownBuild = null
  noteBuild('bbbbbbbbbbbb')
  expect(hasNewerBuild()).toBe(false)
})
