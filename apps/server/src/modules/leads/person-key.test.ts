import { expect, test } from 'vitest'
import { nameKeyOf } from './person-key.ts'

test('names are compared without accents, case, apostrophes and double spaces', () => {
  expect(nameKeyOf("  Siti  NUR'AINI ")).toBe('siti nuraini')
  expect(nameKeyOf('Siti Nur’ainí')).toBe('siti nuraini')
  expect(nameKeyOf('M. Abdul-Rahman')).toBe('m abdul rahman')
})
