import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Number of the last invented applicant; the next fill continues after it. */
export async function lastDemoNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    SELECT coalesce(max(substring(code FROM 'D(\\d+)$')::int), 0) AS last FROM registrations
    WHERE code ~ '^\\d\\dG[12]D\\d+$'`.execute(db)
  return theOnly(rows).last
}
