import { expect, it } from 'vitest'
import { daysOfMonth, isMonth, shiftMonth } from './month.ts'

it.each([
  ['2026-11', '2026-10-26', '2026-12-06', 42],
  ['2027-02', '2027-02-01', '2027-02-28', 28],
  ['2026-10', '2026-09-28', '2026-11-01', 35],
  ['2027-05', '2027-04-26', '2027-06-06', 42],
])('the weeks of %s', (month, first, last, count) => {
  const days = daysOfMonth(month)
  expect([days[0], days.at(-1), days.length]).toEqual([first, last, count])
})

it('months continue across the turn of the year', () =>
  expect([shiftMonth('2026-12', 1), shiftMonth('2026-01', -1), shiftMonth('2026-11', 3)]).toEqual([
    '2027-01',
    '2025-12',
    '2027-02',
  ]))

it('an address with other text is not a month', () =>
  expect(['2026-11', '2026-13', '', null, 'x'].map(isMonth)).toEqual([true, false, false, false, false]))
