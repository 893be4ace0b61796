import { expect, test } from 'vitest'
import { readCell } from './read-cell.ts'

const opens = { kind: 'dateTime', label: { en: 'Opens', id: 'Dibuka' } } as const
const momentOf = (text: string) => readCell(opens, text, 'Asia/Jakarta')

test.each([
  ['2026-12-01 08.00', '2026-12-01T01:00:00.000Z'],
  ['01/12/2026 08.00 WIB', '2026-12-01T01:00:00.000Z'],
  ['01/12/2026 08.00 WITA', '2026-12-01T00:00:00.000Z'],
  ['1 Desember 2026 08:00 WIT', '2026-11-30T23:00:00.000Z'],
  ['2026-12-01 08:00 (wita)', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01 WIT', '2026-11-30T15:00:00.000Z'],
])("%s is read in the zone it names, otherwise in the university's", (text, moment) => {
  expect(momentOf(text)).toEqual({ value: moment })
})

const validFrom = { kind: 'date', label: { en: 'Valid from', id: 'Berlaku dari' } } as const

test.each([
  ['2026-05-01', '2026-05-01'],
  ['2026-12-31 12:00:00', '2026-12-31'],
])('%s is a day if the field is a date', (text, day) => {
  expect(readCell(validFrom, text, 'Asia/Jakarta')).toEqual({ value: day })
})

test('an unknown zone is a problem, and is not ignored', () => {
  expect(momentOf('2026-12-01 08:00 WIX')).toEqual({ fault: { key: 'not_date_time' } })
})
