import { expect, test } from 'vitest'
import { linesOf } from './result-picture.ts'

const within = (most: number) => (line: string) => line.length <= most

test('words are joined as long as they fit, and a longer one has its own line', () => {
  expect(linesOf('Teknik Informatika dan Komputer', within(20))).toEqual(['Teknik Informatika', 'dan Komputer'])
  expect(linesOf('Manajemen', within(3))).toEqual(['Manajemen'])
  expect(linesOf('  S1   Gizi ', within(20))).toEqual(['S1 Gizi'])
  expect(linesOf('', within(20))).toEqual([])
})
