import { universityCalendar } from '#domain/calendar.ts'

/** Converts an instant to the university's local time (`2026-11-27 23:59:00`), regardless of the reader's time zone. */
export const toWallClock = (iso: string) => universityCalendar().wallTime(new Date(iso))

/** Converts the university's local time to an instant. */
export const fromWallClock = (wallTime: string) => universityCalendar().momentOf(wallTime).toISOString()
