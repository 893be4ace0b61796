import { describe, expect, test } from 'vitest'
import { counterKinds } from '#domain/payments/banks/after-restore/skipped-numbers.ts'
import { fc } from '#testing/properties.ts'
import { numbersToSkip } from './numbers-to-skip.ts'

describe('numbers left out after a restore', () => {
  test.each([
    ['a quiet university takes what a busy day may take', 'receipt', 3, 0, Infinity, 1_000, 1_000],
    ['twice the busiest day, also when the backup is a minute old', 'receipt', 4_000, 0, Infinity, 8_000, 8_000],
    ['more for every day since', 'receipt', 4_000, 2.5, Infinity, 28_000, 28_000],
    ['a clock that is ahead takes nothing off', 'receipt', 4_000, -1, Infinity, 8_000, 8_000],
    ['a student number keeps its digits: half of what is left is', 'student', 300, 1, 999, 1_200, 499],
    ['a programme whose numbers are used up goes on where it is', 'student', 300, 1, 0, 1_200, 0],
    ['a transfer number is rather refused than given twice', 'virtual-account', 3_000, 1, 500, 12_000, 500],
    ['a small range of a bank is not emptied by a restore on a quiet day', 'virtual-account', 5, 0, 9_999, 500, 500],
  ] as const)('%s', (_what, kind, busiestDay, daysSince, left, requested, skipped) => {
    expect(numbersToSkip({ kind, busiestDay, daysSince, left })).toEqual({ requested, skipped })
  })

  test('are more than a busy day takes if digits are left, and never more than there are', () => {
    const use = fc.record({
      kind: fc.constantFrom(...counterKinds),
      busiestDay: fc.integer({ min: 0, max: 100_000 }),
      daysSince: fc.double({ min: 0, max: 400, noNaN: true }),
      left: fc.integer({ min: 0, max: 1_000_000_000 }),
    })
    fc.assert(
      fc.property(use, (one) => {
        const { requested, skipped } = numbersToSkip(one)
        expect(requested).toBeGreaterThanOrEqual(2 * one.busiestDay)
        expect(skipped).toBeLessThanOrEqual(Math.min(requested, one.left))
        if (one.left > 2 * requested) expect(skipped).toBe(requested)
        if (one.left > 1 && one.kind !== 'virtual-account') expect(skipped).toBeLessThan(one.left)
      }),
    )
  })
})
