import { sql } from 'kysely'
import type { Sql } from '#server/modules/reports/report.ts'
import type { Db } from '#server/platform/database/database.ts'

/** This year's waves and test sessions by the ids of their counterparts of the year before. */
export type Counterparts = Record<string, { id: string; label: string }>

/** A label followed by its time: `Sesi 2 · 2026-11-23T08:00`. */
export const withTime = (label: Sql, at: Sql) => sql`${label} || ' · ' || to_char(${at}, 'YYYY-MM-DD"T"HH24:MI')`

/** Waves of academic years with their place in the year: the wave that opens first has place 1. */
export const wavesInOrder = (...years: string[]) => sql`
  SELECT id, academic_year AS year, name, closes_at,
    row_number() OVER (PARTITION BY academic_year ORDER BY opens_at, code)::int AS place
  FROM waves WHERE academic_year IN (${sql.join(years)})`

/** Pairs waves of two years by their place in the year, and test sessions by their place in the wave. */
export async function readCounterparts(db: Db, year: string, yearBefore: string): Promise<Counterparts> {
  const { rows } = await sql<{ before: string; id: string; label: string }>`
    WITH placed AS (${wavesInOrder(year, yearBefore)}), sat AS (
      SELECT ts.id, p.year, p.place AS wave, ${withTime(sql`ts.name`, sql`ts.date + ts.start_time`)} AS label,
        row_number() OVER (PARTITION BY p.id ORDER BY ts.date, ts.start_time, ts.name, ts.id) AS place
      FROM placed p JOIN test_sessions ts ON ts.wave_id = p.id)
    SELECT b.id AS before, n.id, n.name AS label FROM placed n JOIN placed b USING (place)
    WHERE n.year = ${year} AND b.year = ${yearBefore}
    UNION ALL
    SELECT b.id, n.id, n.label FROM sat n JOIN sat b USING (wave, place) WHERE n.year = ${year} AND b.year = ${yearBefore}`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ before, ...counterpart }) => [before, counterpart]))
}
