import { expect, test } from 'vitest'
import { pauseAfter } from './sending.tsx'

test('phones that the server sends away for a minute come back at different times, none too early', () => {
  const pauses = Array.from({ length: 50 }, () => pauseAfter(1, 60_000))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(60_000)
  expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(5_000)
})

test('pauses grow with the failures up to a limit', () => {
  const longest = Array.from({ length: 12 }, (_, index) => pauseAfter(index + 1, 0))
  expect(longest[0]).toBeLessThanOrEqual(7_500)
  expect(Math.max(...longest)).toBeLessThanOrEqual(450_000)
})
