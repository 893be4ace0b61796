import { describe, expect, test } from 'vitest'
import { sameWeekdayNextYear } from '#domain/admission-year/dates.ts'
import { yearAfter } from '#domain/admission-year/next-names.ts'
import { daysMoved, followWave, moveDate } from './move-dates.ts'
import { isAcademicYear, nextCode, renameYear } from './rename-year.ts'

const noneTaken = () => false

describe('dates of the new year', () => {
  test('moves a year ahead on the same weekday, also across a leap day', () => {
    expect(moveDate('2027-03-01', sameWeekdayNextYear)).toBe('2028-02-28')
    const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
    expect(weekday(moveDate('2027-03-01', sameWeekdayNextYear))).toBe(weekday('2027-03-01'))
  })
  const oldDates = {
    opensAt: '2026-10-01T00:00:00+07:00',
    closesAt: '2026-12-31T23:59:00+07:00',
    resultsAt: '2027-01-10T10:00:00+07:00',
    confirmationDueAt: null,
  }
  const newDates = {
    ...oldDates,
    opensAt: '2027-10-04T00:00:00+07:00',
    closesAt: '2028-01-15T23:59:00+07:00',
    resultsAt: null,
  }
  test('a date equal to one of the old wave follows it to the new wave', () => {
    expect(followWave(oldDates.closesAt, oldDates, newDates)).toBe('2028-01-15T16:59:00.000Z')
  })
  test('any other date moves as far as the opening did', () => {
    expect(daysMoved(oldDates, newDates)).toBe(368)
    expect(followWave('2026-11-01T00:00:00+07:00', oldDates, newDates)).toBe('2027-11-03T17:00:00.000Z')
    expect(followWave(oldDates.resultsAt, oldDates, newDates)).toBe('2028-01-13T03:00:00.000Z')
  })
})

describe('names and codes of the new year', () => {
  test('an academic year is two consecutive years', () => {
    expect(yearAfter('2026/2027')).toBe('2027/2028')
    expect(isAcademicYear('2027/2028')).toBe(true)
    expect(isAcademicYear('2027/2029')).toBe(false)
    expect(isAcademicYear('2027')).toBe(false)
  })
  test('replaces a year in a name with the new one', () => {
    expect(renameYear('Gelombang 1 2026/2027', '2026/2027', '2027/2028')).toBe('Gelombang 1 2027/2028')
    expect(renameYear('20261', '2026/2027', '2027/2028')).toBe('20271')
    expect(renameYear('Gelombang 2', '2026/2027', '2027/2028')).toBe('Gelombang 2')
  })
  test.each([
    ['G1-2026', 'G1-2027'],
    ['G1-26', 'G1-27'],
    ['2026G1', '2027G1'],
    ['G1', 'G1-27'],
    ['GELOMBANG1', 'GELOMBA-27'],
  ])('%s becomes %s', (code, expected) => {
    expect(nextCode(code, '2026/2027', '2027/2028', 10, noneTaken)).toBe(expected)
  })
  test('adds a counter to a used code, within the maximum length', () => {
    const takenCodes = new Set(['G1-27', 'G1-27.2'])
    expect(nextCode('G1', '2026/2027', '2027/2028', 10, (code) => takenCodes.has(code))).toBe('G1-27.3')
    expect(nextCode('GELOMBANG1', '2026/2027', '2027/2028', 10, (code) => code === 'GELOMBA-27')).toBe('GELOM-27.2')
  })
})
