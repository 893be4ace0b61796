import { universityCalendar } from '#domain/calendar.ts'

/** `WIB`, `WITA` or `WIT`; English text uses the same abbreviations. */
export const zoneName = (timeZone = universityCalendar().timeZone) =>
  new Intl.DateTimeFormat('id-ID', { timeZone, timeZoneName: 'short' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')!.value
