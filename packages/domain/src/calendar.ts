const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Days and hours in one time zone. Days are strings such as `2026-11-20`, instants are UTC. */
export type Calendar = {
  timeZone: string
  dayOf(at: Date): string
  /** `2026`. */
  yearOf(at: Date): string
  /** Midnight that starts a day. */
  startOfDay(day: string): Date
  /** 23.59 of a day, its last minute for deadlines. */
  endOfDay(day: string): Date
  /** Start of the day and start of the next day. */
  boundsOfDay(day: string): [Date, Date]
  /** 23.59 of the day `days` after an instant. */
  endOfDayAfter(at: Date, days: number): Date
  /** `2026-11-27 23:59:00`: local time of an instant. */
  wallTime(at: Date): string
  /** Local time of an instant as a number: reading these milliseconds as UTC gives its day and hour. */
  localMs(at: Date): number
  /** Instant of a local time such as `2026-11-27 23:59:00`. */
  momentOf(wallTime: string): Date
}

/** Adds days to a day. */
export const shiftDay = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Every day between two days, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = shiftDay(day, 1)) days.push(day)
  return days
}

let zone = 'Asia/Jakarta'

/** The university's time zone, a setting; Jakarta until the settings are read. */
export const universityTimeZone = () => zone

/** Called after reading the settings: by the server from the database, by the web from the page. */
export function setUniversityTimeZone(timeZone: string) {
  zone = timeZone
}

const calendars = new Map<string, Calendar>()

export function calendarOf(timeZone: string): Calendar {
  const calendar = calendars.get(timeZone) ?? makeCalendar(timeZone)
  calendars.set(timeZone, calendar)
  return calendar
}

/** Banks, their statements and protocols count days in Jakarta, wherever the university is. */
export const bankCalendar = calendarOf('Asia/Jakarta')

/** The university's calendar, for deadlines, ages and days in lists. Its time zone is a setting. */
export const universityCalendar = (): Calendar => calendarOf(universityTimeZone())

/** Hours of eleven years: rows of a long file come in no order of time. */
const maxOffsets = 100_000

/** Intl writes four-digit years only within this range; outside it, the offset at the nearer end applies. */
const [firstTime, lastTime] = [Date.UTC(1000, 0, 2), Date.UTC(9999, 11, 30)]

function makeCalendar(timeZone: string): Calendar {
  // The Swedish locale formats `2026-11-27 23:59:00`.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const offsets = new Map<number, number>()
  /** Milliseconds ahead of UTC, cached per hour because Intl is slow. */
  function offsetAt(time: number): number {
    if (Number.isNaN(time)) return time
    const readableTime = Math.min(Math.max(time, firstTime), lastTime)
    const hour = Math.floor(readableTime / hourMs)
    const knownOffset = offsets.get(hour)
    if (knownOffset !== undefined) return knownOffset
    const wholeSecond = Math.floor(readableTime / 1000) * 1000
    const offset = Date.parse(`${clock.format(wholeSecond).replace(' ', 'T')}Z`) - wholeSecond
    if (offsets.size >= maxOffsets) offsets.clear()
    offsets.set(hour, offset)
    return offset
  }

  const localMs = (at: Date) => at.getTime() + offsetAt(at.getTime())
  const localIso = (at: Date) => new Date(localMs(at)).toISOString()
  const dayOf = (at: Date) => localIso(at).slice(0, 10)
  function momentOf(wallTime: string) {
    const asUtc = Date.parse(`${wallTime.replace(' ', 'T')}Z`)
    return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)))
  }
  const startOfDay = (day: string) => momentOf(`${day} 00:00:00`)
  const endOfDay = (day: string) => momentOf(`${day} 23:59:00`)
  return {
    timeZone,
    dayOf,
    yearOf: (at) => localIso(at).slice(0, 4),
    startOfDay,
    endOfDay,
    boundsOfDay: (day) => [startOfDay(day), startOfDay(shiftDay(day, 1))],
    endOfDayAfter: (at, days) => endOfDay(dayOf(new Date(at.getTime() + days * dayMs))),
    wallTime: (at) => localIso(at).slice(0, 19).replace('T', ' '),
    localMs,
    momentOf,
  }
}
