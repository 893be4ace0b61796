import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'

/**
 * Rule of a filter: the instant is on this day or later, in the university's time zone. `column` is a column such as
 * `b.issuedAt`.
 */
export const sinceDay = (column: string) => (day: string) =>
  sql<boolean>`${sql.ref(column)} >= ${universityCalendar().startOfDay(day)}`

/** Rule of a filter: the instant is on this day or earlier, in the university's time zone. */
export const untilDay = (column: string) => (day: string) =>
  sql<boolean>`${sql.ref(column)} < ${universityCalendar().boundsOfDay(day)[1]}`
