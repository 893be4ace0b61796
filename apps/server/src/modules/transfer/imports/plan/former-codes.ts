import { sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Tables with codes of merged rows, by entity. */
const tables: Record<string, { table: string; code: string; row: string }> = {
  'sma-nama': { table: 'school_aliases', code: 'npsn', row: 'school_id' },
}

/** Finds which of these codes, in lower case, belonged to merged rows; returns the remaining row's id by code. */
export async function findFormerCodes(db: Db, entity: Entity, codes: readonly string[]): Promise<Map<string, string>> {
  const source = tables[entity.slug]
  if (!source || codes.length === 0) return new Map()
  const code = sql`lower(${sql.ref(source.code)})`
  const { rows } = await sql<{ code: string; id: string }>`
    SELECT ${code} AS code, ${sql.ref(source.row)}::text AS id FROM ${sql.table(source.table)}
    WHERE ${code} = ANY(${codes})`.execute(db)
  return new Map(rows.map((row) => [row.code, row.id]))
}
