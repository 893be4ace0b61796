import { afterEach, describe, expect, test } from 'vitest'
import { bankCalendar, calendarOf, setUniversityTimeZone, universityCalendar } from './calendar.ts'
import { requestDocument } from './documents/endpoints.ts'
import { promiseProblem } from './payments/bills/promise-problem.ts'
import { splitInstallments } from './payments/bills/split-installments.ts'

afterEach(() => setUniversityTimeZone('Asia/Jakarta'))

/** 22.30 on the 20th in Jakarta, 00.30 on the 21st in Jayapura. */
const night = new Date('2026-11-20T15:30:00Z')

test.each([
  ['Asia/Jakarta', '2026-11-20', '2026-11-20 22:30:00', '2026-11-20T16:59:00.000Z'],
  ['Asia/Makassar', '2026-11-20', '2026-11-20 23:30:00', '2026-11-20T15:59:00.000Z'],
  ['Asia/Jayapura', '2026-11-21', '2026-11-21 00:30:00', '2026-11-21T14:59:00.000Z'],
])('%s counts days by local time', (timeZone, day, wallTime, end) => {
  const calendar = calendarOf(timeZone)
  expect([calendar.dayOf(night), calendar.wallTime(night)]).toEqual([day, wallTime])
  expect(calendar.momentOf(wallTime)).toEqual(night)
  expect(calendar.endOfDay(day).toISOString()).toBe(end)
  const [dayStart, dayEnd] = calendar.boundsOfDay(day)
  expect([calendar.dayOf(dayStart), dayEnd.getTime() - dayStart.getTime()]).toEqual([day, 86_400_000])
  expect(calendar.dayOf(new Date(dayStart.getTime() - 1)) < day).toBe(true)
})

test('a new year begins first in the east, and at banks by Jakarta time', () => {
  const newYearsEve = new Date('2026-12-31T15:30:00Z')
  expect([calendarOf('Asia/Jayapura').yearOf(newYearsEve), bankCalendar.yearOf(newYearsEve)]).toEqual(['2027', '2026'])
})

test('an unreadable time gives an invalid date', () => {
  expect(bankCalendar.momentOf('tomorrow').getTime()).toBeNaN()
})

describe('a university in Eastern Indonesia', () => {
  test('ends instalments and promises at 23.59 there', () => {
    setUniversityTimeZone('Asia/Jayapura')
    const term = { shareBps: 10_000, amount: null, dueDate: null, dueDays: 7 }
    const [part] = splitInstallments(1_000_000, [term], { issuedAt: night })
    expect(part!.dueAt.toISOString()).toBe('2026-11-28T14:59:00.000Z')
    const { startOfDay } = universityCalendar()
    expect(promiseProblem('2026-11-20', night)).toBe('in_the_past')
    expect(promiseProblem('2026-11-21', night)).toBeNull()
    expect(promiseProblem('2026-11-21', startOfDay('2026-11-22'))).toBe('in_the_past')
  })

  test('refuses to request a document for a day that has ended there', () => {
    const dueOn = '2026-11-21'
    expect(requestDocument.rules({ dueOn } as never, night)).toEqual({ dueOn: null })
    setUniversityTimeZone('Asia/Jayapura')
    expect(requestDocument.rules({ dueOn } as never, night)).toEqual({ dueOn: 'document_date_past' })
  })
})

test.each(['0001-01-01', '0999-12-31', '9999-12-31'])('%s, which nobody means, is a moment all the same', (day) => {
  const calendar = calendarOf('Asia/Jakarta')
  for (const time of ['00:00:00', '23:59:00'])
    expect(Math.abs(calendar.momentOf(`${day} ${time}`).getTime() - Date.parse(`${day}T${time}Z`))).toBeLessThan(
      86_400_000,
    )
})
