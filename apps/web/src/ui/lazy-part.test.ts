import { afterEach, expect, it, vi } from 'vitest'
import { arriving } from './lazy-part.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('the script of a part loads once the connection is back, and never fails', async () => {
  vi.useFakeTimers()
  let isOnline = false
  let part: string | undefined
  void arriving(async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module')
    return 'part'
  }).then((script) => {
    part = script
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(part).toBeUndefined()
  isOnline = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(part).toBe('part')
})

it('nothing is loaded while the browser is offline, because it remembers a failure until a reload', async () => {
  const line = new EventTarget()
  const browser = { onLine: false }
  vi.stubGlobal('navigator', browser)
  vi.stubGlobal('addEventListener', line.addEventListener.bind(line))
  const load = vi.fn(async () => 'part')
  const part = arriving(load)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(load).not.toHaveBeenCalled()
  browser.onLine = true
  line.dispatchEvent(new Event('online'))
  expect(await part).toBe('part')
})
