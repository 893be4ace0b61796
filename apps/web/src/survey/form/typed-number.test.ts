import { describe, expect, it } from 'vitest'
import { numberOf } from './typed-number.ts'

describe('a number as people type it', () => {
  it.each([
    ['12', 12],
    ['1.500', 1500],
    ['1.500.000', 1_500_000],
    ['1 500', 1500],
    ['3,5', 3.5],
    ['3.5', 3.5],
    ['1.500,25', 1500.25],
    ['-4', -4],
    ['', undefined],
    ['dua', 'dua'],
    ['1,2,3', '1,2,3'],
    ['0x10', '0x10'],
    ['1e3', '1e3'],
  ])('%s', (typed, value) => expect(numberOf(typed)).toBe(value))
})
