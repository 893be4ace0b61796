import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import { retryTransaction } from './with-patience.ts'

/** Lowest similarity, in percent, at which two verified schools become a candidate pair. */
const minPercent = 60
/** Lower for proposed schools, because staff review them anyway. */
const minPercentProposed = 45
/** Percent when only the number agrees (SMAN 5, SMAN 5 Sby): strong for state schools, weak for others. */
const percentByNumber = { state: 80, other: 50 }
/** Percent subtracted when the districts differ. */
const districtPercent = 25

/**
 * Compares up to `most` new or changed schools with those of the same city, level and number, and stores similar pairs.
 * Pairs staff dismissed stay dismissed. Processes may run in parallel: `SKIP LOCKED` gives each its own schools.
 */
export async function compareSome(db: Db, limit: number): Promise<number> {
  return retryTransaction(db, async (tx) => {
    const { rows } = await sql<{ schoolId: string }>`
      DELETE FROM school_waiting WHERE school_id IN (
        SELECT school_id FROM school_waiting ORDER BY school_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING school_id`.execute(tx)
    const ids = rows.map(({ schoolId }) => schoolId)
    if (ids.length === 0) return 0
    await sql`
      INSERT INTO school_names (school_id, city_id, level, state, numbers, core)
      SELECT s.id, s.city_id, p.level, p.state, p.numbers, p.core
      FROM schools s JOIN cities c ON c.id = s.city_id JOIN school_types t ON t.id = s.school_type_id
      CROSS JOIN LATERAL school_name_parts(s.name, c.name, t.code) p
      WHERE s.id = ANY(${ids}::uuid[])
      ON CONFLICT (school_id) DO UPDATE SET city_id = excluded.city_id, level = excluded.level, state = excluded.state,
        numbers = excluded.numbers, core = excluded.core`.execute(tx)
    await sql`
      DELETE FROM school_pairs WHERE NOT dismissed
        AND (low_id = ANY(${ids}::uuid[]) OR high_id = ANY(${ids}::uuid[]))`.execute(tx)
    await sql`
      INSERT INTO school_pairs (low_id, high_id, city_id, similarity)
      SELECT DISTINCT ON (low, high) low, high, city_id, likeness FROM (SELECT low, high, city_id, verified,
        likeness - CASE WHEN apart THEN ${sql.lit(districtPercent)} ELSE 0 END AS likeness FROM (
        SELECT least(a.school_id, b.school_id) AS low, greatest(a.school_id, b.school_id) AS high, a.city_id,
          CASE WHEN a.core = b.core THEN 100
            WHEN NOT (sa.verified AND sb.verified) AND a.numbers <> '' AND '' IN (a.core, b.core)
              THEN greatest(CASE WHEN a.state = 'n' AND b.state = 'n' THEN ${sql.lit(percentByNumber.state)}
                ELSE ${sql.lit(percentByNumber.other)} END, round(100 * similarity(a.core, b.core))::int)
            ELSE round(100 * similarity(a.core, b.core))::int END AS likeness,
          sa.verified AND sb.verified AS verified, sa.district_id <> sb.district_id AS apart
        FROM school_names a
        JOIN school_names b ON b.city_id = a.city_id AND b.level = a.level AND b.numbers = a.numbers
          AND b.school_id <> a.school_id AND (a.state = '' OR b.state = '' OR a.state = b.state)
        JOIN schools sa ON sa.id = a.school_id
        JOIN schools sb ON sb.id = b.school_id
        WHERE a.school_id = ANY(${ids}::uuid[])
      ) compared) ranked
      WHERE likeness >= CASE WHEN verified THEN ${sql.lit(minPercent)} ELSE ${sql.lit(minPercentProposed)} END
      ON CONFLICT (low_id, high_id) DO UPDATE SET similarity = excluded.similarity, city_id = excluded.city_id`.execute(
      tx,
    )
    return ids.length
  })
}

export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM school_waiting`.execute(db)
  return theOnly(rows).count
}
