import { sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Language } from '#entities/define/language.ts'
import { findEntityOfTable } from '#entities/index.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'

/** Counting stops here, because any number blocks the deletion. */
const maxCounted = 1000

/** Foreign keys that block the deletion of rows of these tables, with their table and column. */
export const pointersTo = async (db: Db, tables: readonly string[]) =>
  (
    await sql<{ table: string; column: string; target: string }>`
    SELECT c.conrelid::regclass::text AS "table", a.attname AS "column", c.confrelid::regclass::text AS target
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confdeltype IN ('a', 'r') AND c.confrelid = ANY(${tables}::text[]::regclass[])
    ORDER BY 1, 2`.execute(db)
  ).rows

/** Rows that refer to each of the rows, as text: `12 registrations, 3 bills`. */
export async function usersOf(db: Db, entity: Entity, ids: readonly string[], language: Language) {
  const pointers = await pointersTo(db, [entity.table])
  const users = new Map<string, string>()
  if (pointers.length === 0) return users
  const counts = pointers.map(
    ({ table, column }) => sql`
      SELECT w.id::text AS id, ${table} AS "table", (SELECT count(*)::int FROM (
        SELECT 1 FROM ${sql.table(table)} u WHERE u.${sql.ref(column)} = w.id LIMIT ${maxCounted}) used) AS count
      FROM unnest(${ids}::uuid[]) AS w (id)`,
  )
  const { rows } = await sql<{ id: string; table: string; count: number }>`
    SELECT * FROM (${sql.join(counts, sql` UNION ALL `)}) counted WHERE count > 0`.execute(db)
  for (const [id, countsOfRow] of Map.groupBy(rows, (row) => row.id)) {
    const phrases = [...Map.groupBy(countsOfRow, ({ table }) => table)].map(([table, countsOfTable]) => {
      const count = countsOfTable.reduce((sum, row) => sum + row.count, 0)
      return `${count >= maxCounted ? `${maxCounted}+` : count} ${nounOf(table, count, language)}`
    })
    users.set(id, phrases.join(', '))
  }
  return users
}

/** Noun for rows of a table; a joining table gets the noun of the entity that owns it. */
export const nounOf = (table: string, count: number, language: Language) =>
  findEntityOfTable(table)?.label[count === 1 ? 'one' : 'many'][language].toLowerCase() ??
  sentences(language)(`resource:usedBy.${table}`, { count, defaultValue: table })
