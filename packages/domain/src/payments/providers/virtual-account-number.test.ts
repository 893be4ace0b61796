import { describe, expect, test } from 'vitest'
import { fc } from '#testing/properties.ts'
import { groupedNumber, isVirtualAccountNumber, virtualAccountNumber } from './virtual-account-number.ts'

describe('transfer numbers', () => {
  test('bank prefix and customer number', () => {
    expect(virtualAccountNumber('99001', 42)).toBe('990010000000042')
    expect(groupedNumber('990010000000042')).toBe('9900 1000 0000 042')
  })
  test('are all different, with at most 28 digits', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 9_999_999_999 }), { minLength: 2, maxLength: 20 }),
        (customers) => {
          const numbers = customers.map((customer) => virtualAccountNumber('99001', customer))
          expect(new Set(numbers).size).toBe(customers.length)
          expect(numbers.every(isVirtualAccountNumber)).toBe(true)
        },
      ),
    )
  })
  test('refuses parts that could collide or be too long', () => {
    expect(() => virtualAccountNumber('99001', 10_000_000_000)).toThrow()
    expect(() => virtualAccountNumber('99001', 0)).toThrow()
    expect(() => virtualAccountNumber('9 001', 1)).toThrow()
    expect(() => virtualAccountNumber('123456789012', 1, 20)).toThrow()
  })
})
