import { type RawBuilder, sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'

/**
 * Condition that an instant lies in the days `from` to `to` of the university's time zone, both included; without a day
 * that side is open. `column` is a column such as `b.issuedAt`.
 */
export function withinDays(column: string, from: string | undefined, to: string | undefined): RawBuilder<boolean> {
  const calendar = universityCalendar()
  const at = sql.ref(column)
  const since = from === undefined ? null : sql<boolean>`${at} >= ${calendar.startOfDay(from)}`
  const until = to === undefined ? null : sql<boolean>`${at} < ${calendar.boundsOfDay(to)[1]}`
  if (since && until) return sql<boolean>`(${since} AND ${until})`
  return since ?? until ?? sql<boolean>`true`
}
