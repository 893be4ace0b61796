import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Pointer } from './references.ts'

/** Rows that referred to the school `from`, by primary key, and rows deleted because an equal one exists. */
export type Moved = Omit<Pointer, 'unique'> & {
  from: string
  rows: unknown[][]
  dropped: Record<string, unknown>[]
}

const keyOf = (keys: readonly string[]) =>
  sql`jsonb_build_array(${sql.join(keys.map((key) => sql`u.${sql.ref(key)}`))})`
/** True for a unique or exclusion violation: an equal row exists. */
const isUnique = (error: unknown) => ['23505', '23P01'].includes((error as { code?: string }).code ?? '')

/** Points every row of a foreign key from one school to another; deletes rows the other school already has. */
export async function moveReferences(tx: Db, pointer: Pointer, from: string, to: string): Promise<Moved> {
  const { table, column, keys, unique } = pointer
  const moved: Moved = { table, column, keys, from, rows: [], dropped: [] }
  const target = sql`${sql.table(table)} u`
  const schoolColumn = sql.ref(column)
  if (!unique) {
    const { rows } = await sql<{ key: unknown[] }>`
      UPDATE ${target} SET ${schoolColumn} = ${to} WHERE u.${schoolColumn} = ${from} RETURNING ${keyOf(keys)} AS key`.execute(
      tx,
    )
    return { ...moved, rows: rows.map(({ key }) => key) }
  }
  const conflicts = await tryMoveAll(tx, pointer, from, to, moved)
  if (!conflicts) return moved
  // An equal row exists, so rows are moved one by one and only duplicates are deleted.
  const { rows } = await sql<{ place: string }>`
    SELECT u.ctid::text AS place FROM ${target} WHERE u.${schoolColumn} = ${from} FOR UPDATE`.execute(tx)
  for (const { place } of rows) {
    const thisRow = sql`u.ctid = ${place}::tid`
    await sql`SAVEPOINT one_row`.execute(tx)
    try {
      const updated = await sql<{ key: unknown[] }>`
        UPDATE ${target} SET ${schoolColumn} = ${to} WHERE ${thisRow} RETURNING ${keyOf(keys)} AS key`.execute(tx)
      moved.rows.push(...updated.rows.map(({ key }) => key))
    } catch (error) {
      if (!isUnique(error)) throw error
      await sql`ROLLBACK TO SAVEPOINT one_row`.execute(tx)
      const deleted = await sql<{ row: Record<string, unknown> }>`
        DELETE FROM ${target} WHERE ${thisRow} RETURNING to_jsonb(u) AS row`.execute(tx)
      moved.dropped.push(...deleted.rows.map(({ row }) => row))
    }
    await sql`RELEASE SAVEPOINT one_row`.execute(tx)
  }
  return moved
}

/** Moves all rows in one statement; returns true if a row conflicts. */
async function tryMoveAll(tx: Db, { table, column, keys }: Pointer, from: string, to: string, moved: Moved) {
  await sql`SAVEPOINT all_rows`.execute(tx)
  try {
    const { rows } = await sql<{ key: unknown[] }>`
      UPDATE ${sql.table(table)} u SET ${sql.ref(column)} = ${to} WHERE u.${sql.ref(column)} = ${from}
      RETURNING ${keyOf(keys)} AS key`.execute(tx)
    moved.rows = rows.map(({ key }) => key)
    await sql`RELEASE SAVEPOINT all_rows`.execute(tx)
    return false
  } catch (error) {
    if (!isUnique(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT all_rows`.execute(tx)
    await sql`RELEASE SAVEPOINT all_rows`.execute(tx)
    return true
  }
}
