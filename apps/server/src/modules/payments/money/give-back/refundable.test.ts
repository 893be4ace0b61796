import { describe, expect, test } from 'vitest'
import { shareOf } from '#domain/rounding.ts'
import { fc } from '#testing/properties.ts'
import { refundable } from './refundable.ts'

describe('refundable money', () => {
  const whole = { part: 1, whole: 1 }
  const money = { waiting: 0, returned: 0, allocated: 0, given: 0, components: whole, share: 5_000 }
  test('refunds mistaken money in full, and money for a given-up place by the policy', () => {
    expect(refundable({ ...money, waiting: 300, share: 0 })).toEqual({ waiting: 300, byPolicy: 0, most: 300 })
    expect(refundable({ ...money, waiting: 300, returned: 200 })).toEqual({ waiting: 100, byPolicy: 100, most: 200 })
    expect(refundable({ ...money, waiting: 100, returned: 100, allocated: 100 })).toMatchObject({ byPolicy: 100 })
  })
  test('never refunds more than there is, nor by the policy more than its share of all that was paid', () => {
    const sum = fc.integer({ min: 0, max: 1e9 })
    const share = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(sum, sum, sum, sum, share, (mistaken, returned, allocated, refunded, bps) => {
        const waiting = mistaken + returned
        const { most, byPolicy } = refundable({
          waiting,
          returned,
          allocated,
          given: refunded,
          components: whole,
          share: bps,
        })
        expect(most).toBeLessThanOrEqual(waiting + allocated)
        expect(most - byPolicy).toBe(mistaken)
        if (byPolicy > 0)
          expect(byPolicy + refunded).toBeLessThanOrEqual(shareOf(returned + allocated + refunded, bps, 10_000))
      }),
    )
  })
})
