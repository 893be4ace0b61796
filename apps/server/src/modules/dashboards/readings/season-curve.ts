import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { CardContent } from '#domain/dashboards/endpoints.ts'
import { daysBetween } from '#domain/days.ts'
import type { CardQuestion } from '#server/modules/dashboards/card.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'

/** Points of the curve; a longer season is drawn by every second day, every third, and so on. */
const mostPoints = 60

type Found = { thisYear: boolean; day: string; count: number }

/**
 * Submitted registrations of this season and the one before, added up day by day; the earlier season is moved so that both
 * begin on the same day.
 */
export async function seasonCurve({
  services: { db },
  actor,
  at,
}: CardQuestion): Promise<Partial<Pick<CardContent, 'days' | 'curves' | 'notes'>>> {
  const calendar = universityCalendar()
  const dayOf = (time: ReturnType<typeof sql>) => sql`(${time} AT TIME ZONE ${calendar.timeZone})::date`
  const { rows } = await sql<Found>`
    WITH years AS (
      SELECT academic_year AS year, min(opens_at) AS opens, row_number() OVER (ORDER BY academic_year DESC) AS back
      FROM waves WHERE opens_at <= ${at} GROUP BY 1),
    seasons AS (
      SELECT w.id AS wave_id, y.back = 1 AS this_year,
        (SELECT ${dayOf(sql`opens`)} FROM years WHERE back = 1) - ${dayOf(sql`y.opens`)} AS shift
      FROM years y JOIN waves w ON w.academic_year = y.year WHERE y.back <= 2)
    SELECT s.this_year, to_char(${dayOf(sql`r.submitted_at`)} + s.shift, 'YYYY-MM-DD') AS day, count(*)::int AS count
    FROM registrations r JOIN seasons s ON s.wave_id = r.wave_id
    WHERE r.submitted_at <= ${at} AND ${visibleTo(actor)} GROUP BY 1, 2 ORDER BY 2`.execute(db)
  const today = calendar.dayOf(at)
  const all = daysBetween(rows[0]?.day ?? today, today)
  const every = Math.ceil(all.length / mostPoints)
  const days = all.filter((_, index) => (all.length - 1 - index) % every === 0)
  const sumsOf = (thisYear: boolean) => {
    const ofSeason = rows.filter((row) => row.thisYear === thisYear)
    let [index, sum] = [0, 0]
    return days.map((day) => {
      for (; index < ofSeason.length && ofSeason[index]!.day <= day; index++) sum += ofSeason[index]!.count
      return sum
    })
  }
  if (days.length < 2) return {}
  const hasHistory = rows.some(({ thisYear }) => !thisYear)
  return {
    days,
    curves: [
      { key: 'thisSeason', kind: 'count', values: sumsOf(true) },
      ...(hasHistory ? [{ key: 'lastSeason', kind: 'count' as const, values: sumsOf(false) }] : []),
    ],
    ...(!hasHistory && { notes: ['noHistory'] }),
  }
}
