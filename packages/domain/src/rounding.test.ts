import { describe, expect, test } from 'vitest'
import { fc } from '#testing/properties.ts'
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
