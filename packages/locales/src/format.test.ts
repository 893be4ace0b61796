import { expect, test } from 'vitest'
import {
  amountInWords,
  dateTime,
  longDate,
  percent,
  rupiah,
  setMonthNames,
  shortDate,
  shortNumber,
  weekdayDate,
} from './format.ts'

test('money is grouped the Indonesian way', () => {
  expect(rupiah(1_000_000)).toBe('Rp\u00a01.000.000')
  expect(rupiah(0)).toBe('Rp\u00a00')
  expect(rupiah(-250_000)).toBe('-Rp\u00a0250.000')
})

test('axes of charts have short numbers', () => {
  const numbers = [4_250_000_000, 1_500_000, 1_350, 75, 0]
  expect(numbers.map((number) => shortNumber(number, 'id'))).toEqual([
    '4,25\u00a0M',
    '1,5\u00a0jt',
    '1,35\u00a0rb',
    '75',
    '0',
  ])
  expect(numbers.map((number) => shortNumber(number, 'en'))).toEqual([
    '4,25\u00a0bn',
    '1,5\u00a0m',
    '1,35\u00a0k',
    '75',
    '0',
  ])
})

test('a plain date is the same day in every time zone', () => {
  expect(longDate('2026-11-27', 'id')).toBe('27 November 2026')
  expect(longDate('2026-05-01', 'id')).toBe('01 Mei 2026')
  expect(longDate('2026-05-01', 'en')).toBe('01 Mei 2026')
  expect(dateTime(new Date('2026-11-26T17:30:00Z'), 'id')).toBe('27 November 2026, 00.30')
})

test('months are Indonesian in both languages unless the university lets them follow the reader', () => {
  expect(shortDate('2026-08-17', 'en')).toBe('17 Agu 2026')
  expect(weekdayDate('2026-08-17', 'en')).toBe('Monday, 17 Agustus 2026')
  expect(weekdayDate('2026-08-17', 'id')).toBe('Senin, 17 Agustus 2026')
  setMonthNames('interface')
  expect(longDate('2026-08-17', 'en')).toBe('17 August 2026')
  expect(weekdayDate('2026-08-17', 'en')).toBe('Monday, 17 August 2026')
  expect(longDate('2026-08-17', 'id')).toBe('17 Agustus 2026')
  setMonthNames('indonesian')
})

test('percentages have two decimals', () => {
  expect(percent(0.1234)).toBe('12,34%')
})

test.each([
  [0, 'nol rupiah'],
  [11, 'sebelas rupiah'],
  [115, 'seratus lima belas rupiah'],
  [1_000, 'seribu rupiah'],
  [250_000, 'dua ratus lima puluh ribu rupiah'],
  [1_001_000, 'satu juta seribu rupiah'],
  [2_345_678, 'dua juta tiga ratus empat puluh lima ribu enam ratus tujuh puluh delapan rupiah'],
])('%i in Indonesian words', (amount, words) => expect(amountInWords(amount, 'id')).toBe(words))

test('an amount in English words', () => {
  expect(amountInWords(1_250_021, 'en')).toBe('one million two hundred fifty thousand twenty-one rupiah')
})
