import { sql } from 'kysely'
import type { BriefSchool } from '#domain/schools/endpoints.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Columns of a school `s` and names of its references; join with `briefJoins`. */
export const briefColumns = sql`s.id, s.npsn, s.name, s.school_type_id, t.name AS school_type, s.status, s.city_id,
  c.name AS city, s.district_id, d.name AS district, s.address, s.verified, s.active, s.version`
export const briefJoins = sql`JOIN school_types t ON t.id = s.school_type_id JOIN cities c ON c.id = s.city_id
  LEFT JOIN districts d ON d.id = s.district_id`

/** Loads schools by id, with the names of their references. */
export async function briefSchools(db: Db, ids: readonly string[]): Promise<Map<string, BriefSchool>> {
  const { rows } = await sql<BriefSchool>`
    SELECT ${briefColumns} FROM schools s ${briefJoins} WHERE s.id = ANY(${[...new Set(ids)]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
