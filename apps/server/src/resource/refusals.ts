import { sql } from 'kysely'
import { columnName, type Entity } from '#entities/define/entity.ts'
import { findEntityOfTable } from '#entities/index.ts'
import type { Locale } from '#locales/index.ts'
import type { Db } from '#server/platform/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import { sentences } from '#server/platform/text.ts'

const isGiven = (value: unknown) => value !== null && value !== undefined

/** Rules between fields of one row, from the declaration. */
export function checkInput(entity: Entity, input: Record<string, unknown>, language: Locale) {
  for (const [first, second] of entity.before ?? []) {
    const [from, to] = [input[first], input[second]]
    if (!isGiven(from) || !isGiven(to)) continue
    const field = entity.fields[second]!
    const wrong =
      field.kind === 'dateTime'
        ? Date.parse(from as string) >= Date.parse(to as string)
        : field.kind === 'date'
          ? (from as string) > (to as string)
          : (from as string) >= (to as string)
    if (wrong)
      throw invalid({ [second]: { code: 'must_be_after', params: { other: entity.fields[first]!.label[language] } } })
  }
  for (const group of entity.oneOf ?? []) {
    if (group.filter((key) => isGiven(input[key])).length === 1) continue
    const fields = group.map((key) => entity.fields[key]!.label[language]).join(', ')
    throw invalid(
      Object.fromEntries(group.map((key) => [key, { code: 'give_exactly_one' as const, params: { fields } }])),
    )
  }
}

type DatabaseRefusal = { code?: string; constraint?: string; table?: string }

const keyOfColumn = (entity: Entity, column: string) =>
  Object.keys(entity.fields).find((key) => columnName(key) === column)

/** Turns what PostgreSQL refused into a sentence beside the field, or into what still uses the row. */
export async function explainRefusal<T>(
  db: Db,
  entity: Entity,
  language: Locale,
  write: () => Promise<T>,
  removed?: string,
) {
  try {
    return await write()
  } catch (error) {
    const { code, constraint = '', table = '' } = error as DatabaseRefusal
    if (code === '23505') {
      const column = constraint.replace(`${entity.table}_`, '').replace(/_key$/, '')
      const field = keyOfColumn(entity, column)
      if (field) throw invalid({ [field]: 'already_exists' })
      const together = entity.uniqueTogether?.[0]?.find((key) => key !== entity.parent?.field)
      throw together ? invalid({ [together]: 'combination_exists' }) : error
    }
    // Newer servers (18) tell RESTRICT apart by a code of its own.
    if ((code === '23503' || code === '23001') && removed)
      throw conflict('in_use_by', await usersOf(db, table, constraint, removed, language))
    if (code === '23503') {
      const field = keyOfColumn(entity, constraint.replace(`${entity.table}_`, '').replace(/_fkey$/, ''))
      if (field) throw invalid({ [field]: 'not_found' })
      const joined = Object.entries(entity.fields).find(([, other]) => other.kind === 'multiReference')
      throw joined ? invalid({ [joined[0]]: 'not_found' }) : error
    }
    if (code === '23514' && constraint === 'installment_terms_shares')
      throw invalid({ shareBps: 'shares_exceed_whole' })
    throw error
  }
}

/** Names and counts the rows that still point to the one somebody wanted to delete. */
async function usersOf(db: Db, table: string, constraint: string, id: string, language: Locale) {
  const { rows } = await sql<{ column: string }>`
    SELECT a.attname AS "column" FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.conname = ${constraint} AND c.conrelid = ${table}::regclass`.execute(db)
  const counted = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (SELECT 1 FROM ${sql.table(table)} WHERE ${sql.ref(rows[0]!.column)} = ${id} LIMIT 1000) used`.execute(
    db,
  )
  const user = findEntityOfTable(table)
  const what = user
    ? user.label[counted.rows[0]!.count === 1 ? 'one' : 'many'][language].toLowerCase()
    : sentences(language)(`resource:usedBy.${table}`)
  return { what, count: counted.rows[0]!.count }
}
