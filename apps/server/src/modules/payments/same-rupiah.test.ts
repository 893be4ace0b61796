import { describe, expect, test } from 'vitest'
import { adjustAmount } from '#domain/fees/amounts.ts'
import { splitInstallments } from '#domain/payments/bills/split-installments.ts'
import { percentOf } from '#domain/rounding.ts'
import { fc } from '#testing/properties.ts'
import { chooseDiscounts } from './bills/prices/choose-discounts.ts'
import { missingForShare } from './bills/unlock-rule.ts'
import { refundable } from './money/give-back/refundable.ts'

const basisPoints = fc.integer({ min: 0, max: 10_000 })
/** A percentage as users type it and PostgreSQL returns it. */
const percentText = (points: number) => `${Math.floor(points / 100)}.${String(points % 100).padStart(2, '0')}`

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
