import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'

/**
 * Rule of a filter: an instant lies on the day or later, by the time zone of the university. `column` is a column such as
 * `b.issuedAt`.
 */
export const sinceDay = (column: string) => (day: string) =>
  sql<boolean>`${sql.ref(column)} >= ${universityCalendar().startOfDay(day)}`

/** Rule of a filter: an instant lies on the day or before. */
export const untilDay = (column: string) => (day: string) =>
  sql<boolean>`${sql.ref(column)} < ${universityCalendar().boundsOfDay(day)[1]}`
