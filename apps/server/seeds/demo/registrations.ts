import fs from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { analyzeFilledTables, refuseBrokenRows, suspendRules } from './large-fill.ts'

const script = new URL('registrations.sql', import.meta.url)

type Fill = {
  from: number
  count: number
  now: Date
  passwordHash: string
  /** More rows than these are a large fill, which suspends the rules of whole tables. */
  batchRows?: number
  onProgress?: (lastNumber: number) => void
}

/** The parts in which a fill is written when they are larger than `batchRows`: each part searches whole tables. */
const maxBatches = 5

/**
 * Adds `count` invented applicants from number `from` on, in every status, in one transaction; skips numbers that exist
 * already.
 */
export const fillRegistrations = (db: Db, fill: Fill): Promise<void> =>
  db.transaction().execute((tx) => addRegistrations(tx, fill))

/** Does the work of `fillRegistrations` in a transaction of the caller. */
export async function addRegistrations(tx: Tx, { from, count, batchRows = 20_000, onProgress, ...values }: Fill) {
  const text = await fs.readFile(script, 'utf8')
  const end = from + count
  const isLarge = count > batchRows
  const step = Math.max(batchRows, Math.ceil(count / maxBatches))
  const suspended = isLarge ? await suspendRules(tx) : []
  await sql`SELECT set_config('pmb.triggers', ${isLarge ? 'off' : 'on'}, true)`.execute(tx)
  for (let first = from; first < end; first += step) {
    await addBatch(tx, text, { ...values, from: first, count: Math.min(step, end - first) })
    onProgress?.(Math.min(first + step, end) - 1)
  }
  if (!isLarge) return
  await refuseBrokenRows(tx)
  for (const statement of suspended) await sql.raw(statement).execute(tx)
  await analyzeFilledTables(tx)
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
