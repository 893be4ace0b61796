import { type Calendar, shiftDay } from '#domain/calendar.ts'
import type { rhythms } from '#domain/report-mail/rhythm.ts'

/** When a report is mailed: every day, on a weekday (1 is Monday) or on a day of the month, at a full hour. */
export type Rhythm = {
  rhythm: (typeof rhythms)[number]
  weekday: number | null
  monthDay: number | null
  hour: number
}

const dayMs = 86_400_000

/** 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

const isLastOfMonth = (day: string) => shiftDay(day, 1).endsWith('-01')

/** A month without the day uses its last day. */
function fits(day: string, { rhythm, weekday, monthDay }: Rhythm) {
  if (rhythm === 'weekly') return weekdayOf(day) === weekday
  if (rhythm === 'daily' || monthDay === null) return true
  const date = Number(day.slice(8))
  return date === monthDay || (date < monthDay && isLastOfMonth(day))
}

/** Two months and a day: every rhythm occurs within this span. */
const daysToLook = 63

function findMoment(rhythm: Rhythm, from: Date, calendar: Calendar, step: 1 | -1, suits: (moment: Date) => boolean) {
  // In another time zone the next day may have begun already.
  let day = shiftDay(calendar.dayOf(from), -step)
  for (let count = 0; count < daysToLook; count++, day = shiftDay(day, step)) {
    if (!fits(day, rhythm)) continue
    const moment = calendar.momentOf(`${day} ${String(rhythm.hour).padStart(2, '0')}:00:00`)
    if (suits(moment)) return moment
  }
  return new Date(from.getTime() + step * dayMs)
}

/** First moment of a rhythm after an instant. */
export const nextDue = (rhythm: Rhythm, after: Date, calendar: Calendar): Date =>
  findMoment(rhythm, after, calendar, 1, (moment) => moment > after)

/** Last moment of a rhythm up to an instant. */
export const lastDue = (rhythm: Rhythm, until: Date, calendar: Calendar): Date =>
  findMoment(rhythm, until, calendar, -1, (moment) => moment <= until)
