import { type Calendar, shiftDay } from '#domain/calendar.ts'

/** Weekdays on which the office is open (1 is Monday), with local opening and closing time such as `08:00`. */
export type OfficeHours = { days: readonly number[]; from: string; until: string }

export const officeHoursOf = (settings: {
  chatDays: readonly number[]
  chatFrom: string
  chatUntil: string
}): OfficeHours => ({ days: settings.chatDays, from: settings.chatFrom, until: settings.chatUntil })

const minuteMs = 60_000

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Days searched for an opening. The search needs an end, because the settings may keep the office closed every day. */
const longestSearch = 15

/** Opening and closing time of a day; undefined if the office is closed all day. */
function openingOf({ days, from, until }: OfficeHours, calendar: Calendar, day: string): [Date, Date] | undefined {
  if (!days.includes(weekdayOf(day)) || from >= until) return
  return [calendar.momentOf(`${day} ${from}:00`), calendar.momentOf(`${day} ${until}:00`)]
}

export function isOfficeOpen(hours: OfficeHours, calendar: Calendar, now: Date): boolean {
  const opening = openingOf(hours, calendar, calendar.dayOf(now))
  return opening !== undefined && opening[0] <= now && now < opening[1]
}

/** When the office next opens after `now`; null if the office never opens. */
export function nextOpening(hours: OfficeHours, calendar: Calendar, now: Date): Date | null {
  for (let day = calendar.dayOf(now), step = 0; step < longestSearch; day = shiftDay(day, 1), step++) {
    const opening = openingOf(hours, calendar, day)
    if (opening && opening[0] > now) return opening[0]
  }
  return null
}

/**
 * Adds minutes to `from`, counting only time when the office is open. If the next `longestSearch` days have too few
 * open minutes, counts all time instead.
 */
export function addOfficeMinutes(hours: OfficeHours, calendar: Calendar, from: Date, minutes: number): Date {
  let restMs = minutes * minuteMs
  for (let day = calendar.dayOf(from), step = 0; step < longestSearch; day = shiftDay(day, 1), step++) {
    const opening = openingOf(hours, calendar, day)
    if (!opening) continue
    const start = Math.max(opening[0].getTime(), from.getTime())
    const openMs = opening[1].getTime() - start
    if (openMs <= 0) continue
    if (openMs >= restMs) return new Date(start + restMs)
    restMs -= openMs
  }
  return new Date(from.getTime() + minutes * minuteMs)
}
