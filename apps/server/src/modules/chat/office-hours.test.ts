import { describe, expect, test } from 'vitest'
import { calendarOf } from '#domain/calendar.ts'
import { addOfficeMinutes, isOfficeOpen, nextOpening } from './office-hours.ts'

const jakarta = calendarOf('Asia/Jakarta')
const hours = { days: [1, 2, 3, 4, 5], from: '08:00', until: '16:00' }
/** Local time in November 2026, given as `27 08:00:00`; the 27th is a Friday. */
const at = (wallTime: string) => jakarta.momentOf(`2026-11-${wallTime}`)

describe('the office', () => {
  test('is open from its first minute until before its last', () => {
    const openAt = ['27 07:59:59', '27 08:00:00', '27 15:59:59', '27 16:00:00', '28 10:00:00'].map((time) =>
      isOfficeOpen(hours, jakarta, at(time)),
    )
    expect(openAt).toEqual([false, true, true, false, false])
  })

  test('opens again on Monday after Friday evening', () => {
    expect(nextOpening(hours, jakarta, at('27 17:00:00'))).toEqual(at('30 08:00:00'))
    expect(nextOpening(hours, jakarta, at('27 06:00:00'))).toEqual(at('27 08:00:00'))
    expect(nextOpening({ ...hours, days: [] }, jakarta, at('27 06:00:00'))).toBeNull()
  })
})

describe('the clock of the first answer', () => {
  test.each([
    ['within a day', '27 09:00:00', '27 10:00:00'],
    ['over the weekend', '27 15:30:00', '30 08:30:00'],
    ['from the night', '26 23:00:00', '27 09:00:00'],
  ])('counts an hour %s', (_, from, due) => {
    expect(addOfficeMinutes(hours, jakarta, at(from), 60)).toEqual(at(due))
  })

  test('counts working days only', () => {
    expect(addOfficeMinutes(hours, jakarta, at('26 08:00:00'), 2 * 8 * 60 + 30)).toEqual(at('30 08:30:00'))
  })

  test('runs around the clock if the office never opens', () => {
    expect(addOfficeMinutes({ ...hours, from: '16:00' }, jakarta, at('27 09:00:00'), 60)).toEqual(at('27 10:00:00'))
  })
})
