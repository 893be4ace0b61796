import { sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Where codes live on that rows had before they were merged into others, by entity. */
const tables: Record<string, { table: string; code: string; row: string }> = {
  'sma-nama': { table: 'school_aliases', code: 'npsn', row: 'school_id' },
}

/** Of these codes in lower case, those a row of the entity had before it was merged into another, with the id of that one. */
export async function formerCodes(db: Db, entity: Entity, codes: readonly string[]): Promise<Map<string, string>> {
  const place = tables[entity.slug]
  if (!place || codes.length === 0) return new Map()
  const code = sql`lower(${sql.ref(place.code)})`
  const { rows } = await sql<{ code: string; id: string }>`
    SELECT ${code} AS code, ${sql.ref(place.row)}::text AS id FROM ${sql.table(place.table)}
    WHERE ${code} = ANY(${codes})`.execute(db)
  return new Map(rows.map((row) => [row.code, row.id]))
}
