import { sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import { nounOf as rowsNoun } from '#server/resource/users.ts'

/** A foreign key to schools: its table and column, the table's primary key, and whether a unique index includes it. */
export type Pointer = { table: string; column: string; keys: string[]; unique: boolean }

/** Tables that triggers derive from schools; their rows follow their school. */
const derived = ['school_search', 'school_names', 'school_waiting', 'school_pairs']

/** Finds every foreign key to schools in the catalogue, so that later tables are included. */
export async function pointersToSchools(db: Db): Promise<Pointer[]> {
  const { rows } = await sql<Pointer>`
    SELECT c.conrelid::regclass::text AS "table", a.attname AS "column",
      ARRAY(SELECT k.attname::text FROM pg_index i JOIN pg_attribute k ON k.attrelid = i.indrelid AND k.attnum = ANY(i.indkey)
        WHERE i.indrelid = c.conrelid AND i.indisprimary ORDER BY k.attnum) AS keys,
      EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND (i.indisunique OR i.indisexclusion)
        AND (a.attnum = ANY(i.indkey) OR i.indpred IS NOT NULL OR i.indexprs IS NOT NULL)) AS "unique"
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'schools'::regclass AND NOT c.conrelid::regclass::text = ANY(${derived})
    ORDER BY 1, 2`.execute(db)
  return rows
}

/** Noun for rows of a table: `school agreements`, `applicants`. */
export const nounOf = (table: string, count: number, language: Language) =>
  table === 'school_aliases' ? sentences(language)('schools:aliases') : rowsNoun(table, count, language)

/** Counts the rows that refer to each school, by noun. */
export async function referencesOf(db: Db, ids: readonly string[], language: Language) {
  const pointers = (await pointersToSchools(db)).filter(({ table }) => table !== 'school_aliases')
  const found = new Map<string, { what: string; count: number }[]>()
  if (pointers.length === 0) return found
  const counts = pointers.map(
    ({ table, column }) => sql`
      SELECT w.id, ${table} AS "table", (SELECT count(*)::int FROM ${sql.table(table)} u WHERE u.${sql.ref(column)} = w.id) AS count
      FROM unnest(${ids}::uuid[]) AS w (id)`,
  )
  const { rows } = await sql<{ id: string; table: string; count: number }>`
    SELECT * FROM (${sql.join(counts, sql` UNION ALL `)}) counted WHERE count > 0`.execute(db)
  for (const { id, table, count } of rows)
    found.set(id, [...(found.get(id) ?? []), { what: nounOf(table, count, language), count }])
  return found
}
