import { expect, it } from 'vitest'
import { isProvinceMeant } from './province-names.ts'

it.each([
  ['Daerah Khusus Ibukota Jakarta', 'DKI'],
  ['Daerah Khusus Ibukota Jakarta', 'dki jakarta'],
  ['Daerah Khusus Ibukota Jakarta', 'jakarta'],
  ['Daerah Istimewa Yogyakarta', 'DIY'],
  ['Daerah Istimewa Yogyakarta', 'DI Yogya'],
  ['Daerah Istimewa Yogyakarta', 'jogja'],
  ['Jawa Barat', 'jabar'],
  ['Nusa Tenggara Timur', 'NTT'],
  ['Papua', ''],
])('%s is found by %s', (name, typed) => expect(isProvinceMeant(name, typed)).toBe(true))

it.each([
  ['Jawa Barat', 'dki'],
  ['Nusa Tenggara Barat', 'NTT'],
  ['Papua', 'jakarta'],
])('%s is not found by %s', (name, typed) => expect(isProvinceMeant(name, typed)).toBe(false))
