import { type Calendar, shiftDay } from '#domain/calendar.ts'

/** `days` are weekdays, 1 for Monday. `from` and `until` are local times such as `08:00`. */
export type OfficeHours = { days: readonly number[]; from: string; until: string }

export const officeHoursOf = (settings: {
  chatDays: readonly number[]
  chatFrom: string
  chatUntil: string
}): OfficeHours => ({ days: settings.chatDays, from: settings.chatFrom, until: settings.chatUntil })

const minuteMs = 60_000

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Maximum days to search for an opening. Without a maximum, the search would not end if the office has no open day. */
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

/** When the office next opens after `now`; null if it has no open day. */
export function nextOpening(hours: OfficeHours, calendar: Calendar, now: Date): Date | null {
  for (let day = calendar.dayOf(now), step = 0; step < longestSearch; day = shiftDay(day, 1), step++) {
    const opening = openingOf(hours, calendar, day)
    if (opening && opening[0] > now) return opening[0]
  }
  return null
}

/** Adds minutes of office time to `from`. Adds plain minutes if `longestSearch` days have too little office time. */
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
