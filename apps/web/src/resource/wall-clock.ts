import { universityCalendar } from '#domain/calendar.ts'

/** An instant as the clock on the university's wall shows it (`2026-11-27 23:59:00`), wherever the reader is. */
export const toWallClock = (iso: string) => universityCalendar().wallTime(new Date(iso))

/** The instant at which that clock shows this. */
export const fromWallClock = (shown: string) => universityCalendar().momentOf(shown).toISOString()
