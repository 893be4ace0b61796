import { expect, test } from 'vitest'
import { parseSearch } from './typed.ts'

test.each([
  ['  Sari   WULANDARI ', { text: 'sari wulandari', code: null, digits: null, phone: null, email: null }],
  ['26G1 00012', { code: '26g100012', digits: null, email: null }],
  ['0812-3456', { digits: '08123456', phone: '628123456' }],
  ['+62 812 3456', { digits: '628123456', phone: null }],
  ['0123', { digits: '0123', phone: null }],
  ['INV-2026-000001', { code: 'inv-2026-000001', digits: null, email: 'inv-2026-000001' }],
  ['sari@contoh.test', { email: 'sari@contoh.test', code: null }],
  ['a b c d e f g h i j', { words: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] }],
])('“%s” is parsed', (q, expected) => {
  expect(parseSearch(q)).toMatchObject(expected)
})
