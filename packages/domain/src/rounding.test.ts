import { describe, expect, test } from 'vitest'
import { fc } from '#testing/properties.ts'
import { adjustAmount } from './fees/amounts.ts'
import { chooseDiscounts } from './payments/bills/discounts/discounts.ts'
import { splitInstallments } from './payments/bills/split-installments.ts'
import { missingForShare } from './payments/bills/unlock.ts'
import { refundable } from './payments/money/refundable.ts'
import { basisPointsOf, percentOf, shareOf } from './rounding.ts'

const anyAmount = fc.integer({ min: 0, max: 9e14 })
const basisPoints = fc.integer({ min: 0, max: 10_000 })
/** A percentage as users type it and PostgreSQL returns it. */
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

  test('is between 0 and the amount, nearest to the exact value, and grows with both arguments', () => {
    fc.assert(
      fc.property(anyAmount, basisPoints, (amount, points) => {
        const rupiah = percentOf(amount, percentText(points))
        expect(rupiah).toBeGreaterThanOrEqual(0)
        expect(rupiah).toBeLessThanOrEqual(amount)
        const twentyThousandths = BigInt(rupiah) * 20_000n - BigInt(amount) * BigInt(points) * 2n
        expect(twentyThousandths > -10_000n && twentyThousandths <= 10_000n).toBe(true)
        if ((BigInt(amount) * BigInt(points)) % 10_000n === 0n) expect(twentyThousandths).toBe(0n)
        expect(shareOf(amount + 1, points, 10_000)).toBeGreaterThanOrEqual(rupiah)
        if (points < 10_000) expect(percentOf(amount, percentText(points + 1))).toBeGreaterThanOrEqual(rupiah)
      }),
    )
  })

  test('and the rest add up to the amount plus at most one rupiah', () => {
    fc.assert(
      fc.property(anyAmount, basisPoints, (amount, points) => {
        const sumOfBoth = shareOf(amount, points, 10_000) + shareOf(amount, 10_000 - points, 10_000)
        expect(sumOfBoth - amount).toBeGreaterThanOrEqual(0)
        expect(sumOfBoth - amount).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('every percentage calculation gives the same rupiah', () => {
  const anyPrice = fc.integer({ min: 1, max: 1e12 })

  test('a discount on the whole bill is rounded once, whatever its lines', () => {
    fc.assert(
      fc.property(fc.array(anyPrice, { minLength: 1, maxLength: 6 }), basisPoints, (prices, points) => {
        const lines = prices.map((price, index) => ({ feeComponentId: String(index), amount: price }))
        const rule = { id: 'd', kind: 'percent' as const, value: points / 100, feeComponentId: null, stackable: true }
        const [discount] = chooseDiscounts(lines, [rule])
        const sum = prices.reduce((total, price) => total + price, 0)
        expect(discount?.amount ?? 0).toBe(percentOf(sum, percentText(points)))
      }),
    )
  })

  test('an instalment, the share that unlocks a student number, a refund and a raised price', () => {
    fc.assert(
      fc.property(anyPrice, fc.integer({ min: 1, max: 99 }), (amount, percent) => {
        const expected = percentOf(amount, percent)
        const terms = [percent, 100 - percent].map((share, index) => ({
          shareBps: share * 100,
          amount: null,
          dueDate: null,
          dueDays: index,
        }))
        const parts = splitInstallments(amount, terms, { issuedAt: new Date(0) })
        expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount)
        if (expected > 0) expect(parts[0]!.amount).toBe(expected)
        expect(missingForShare({ status: 'open', total: amount, paid: 0 }, percent)).toBe(expected)
        const money = { waiting: 0, returned: 0, allocated: amount, given: 0 }
        expect(refundable({ ...money, components: { part: 1, whole: 1 }, share: percent * 100 }).most).toBe(expected)
        expect(refundable({ ...money, components: { part: percent, whole: 100 }, share: 10_000 }).most).toBe(expected)
        const risenPrice = adjustAmount(amount, { basisPoints: percent * 100, roundTo: 1 })
        expect(risenPrice).toBe(amount + expected)
      }),
    )
  })
})
