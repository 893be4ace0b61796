import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSeasons } from '#seeds/demo/seasons/prepare-seasons.ts'
import { demoPassword, wavesAround } from '#seeds/demo/university.ts'
import { runSeeds } from '#seeds/run-seeds.ts'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { refuseBrokenRows, suspendRules } from './large-fill.ts'
import { addSeasons, batchesOf, type SeasonFill } from './registrations.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await runSeeds({ ...t.services, db: t.owner }, 'reference')
  await runSeeds({ ...t.services, db: t.owner }, 'demo')
}, 240_000)
afterAll(() => t.close())

/** Every index, constraint and trigger, as PostgreSQL prints it. */
async function rulesOfTables() {
  const { rows } = await sql<{ definition: string }>`
    SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint
    UNION ALL SELECT tgenabled::text || ' ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`.execute(
    t.owner,
  )
  return rows.map(({ definition }) => definition)
}

const countOf = async (table: string) =>
  (await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql.table(table)}`.execute(t.owner)).rows[0]!.count

const fill = (tx: Tx, { slots, ...options }: Pick<SeasonFill, 'slots'> & Partial<SeasonFill>) =>
  addSeasons(tx, { slots, now: t.clock.now(), passwordHash: demoPassword, ...options })

const fillInBatches = (from: number, onProgress = (_lastNumber: number) => {}) =>
  t.owner.transaction().execute(async (tx) => {
    await prepareSeasons(tx, 2)
    await fill(tx, { slots: [{ code: 'G1', from, count: 7 }], batchRows: 3, onProgress })
  })

test('every registration has its steps in order, and none in the future', async () => {
  const steps = ['created_at', 'submitted_at', 'paid_at', 'verified_at', 'decided_at', 'confirmed_at', 'enrolled_at']
  const isAfterNext = steps.slice(1).map((step, n) => sql`${sql.ref(steps[n]!)} > ${sql.ref(step)}`)
  const last = sql`greatest(${sql.join([...steps, 'closed_at'].map((step) => sql.ref(step)))})`
  const { rows } = await sql`SELECT code FROM registrations
    WHERE ${last} > ${t.clock.now()} OR ${sql.join(isAfterNext, sql` OR `)}`.execute(t.owner)
  expect(rows).toEqual([])
})

test('a large fill adds every batch and leaves each index, constraint and trigger as it was', async () => {
  const before = { rules: await rulesOfTables(), registrations: await countOf('registrations') }
  const reported: number[] = []
  await fillInBatches(900_001, (lastNumber) => reported.push(lastNumber))
  expect(reported).toEqual([900_003, 900_006, 900_007])
  expect(await countOf('registrations')).toBe(before.registrations + 7)
  expect(await rulesOfTables()).toEqual(before.rules)
})

test('an interrupted fill leaves neither rows nor a missing index or trigger', async () => {
  const before = { rules: await rulesOfTables(), registrations: await countOf('registrations') }
  const interrupted = fillInBatches(900_101, (lastNumber) => {
    if (lastNumber === 900_106) throw new Error('interrupted')
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect(await countOf('registrations')).toBe(before.registrations)
  expect(await rulesOfTables()).toEqual(before.rules)
})

/** Runs `work` in a transaction that is rolled back, so that the next `work` starts from the same database. */
async function tryOut<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await t.owner.startTransaction().execute()
  try {
    return await work(tx)
  } finally {
    await tx.rollback().execute()
  }
}

/** Rows written by this transaction, by table, without columns that default to the time or a random value. */
async function writtenRows(tx: Tx) {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_identity = 'NO'
      AND coalesce(column_default, '') !~ 'now\\(\\)|random'
      AND (table_name, column_name) <> ('student_changes', 'changed_at') GROUP BY 1 ORDER BY 1`.execute(tx)
  const written: Record<string, string[]> = {}
  for (const { name, columns } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(own)::text AS row FROM (SELECT ${sql.join(columns.map((column) => sql.ref(column)))}
        FROM ${sql.table(name)} WHERE xmin = pg_current_xact_id()::xid) own ORDER BY 1`.execute(tx)
    if (rows.length > 0) written[name] = rows.map(({ row }) => row)
  }
  return written
}

/** A slot of last year's first wave. */
const lastYear = (from: number, count: number) => {
  const year = wavesAround(t.clock.now())[0].academicYear
  return { code: `G1-${String(Number(year.slice(2, 4)) - 1).padStart(2, '0')}`, from, count }
}

test('a large fill writes the same rows as small fills, whose triggers run', async () => {
  const slots = batchesOf([{ code: 'G1', from: 999_781, count: 200 }, lastYear(999_981, 100)], 150)
  const settings = { now: t.clock.now(), detailed: true }
  const large = await tryOut(async (tx) => {
    await prepareSeasons(tx, 2)
    await fill(tx, { ...settings, slots: slots.flat(), batchRows: 150, isLarge: true })
    return writtenRows(tx)
  })
  const small = await tryOut(async (tx) => {
    await prepareSeasons(tx, 2)
    for (const batch of slots) await fill(tx, { ...settings, slots: batch, isLarge: false })
    return writtenRows(tx)
  })
  expect(Object.keys(large)).toEqual(
    expect.arrayContaining([
      'account_visits',
      'allocations',
      'commission_due',
      'discount_uses',
      'students',
      'test_scores',
    ]),
  )
  expect(large).toEqual(small)
})

test('a large fill refuses rows that break a rule of a disabled trigger', async () => {
  const refused = tryOut(async (tx) => {
    await suspendRules(tx)
    for (const statement of [
      'UPDATE accounts SET name = name',
      'DELETE FROM account_visits',
      "UPDATE registrations SET search_text = search_text || '!'",
      'UPDATE bills SET issued_total = total + 1',
      'UPDATE installments SET paid = paid',
      'UPDATE payments SET bill_id = NULL',
      'UPDATE virtual_accounts SET received = received + 1',
      `INSERT INTO allocations (payment_id, bill_id, installment_id, amount, created_at)
        SELECT payment_id, bill_id, installment_id, 1, created_at FROM allocations`,
      "UPDATE registrations SET referral_code = 'CONTOH26'",
      'DELETE FROM commission_due',
    ])
      await sql.raw(statement).execute(tx)
    await refuseBrokenRows(tx)
  })
  const rules = [
    'accounts_visits',
    'allocations_commission',
    'bills_keep_issued_total',
    'bills_sum_new',
    'installments_sum_new',
    'payments_complete',
  ]
  const all = [...rules, 'payments_received', 'payments_sum_new', 'registrations_fill_search']
  await expect(refused).rejects.toThrow(new RegExp(all.map((rule) => `${rule} .*`).join('')))
})

test('numbers of seven digits give unique codes, bills, transfer numbers and student numbers', async () => {
  await t.owner.transaction().execute(async (tx) => {
    await prepareSeasons(tx, 2)
    await fill(tx, { slots: [lastYear(999_971, 60)], batchRows: 30 })
  })
  const { rows } = await sql<{ code: string; bill: string | null; number: string | null; npm: string | null }>`
    SELECT r.code, b.number AS bill, v.number, s.npm FROM registrations r
    LEFT JOIN bills b ON b.registration_id = r.id AND b.kind = 'registration_fee'
    LEFT JOIN virtual_accounts v ON v.bill_id = b.id LEFT JOIN students s ON s.registration_id = r.id
    WHERE r.code ~ 'D(9999[789]|1000)' AND right(r.code, 7) ~ '^[D1]'`.execute(t.owner)
  expect(rows.length).toBe(60)
  for (const { code, bill, number, npm } of rows) {
    const digits = /^\d\dG[12]D(\d{6,7})$/.exec(code)![1]!
    if (bill) expect(bill).toBe(`INV-DEMO-${digits}`)
    if (number) expect(number).toBe(`880019${digits.padStart(10, '0')}`)
    if (npm) expect(npm).toMatch(/^\d+$/)
  }
  for (const column of ['code', 'bill', 'number', 'npm'] as const) {
    const values = rows.map((row) => row[column]).filter((value) => value !== null)
    expect(new Set(values).size).toBe(values.length)
    expect(values.length).toBeGreaterThan(0)
  }
  expect((await checkInvariants(t.services)).slice(0, 10)).toEqual([])
})
