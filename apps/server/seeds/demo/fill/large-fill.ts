import fs from 'node:fs/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

const brokenRows = new URL('broken-rows.sql', import.meta.url)

const filledTables = [
  ...['accounts', 'account_visits', 'applicants', 'registrations', 'registration_choices', 'registration_steps'],
  ...['documents', 'bills', 'bill_lines', 'installments', 'virtual_accounts', 'payments', 'payment_sightings'],
  ...['allocations', 'students', 'test_scores', 'test_seats', 'messages'],
]

/** Tables that rows.sql searches by primary key. */
const searchedTables = ['accounts', 'registrations']

/**
 * Triggers whose work rows.sql does itself, and whose rules broken-rows.sql checks. Triggers not listed here stay
 * enabled.
 */
const replacedTriggers = [
  ...['accounts_visits', 'applicants_follow_school', 'registrations_fill_search', 'bills_keep_issued_total'],
  ...['payments_complete', 'payments_received'],
  ...['payments_sum_new', 'bills_sum_new', 'installments_sum_new', 'allocations_sum'],
  'allocations_commission',
  // fill_report_facts() adds the facts of reports at the end of a fill.
  ...['registrations_new_facts', 'registrations_keep_facts', 'applicants_keep_facts', 'students_keep_facts'],
  ...['bills_new_facts', 'bills_keep_facts', 'installments_new_facts', 'installments_keep_facts'],
  ...['bill_lines_keep_facts', 'allocations_keep_facts', 'refunds_keep_facts', 'payments_new_facts'],
  'payments_keep_facts',
]

const isOf =
  (tables: readonly string[]) =>
  (column: 'conrelid' | 'confrelid' | 'indrelid' | 'tgrelid'): RawBuilder<unknown> =>
    sql`${sql.ref(column)} = ANY(${[...tables]}::regclass[])`
const isFilled = isOf(filledTables)

/**
 * Runs `work` while the tables have no foreign keys and no indexes except those of keys; their rows are checked all at
 * once afterwards.
 */
export async function withoutIndexes(tx: Tx, tables: readonly string[], work: () => Promise<unknown>): Promise<void> {
  const isGiven = isOf(tables)
  const foreignKeys = await dropConstraints(tx, sql`contype = 'f' AND ${isGiven('conrelid')}`)
  const indexes = await dropIndexes(tx, isGiven('indrelid'))
  await work()
  await sql.raw([...indexes, ...foreignKeys].join(';\n')).execute(tx)
}

/**
 * Disables triggers and drops indexes, keys and foreign keys, because indexing and checking whole tables is several
 * times faster than row by row. Returns the statements that restore all of it; a rollback restores it too.
 */
export async function suspendRules(tx: Tx): Promise<string[]> {
  await sql`SET LOCAL maintenance_work_mem = '256MB'`.execute(tx)
  await sql`SET LOCAL work_mem = '64MB'`.execute(tx)
  const triggers = await disableTriggers(tx)
  const foreignKeys = await dropConstraints(
    tx,
    sql`contype = 'f' AND (${isFilled('conrelid')} OR ${isFilled('confrelid')})`,
  )
  const keys = await dropConstraints(
    tx,
    sql`${isFilled('conrelid')} AND (contype = 'u' OR contype = 'p' AND conrelid <> ALL(${searchedTables}::regclass[]))`,
  )
  const indexes = await dropIndexes(tx, isFilled('indrelid'))
  return [...keys, ...indexes, ...foreignKeys, ...triggers]
}

/** Throws if a row of this transaction breaks a rule that a replaced trigger guards. */
export async function refuseBrokenRows(tx: Tx): Promise<void> {
  const text = await fs.readFile(brokenRows, 'utf8')
  const { rows } = await sql.raw<{ rule: string; count: number; example: string }>(text).execute(tx)
  const sentences = rows.map(({ rule, count, example }) => `${rule} (${count}, for example ${example})`)
  if (rows.length > 0) throw new Error(`Invented rows break rules: ${sentences.join(', ')}`)
}

/**
 * Refreshes the planner's statistics, which the next query needs before autovacuum runs. Ten times fewer values than
 * usual describe the few rows of a demo, in half the time.
 */
export async function analyzeFilledTables(tx: Tx, { registrations }: { registrations: number }): Promise<void> {
  if (registrations < 20_000) await sql`SET LOCAL default_statistics_target = 10`.execute(tx)
  await sql.raw(`ANALYZE ${filledTables.join(', ')}`).execute(tx)
}

async function disableTriggers(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ tableName: string; name: string }>`
    SELECT tgrelid::regclass::text AS table_name, quote_ident(tgname) AS name FROM pg_trigger
    WHERE ${isFilled('tgrelid')} AND tgname = ANY(${replacedTriggers}) AND tgenabled = 'O'`.execute(tx)
  for (const { tableName, name } of rows) await sql.raw(`ALTER TABLE ${tableName} DISABLE TRIGGER ${name}`).execute(tx)
  return rows.map(({ tableName, name }) => `ALTER TABLE ${tableName} ENABLE TRIGGER ${name}`)
}

async function dropConstraints(tx: Tx, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ tableName: string; name: string; definition: string }>`
    SELECT conrelid::regclass::text AS table_name, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE ${condition} ORDER BY conrelid, conname`.execute(tx)
  for (const { tableName, name } of rows) await sql.raw(`ALTER TABLE ${tableName} DROP CONSTRAINT ${name}`).execute(tx)
  return rows.map(({ tableName, name, definition }) => `ALTER TABLE ${tableName} ADD CONSTRAINT ${name} ${definition}`)
}

/** Drops the filled tables' indexes that belong to no constraint; returns the statements that create them. */
async function dropIndexes(tx: Tx, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index i WHERE NOT indisprimary AND ${condition}
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`.execute(tx)
  for (const { name } of rows) await sql.raw(`DROP INDEX ${name}`).execute(tx)
  return rows.map(({ definition }) => definition)
}
