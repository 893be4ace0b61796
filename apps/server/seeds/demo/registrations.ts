import fs from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'

const script = new URL('registrations.sql', import.meta.url)

/** Tables with many indexes that neither the script nor a trigger searches by. */
const indexedTables = ['accounts', 'applicants', 'bills', 'documents', 'messages', 'payments', 'registrations']
const filledTables = [
  ...indexedTables,
  ...['registration_choices', 'registration_steps', 'bill_lines', 'installments', 'virtual_accounts', 'allocations'],
  ...['payment_sightings', 'students', 'test_scores', 'test_seats'],
]

type Fill = {
  from: number
  count: number
  now: Date
  passwordHash: string
  /** Rows between two reports of progress, and from which on it pays to build indexes anew. */
  batchRows?: number
  onProgress?: (lastNumber: number) => void
}

/**
 * Adds `count` invented applicants from number `from` on, in every status, in one transaction; skips numbers that exist
 * already.
 */
export async function fillRegistrations(
  db: Db,
  { from, count, batchRows = 20_000, onProgress, ...values }: Fill,
): Promise<void> {
  const text = await fs.readFile(script, 'utf8')
  const end = from + count
  await db.transaction().execute(async (tx) => {
    // Whole tables are indexed and checked several times faster than row by row; a failure brings all of it back.
    const definitions = count > batchRows ? [...(await dropIndexes(tx)), ...(await dropForeignKeys(tx))] : []
    for (let first = from; first < end; first += batchRows) {
      await addBatch(tx, text, { ...values, from: first, count: Math.min(batchRows, end - first) })
      onProgress?.(Math.min(first + batchRows, end) - 1)
    }
    for (const definition of definitions) await sql.raw(definition).execute(tx)
  })
}

async function addBatch(
  tx: Tx,
  text: string,
  { from, count, now, passwordHash }: Omit<Fill, 'batchRows' | 'onProgress'>,
) {
  const settings = { from, count, now: now.toISOString(), password_hash: passwordHash }
  for (const [name, value] of Object.entries(settings))
    await sql`SELECT set_config(${`pmb.${name}`}, ${String(value)}, true)`.execute(tx)
  for (const statement of text.split(/;\s*$/m)) if (statement.trim()) await sql.raw(statement).execute(tx)
  // An index cannot be built on a table whose deferred checks are still to run.
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx)
  await sql`SET CONSTRAINTS ALL DEFERRED`.execute(tx)
}

/** Drops the indexes that hold no rule and returns the statements that create them. */
async function dropIndexes(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i WHERE NOT i.indisunique AND i.indrelid::regclass::text = ANY(${indexedTables})`.execute(tx)
  for (const { name } of rows) await sql`DROP INDEX ${sql.raw(name)}`.execute(tx)
  await sql`SET LOCAL maintenance_work_mem = '256MB'`.execute(tx)
  return rows.map(({ definition }) => definition)
}

/** Drops the foreign keys of the filled tables and returns the statements that create and check them. */
async function dropForeignKeys(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ tableName: string; name: string; definition: string }>`
    SELECT conrelid::regclass::text AS table_name, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY(${filledTables})`.execute(tx)
  for (const { tableName, name } of rows) await sql.raw(`ALTER TABLE ${tableName} DROP CONSTRAINT ${name}`).execute(tx)
  return rows.map(({ tableName, name, definition }) => `ALTER TABLE ${tableName} ADD CONSTRAINT ${name} ${definition}`)
}
