import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Pointer } from './references.ts'

/** Rows that pointed to the school `from`, by their primary keys, and those that went because they would stand there twice. */
export type Moved = Omit<Pointer, 'unique'> & {
  from: string
  rows: unknown[][]
  dropped: Record<string, unknown>[]
}

const keyOf = (keys: readonly string[]) =>
  sql`jsonb_build_array(${sql.join(keys.map((key) => sql`u.${sql.ref(key)}`))})`
/** A unique index or an exclusion constraint holds a row like it already. */
const isUnique = (error: unknown) => ['23505', '23P01'].includes((error as { code?: string }).code ?? '')

/** Points every row of one foreign key from a school to another. A row the other school has already is taken away. */
export async function moveReferences(tx: Db, pointer: Pointer, from: string, to: string): Promise<Moved> {
  const { table, column, keys, unique } = pointer
  const moved: Moved = { table, column, keys, from, rows: [], dropped: [] }
  const target = sql`${sql.table(table)} u`
  const own = sql.ref(column)
  if (!unique) {
    const { rows } = await sql<{ key: unknown[] }>`
      UPDATE ${target} SET ${own} = ${to} WHERE u.${own} = ${from} RETURNING ${keyOf(keys)} AS key`.execute(tx)
    return { ...moved, rows: rows.map(({ key }) => key) }
  }
  const clash = await tryAll(tx, pointer, from, to, moved)
  if (!clash) return moved
  // One of them stands there already: one row after the other, so that only those go.
  const { rows } = await sql<{ place: string }>`
    SELECT u.ctid::text AS place FROM ${target} WHERE u.${own} = ${from} FOR UPDATE`.execute(tx)
  for (const { place } of rows) {
    const here = sql`u.ctid = ${place}::tid`
    await sql`SAVEPOINT one_row`.execute(tx)
    try {
      const done = await sql<{ key: unknown[] }>`
        UPDATE ${target} SET ${own} = ${to} WHERE ${here} RETURNING ${keyOf(keys)} AS key`.execute(tx)
      moved.rows.push(...done.rows.map(({ key }) => key))
    } catch (error) {
      if (!isUnique(error)) throw error
      await sql`ROLLBACK TO SAVEPOINT one_row`.execute(tx)
      const gone = await sql<{ row: Record<string, unknown> }>`
        DELETE FROM ${target} WHERE ${here} RETURNING to_jsonb(u) AS row`.execute(tx)
      moved.dropped.push(...gone.rows.map(({ row }) => row))
    }
    await sql`RELEASE SAVEPOINT one_row`.execute(tx)
  }
  return moved
}

/** All rows in one statement; whether one of them could not be moved. */
async function tryAll(tx: Db, { table, column, keys }: Pointer, from: string, to: string, moved: Moved) {
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
