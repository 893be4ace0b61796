import { universityCalendar } from '#domain/calendar.ts'

/** `WIB`, `WITA` or `WIT`, as the whole country writes them in both languages. */
export const zoneName = (timeZone = universityCalendar().timeZone) =>
  new Intl.DateTimeFormat('id-ID', { timeZone, timeZoneName: 'short' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')!.value
