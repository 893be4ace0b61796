import { describe, expect, test } from 'vitest'
import { fc } from '#testing/properties.ts'
import { chooseDiscounts, type DiscountRule } from './choose-discounts.ts'

const lines = [
  { feeComponentId: 'tuition', amount: 5_000_000 },
  { feeComponentId: 'building', amount: 3_000_000 },
]
const rule = (id: string, change: Partial<DiscountRule> = {}): DiscountRule => ({
  id,
  kind: 'percent',
  value: 10,
  feeComponentId: null,
  stackable: true,
  ...change,
})
const worth = (rules: DiscountRule[]) => chooseDiscounts(lines, rules).reduce((sum, { amount }) => sum + amount, 0)

describe('discounts', () => {
  test('a percentage applies to the full price, of all components or one', () => {
    expect(worth([rule('a')])).toBe(800_000)
    expect(worth([rule('a', { feeComponentId: 'building' })])).toBe(300_000)
    expect(worth([rule('a', { feeComponentId: 'jacket' })])).toBe(0)
  })

  test('stackable discounts add up, percentages first', () => {
    const discounts = chooseDiscounts(lines, [rule('fixed', { kind: 'fixed', value: 500_000 }), rule('a')])
    expect(discounts.map(({ discountId, amount }) => [discountId, amount])).toEqual([
      ['a', 800_000],
      ['fixed', 500_000],
    ])
  })

  test('an exclusive discount wins if it is worth more than all others together, otherwise it is left out', () => {
    const alone = rule('alone', { value: 20, stackable: false })
    expect(chooseDiscounts(lines, [alone, rule('a')]).map(({ discountId }) => discountId)).toEqual(['alone'])
    expect(worth([alone, rule('a'), rule('b', { value: 15 })])).toBe(2_000_000)
  })

  test('of two exclusive ones the better is given; if equal, the fewer discounts win', () => {
    const cheap = rule('cheap', { value: 5, stackable: false })
    const good = rule('good', { value: 6, stackable: false })
    expect(chooseDiscounts(lines, [cheap, good]).map(({ discountId }) => discountId)).toEqual(['good'])
    const same = [rule('a', { value: 3 }), rule('b', { value: 3 })]
    expect(chooseDiscounts(lines, [...same, good])).toHaveLength(1)
  })

  test('nothing falls below zero, however combined', () => {
    const amount = fc.integer({ min: 0, max: 50_000_000 })
    const component = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(
        fc.array(fc.record({ feeComponentId: component, amount }), { maxLength: 6 }),
        fc.array(
          fc.record({
            kind: fc.constantFrom('percent' as const, 'fixed' as const),
            value: fc.integer({ min: 1, max: 100 }),
            feeComponentId: fc.option(component),
            stackable: fc.boolean(),
          }),
          { maxLength: 6 },
        ),
        (drawn, drawnRules) => {
          const rules = drawnRules.map((one, id) => ({
            ...one,
            id: String(id),
            value: one.kind === 'fixed' ? one.value * 100_000 : one.value,
          }))
          const discounts = chooseDiscounts(drawn, rules)
          const total = drawn.reduce((sum, line) => sum + line.amount, 0)
          expect(discounts.reduce((sum, one) => sum + one.amount, 0)).toBeLessThanOrEqual(total)
          for (const id of ['a', 'b', 'c']) {
            const price = drawn.filter((line) => line.feeComponentId === id).reduce((sum, line) => sum + line.amount, 0)
            const off = discounts.filter((one) => one.feeComponentId === id).reduce((sum, one) => sum + one.amount, 0)
            expect(off).toBeLessThanOrEqual(price)
          }
          expect(discounts.every(({ amount: off }) => Number.isSafeInteger(off) && off > 0)).toBe(true)
          const alone = discounts.filter(({ discountId }) => !rules[Number(discountId)]!.stackable)
          if (alone.length > 0) expect(discounts).toHaveLength(1)
        },
      ),
    )
  })
})
