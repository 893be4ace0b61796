import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adjustAmount } from './fees/amounts.ts'
import { chooseDiscounts } from './payments/bills/discounts.ts'
import { splitInstallments } from './payments/bills/split-installments.ts'
import { missingForShare } from './payments/bills/unlock.ts'
import { refundable } from './payments/money/refundable.ts'
import { basisPointsOf, percentOf, shareOf } from './rounding.ts'

const amount = fc.integer({ min: 0, max: 9e14 })
const basisPoints = fc.integer({ min: 0, max: 10_000 })
/** As people write it and as PostgreSQL gives it back. */
const percentText = (points: number) => `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')}`

describe('a percentage of an amount', () => {
  test('half a rupiah is rounded up', () => {
    expect(percentOf(1_005, 10)).toBe(101)
    expect(percentOf(1_004, 10)).toBe(100)
    expect(percentOf(333, 33.33)).toBe(111)
    expect(percentOf(333_333, '33.33')).toBe(111_100)
    expect(percentOf(900_719_925_474_099, 100)).toBe(900_719_925_474_099)
  })

  test.each([
    ['8.29', 829],
    [8.29, 829],
    ['12.50', 1_250],
    ['12.500', 1_250],
    [100, 10_000],
    ['0.01', 1],
    [1.1, 110],
    ['5.', 500],
  ])('%s is read digit by digit', (percent, points) => expect(basisPointsOf(percent)).toBe(points))

  test.each(['-1', '1,5', '1.005', '', 'x', '1e3', Number.NaN])('%s is refused', (percent) => {
    expect(() => basisPointsOf(percent)).toThrow(RangeError)
  })

  test('is no less than nothing and no more than all of it, nearest to the true one, and grows with both', () => {
    fc.assert(
      fc.property(amount, basisPoints, (of, points) => {
        const given = percentOf(of, percentText(points))
        expect(given).toBeGreaterThanOrEqual(0)
        expect(given).toBeLessThanOrEqual(of)
        const off = BigInt(given) * 20_000n - BigInt(of) * BigInt(points) * 2n
        expect(off > -10_000n && off <= 10_000n).toBe(true)
        if ((BigInt(of) * BigInt(points)) % 10_000n === 0n) expect(off).toBe(0n)
        expect(shareOf(of + 1, points, 10_000)).toBeGreaterThanOrEqual(given)
        if (points < 10_000) expect(percentOf(of, percentText(points + 1))).toBeGreaterThanOrEqual(given)
      }),
    )
  })

  test('and the rest of it drift by no more than the rupiah that was rounded', () => {
    fc.assert(
      fc.property(amount, basisPoints, (of, points) => {
        const both = shareOf(of, points, 10_000) + shareOf(of, 10_000 - points, 10_000)
        expect(both - of).toBeGreaterThanOrEqual(0)
        expect(both - of).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('everywhere a percentage is taken, it is the same rupiah', () => {
  const price = fc.integer({ min: 1, max: 1e12 })

  test('a discount of the whole bill is rounded once, whatever lines it has', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: 1, maxLength: 6 }), basisPoints, (prices, points) => {
        const lines = prices.map((one, n) => ({ feeComponentId: String(n), amount: one }))
        const rule = { id: 'd', kind: 'percent' as const, value: points / 100, feeComponentId: null, stackable: true }
        const [given] = chooseDiscounts(lines, [rule])
        const sum = prices.reduce((total, one) => total + one, 0)
        expect(given?.amount ?? 0).toBe(percentOf(sum, percentText(points)))
      }),
    )
  })

  test('an instalment, what a student number waits for, what is given back and a risen price', () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 99 }), (of, percent) => {
        const expected = percentOf(of, percent)
        const terms = [percent, 100 - percent].map((share, n) => ({
          shareBps: share * 100,
          amount: null,
          dueDate: null,
          dueDays: n,
        }))
        const parts = splitInstallments(of, terms, { issuedAt: new Date(0) })
        expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(of)
        if (expected > 0) expect(parts[0]!.amount).toBe(expected)
        expect(missingForShare({ status: 'open', total: of, paid: 0 }, percent)).toBe(expected)
        const money = { waiting: 0, returned: 0, allocated: of, given: 0 }
        expect(refundable({ ...money, components: { part: 1, whole: 1 }, share: percent * 100 }).most).toBe(expected)
        expect(refundable({ ...money, components: { part: percent, whole: 100 }, share: 10_000 }).most).toBe(expected)
        const risen = adjustAmount(of, { basisPoints: percent * 100, roundTo: 1 })
        expect(risen).toBe(of + expected)
      }),
    )
  })
})
