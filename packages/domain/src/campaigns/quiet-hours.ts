import { calendarOf, shiftDay } from '#domain/calendar.ts'
import { quietHours } from './campaigns.ts'

const twoDigits = (hour: number) => String(hour).padStart(2, '0')

/** End of the current quiet hours in a time zone; null outside quiet hours. */
export function quietUntil(at: Date, timeZone: string): Date | null {
  const calendar = calendarOf(timeZone)
  const hour = Math.floor(calendar.localMs(at) / 3_600_000) % 24
  if (hour >= quietHours.until && hour < quietHours.from) return null
  const today = calendar.dayOf(at)
  const day = hour >= quietHours.from ? shiftDay(today, 1) : today
  return calendar.momentOf(`${day} ${twoDigits(quietHours.until)}:00:00`)
}

/** Start of the next quiet hours; `at` itself during quiet hours. */
export function quietFrom(at: Date, timeZone: string): Date {
  if (quietUntil(at, timeZone)) return at
  const calendar = calendarOf(timeZone)
  return calendar.momentOf(`${calendar.dayOf(at)} ${twoDigits(quietHours.from)}:00:00`)
}
