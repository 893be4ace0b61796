import { shiftDay } from './days.ts'
import { universityTimeZone } from './time-zone.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Days and hours of one time zone. Days are texts such as `2026-11-20`, moments are UTC. */
export type Calendar = {
  timeZone: string
  dayOf(at: Date): string
  /** `2026`. */
  yearOf(at: Date): string
  /** Midnight at which a day begins. */
  startOfDay(day: string): Date
  /** 23.59 of a day: until then a deadline of that day is met. */
  endOfDay(day: string): Date
  /** The moments between which a day lies: from the first to before the second. */
  boundsOfDay(day: string): [Date, Date]
  /** 23.59 of the day that lies so many days after a moment. */
  endOfDayAfter(at: Date, days: number): Date
  /** `2026-11-27 23:59:00`, as the clocks of the zone show a moment. */
  wallTime(at: Date): string
  /** The moment at which the clocks of the zone show `2026-11-27 23:59:00`. */
  momentOf(wallTime: string): Date
}

const calendars = new Map<string, Calendar>()

export function calendarOf(timeZone: string): Calendar {
  const known = calendars.get(timeZone) ?? makeCalendar(timeZone)
  calendars.set(timeZone, known)
  return known
}

/** Banks, their statements and their protocols count days in Jakarta, wherever the university is. */
export const bankCalendar = calendarOf('Asia/Jakarta')

/** The calendar of the university: deadlines, ages and the days of lists. Its time zone is a setting. */
export const universityCalendar = (): Calendar => calendarOf(universityTimeZone())

const mostOffsets = 10_000

function makeCalendar(timeZone: string): Calendar {
  // Swedes write `2026-11-27 23:59:00`.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const offsets = new Map<number, number>()
  /** Milliseconds that the clocks are ahead of UTC, asked of Intl once for every hour that occurs: asking is slow. */
  function offsetAt(time: number): number {
    if (Number.isNaN(time)) return time
    const hour = Math.floor(time / hourMs)
    const known = offsets.get(hour)
    if (known !== undefined) return known
    const whole = Math.floor(time / 1000) * 1000
    const offset = Date.parse(`${clock.format(whole).replace(' ', 'T')}Z`) - whole
    if (offsets.size >= mostOffsets) offsets.clear()
    offsets.set(hour, offset)
    return offset
  }

  const local = (at: Date) => new Date(at.getTime() + offsetAt(at.getTime())).toISOString()
  const dayOf = (at: Date) => local(at).slice(0, 10)
  function momentOf(wallTime: string) {
    const asUtc = Date.parse(`${wallTime.replace(' ', 'T')}Z`)
    return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc)))
  }
  const startOfDay = (day: string) => momentOf(`${day} 00:00:00`)
  const endOfDay = (day: string) => momentOf(`${day} 23:59:00`)
  return {
    timeZone,
    dayOf,
    yearOf: (at) => local(at).slice(0, 4),
    startOfDay,
    endOfDay,
    boundsOfDay: (day) => [startOfDay(day), startOfDay(shiftDay(day, 1))],
    endOfDayAfter: (at, days) => endOfDay(dayOf(new Date(at.getTime() + days * dayMs))),
    wallTime: (at) => local(at).slice(0, 19).replace('T', ' '),
    momentOf,
  }
}
