import { afterEach, expect, it, vi } from 'vitest'
import { arriving } from './lazy-part.ts'

afterEach(() => vi.useRealTimers())

it('the script of a part comes once the line is back, and never fails', async () => {
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
