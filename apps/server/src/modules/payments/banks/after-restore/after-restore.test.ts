import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { restoreBackup } from '#server/platform/backup/restore-backup.ts'
import { writeBackup } from '#server/platform/backup/write-backup.ts'
import { connect } from '#server/platform/database/database.ts'
import { nextNumber } from '#server/platform/database/numbers.ts'
import { localStore } from '#server/platform/files/file-store.ts'
import { startServices } from '#server/platform/start-services.ts'
import { asApplicant, asStaff, asWithPermissions } from '#server-test/actors.ts'
import { createDatabase, dropDatabase } from '#server-test/database.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount } from '#server-test/factories/payments.ts'
import { aSnapBank } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { testConfig } from '#server-test/test-config.ts'
import { askAfterRestore } from './ask-after-restore.job.ts'
import { markRestored } from './mark-restored.ts'

// These tests write whole databases and read them back.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let before: TestApp
let academic: AcademicFixture
let folder: string
let archive: string
let backupAt: Date
let owed: Awaited<ReturnType<typeof aBill>>
let openNumber: string
/** A database with the backup loaded. */
let loaded: string
const opened: TestApp[] = []
const names: string[] = []

beforeAll(async () => {
  before = await testApp()
  academic = await academicFixture(before.db)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-after-restore-'))
  owed = await aBill(before, academic, { amount: 250_000 })
  openNumber = (await aVirtualAccount(owed.actor, owed.bill.id)).number
  const paid = await aBill(before, academic, { amount: 250_000 })
  await aReport(before, {
    virtualAccountNumber: (await aVirtualAccount(paid.actor, paid.bill.id)).number,
    amount: 250_000,
  }).send()
  for (const kind of ['letter', 'paper-receipt', 'payout'] as const) await nextNumber(before.db, kind, 'uji', '{SEQ}')
  archive = path.join(folder, 'night.tar.gz')
  backupAt = new Date()
  await backUp(archive)
  await load(await aDatabase())
  loaded = names[0]!
})
afterAll(async () => {
  for (const app of opened) await app.close()
  for (const name of names) await dropDatabase(before.connectionString, name)
  await before.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const backUp = (to: string) =>
  writeBackup({
    connectionString: before.connectionString,
    files: before.services.files,
    secretKey: before.services.config.secretKey,
    now: new Date(),
    archive: to,
  })

/** A new database: empty, or a copy of the restored backup before its counters moved on. */
async function aDatabase(template = 'template0') {
  const name = `pmb_test_after_${process.pid}_${names.length}`
  names.push(name)
  await createDatabase(before.connectionString, name, template)
  return before.connectionString.replace(/\/[^/?]+(\?|$)/, `/${name}$1`)
}

/** What `npm run restore` does with the rows, before the counters move on. */
const load = (connectionString: string, replace = false) =>
  restoreBackup({ from: archive, connectionString, files: localStore(folder), replace })

async function mark(connectionString: string, marking: Partial<Parameters<typeof markRestored>[1]> = {}) {
  const { db } = connect(connectionString)
  const gaps = await markRestored(db, { backupAt, now: new Date(), ...marking })
  await db.destroy()
  return gaps
}

/** A server on the restored backup. */
async function restored(now = new Date()) {
  const connectionString = await aDatabase(loaded)
  const gaps = await mark(connectionString, { now })
  const after = await testApp({ sameDatabaseAs: { connectionString } as TestApp })
  opened.push(after)
  return { after, gaps }
}

const paymentOf = ({ db }: TestApp, reference: string) =>
  db.selectFrom('payments').selectAll().where('providerReference', '=', reference).executeTakeFirst()
const counterOf = async ({ db }: TestApp, kind: string) =>
  (await db.selectFrom('numberCounters').select('value').where('kind', '=', kind).executeTakeFirstOrThrow()).value
/** Money received by the demo bank, unknown to the books. */
const atTheBank = ({ db }: TestApp, reference: string, virtualAccountNumber: string, amount = 250_000) =>
  db
    .insertInto('sandboxTransactions')
    .values({ reference, virtualAccountNumber, amount, channel: 'mobile', paidAt: new Date() })
    .execute()
const bill = ({ db }: TestApp, id: string) =>
  db.selectFrom('bills').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a number issued after the backup', () => {
  test('is not issued to another applicant after the restore; a payment on it waits', async () => {
    const a = await aBill(before, academic, { amount: 250_000 })
    const numberOfA = (await aVirtualAccount(a.actor, a.bill.id)).number
    const { after } = await restored()
    const b = await aBill(after, academic, { amount: 250_000 })
    const numberOfB = (await aVirtualAccount(b.actor, b.bill.id)).number
    expect(numberOfB).not.toBe(numberOfA)
    expect(
      (await aReport(after, { virtualAccountNumber: numberOfA, amount: 250_000, reference: 'FROM-A' }).send())
        .statusCode,
    ).toBe(200)
    expect(await paymentOf(after, 'FROM-A')).toMatchObject({
      status: 'waiting',
      waitingReason: 'unknown_number',
      accountId: null,
    })
    expect(await bill(after, b.bill.id)).toMatchObject({ status: 'open', paid: 0 })
    await assertBalanced(after)
  })

  test('is asked about at the bank: money on it waits with an alert and is booked once', async () => {
    const a = await aBill(before, academic, { amount: 250_000 })
    const numberOfA = (await aVirtualAccount(a.actor, a.bill.id)).number
    const { after } = await restored()
    await atTheBank(after, 'LOST-A', numberOfA)
    await askAll(after)
    const payment = await paymentOf(after, 'LOST-A')
    expect(payment).toMatchObject({ waitingReason: 'unknown_number', foundByAsking: true })
    const alerts = await after.db.selectFrom('paymentAlerts').selectAll().execute()
    expect(alerts).toMatchObject([{ kind: 'not_reported', paymentId: payment!.id, amount: 250_000 }])
    expect(
      (await aReport(after, { virtualAccountNumber: numberOfA, amount: 250_000, reference: 'LOST-A' }).send())
        .statusCode,
    ).toBe(200)
    expect(
      await after.db.selectFrom('payments').select('id').where('virtualAccountNumber', '=', numberOfA).execute(),
    ).toHaveLength(1)
    await assertBalanced(after)
  })
})

async function askAll(after: TestApp) {
  after.clock.set(new Date(Date.now() + 60_000))
  await askAfterRestore(after.services)
  after.clock.reset()
}

describe('a restore', () => {
  test('asks the banks at once about every number open at the backup, and reports when that is done', async () => {
    const { after, gaps } = await restored()
    await after.db
      .updateTable('virtualAccounts')
      .set({ askAt: new Date(Date.now() + 1e9), asks: 9 })
      .execute()
    await atTheBank(after, 'SINCE', openNumber)
    const clerk = await asStaff(after, 'Keuangan')
    const read = async () => (await clerk.get('/restored')).json().data
    const ofBank = gaps.find(({ kind, scope }) => kind === 'virtual-account' && scope === 'sandbox-a')!
    const total = 2 + ofBank.last - ofBank.first + 1
    expect(await read()).toMatchObject({
      backupAt: backupAt.toISOString(),
      askedAt: null,
      questions: { total, waiting: total },
      mayEnd: true,
    })
    await askAll(after)
    expect(await bill(after, owed.bill.id)).toMatchObject({ status: 'paid', paid: 250_000 })
    expect(await read()).toMatchObject({
      askedAt: expect.any(String),
      questions: { total, waiting: 0, refused: 0, notAskable: 0 },
      paymentsFound: 1,
      silentBanks: [],
    })
    await askAll(after)
    const entries = await after.db
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'restore.asked')
      .execute()
    expect(entries).toEqual([{ after: { asked: total, found: 1 } }])
    await assertBalanced(after)
  })

  test('names a bank that cannot be asked, so that its statement is imported', async () => {
    const { after } = await restored()
    await sql`UPDATE virtual_accounts SET provider = 'gone', ask_at = NULL`.execute(after.owner)
    await sql`UPDATE restore_questions SET provider = 'gone', bank = 'bank-gone' WHERE virtual_account_id IS NOT NULL`.execute(
      after.owner,
    )
    await askAll(after)
    const clerk = await asStaff(after, 'Keuangan')
    expect((await clerk.get('/restored')).json().data).toMatchObject({
      askedAt: expect.any(String),
      questions: { notAskable: 2 },
      silentBanks: ['bank-gone'],
    })
  })

  test('skips more numbers than a day needs and records the gaps, which the check of the books accepts', async () => {
    const { after, gaps } = await restored()
    const year = String(new Date().getFullYear())
    for (const kind of ['bill', 'receipt']) {
      const { first, last } = gaps.find((gap) => gap.kind === kind && gap.scope === year)!
      expect(last - first + 1).toBeGreaterThanOrEqual(1_000)
      expect(await counterOf(after, kind)).toBe(last)
    }
    const fixture = await aBill(after, academic, { amount: 250_000 })
    const { number } = await aVirtualAccount(fixture.actor, fixture.bill.id)
    await aReport(after, { virtualAccountNumber: number, amount: 250_000, reference: 'NEXT' }).send()
    const receipt = (await paymentOf(after, 'NEXT'))!.receiptNumber!
    expect(Number(receipt.slice(-6))).toBeGreaterThan(1_000)
    await assertBalanced(after)
    const lost = await after.db.selectFrom('numberGaps').selectAll().where('kind', '=', 'receipt').execute()
    expect(lost).toMatchObject([{ scope: year, firstNumber: 2 }])
    await expect(after.owner.deleteFrom('numberGaps').execute()).rejects.toThrow('append-only')
  })

  test('makes counters of a later year start behind their gap too', async () => {
    const { after } = await restored(new Date(Date.now() + 366 * 86_400_000))
    const year = String(new Date().getFullYear() + 1)
    const { rows } = await sql<{
      value: number
    }>`SELECT value FROM number_counters WHERE kind = 'receipt' AND scope = ${year}`.execute(after.db)
    expect(rows[0]!.value).toBeGreaterThan(300_000)
    // Banks are not asked about hundreds of thousands of numbers.
    const { data } = (await (await asStaff(after, 'Keuangan')).get('/restored')).json()
    expect(data).toMatchObject({ silentBanks: ['Bank Contoh'], questions: { total: 20_003, notAskable: 1 } })
  })

  test('makes counters of a lost and recreated wave or programme continue behind the gap, until the restore is ended', async () => {
    const { after } = await restored(backupAt)
    const take = (scope: string) => nextNumber(after.db, 'registration', scope, '{SEQ:5}')
    expect(await take('27BARU#')).toBe('01001')
    expect(await take('27BARU#')).toBe('01002')
    const clerk = await asStaff(after, 'Keuangan')
    await askAll(after)
    expect((await clerk.post('/restored/end', { note: 'Semua sudah dimasukkan' })).statusCode).toBe(200)
    expect(await take('27LAIN#')).toBe('00001')
  })

  test('makes numbers of letters, receipts for paper copies and payouts continue behind their gap', async () => {
    const { after } = await restored(backupAt)
    expect(Number(await nextNumber(after.db, 'letter', 'uji', '{SEQ}'))).toBeGreaterThan(1_000)
    expect(await nextNumber(after.db, 'letter', 'lain', '{SEQ}')).toBe('1001')
    expect(Number(await nextNumber(after.db, 'paper-receipt', 'uji', '{SEQ}'))).toBeGreaterThan(200)
    expect(Number(await nextNumber(after.db, 'payout', 'uji', '{SEQ}'))).toBeGreaterThan(10)
  })

  test('keeps the digits of student numbers and reports where too few are left', async () => {
    const connectionString = await aDatabase(loaded)
    const { db } = connect(connectionString)
    await db
      .insertInto('numberCounters')
      .values([
        { kind: 'student', scope: '2655#', value: 9_950 },
        { kind: 'student', scope: '2656#', value: 10_400 },
        { kind: 'student', scope: '2657#', value: 12 },
      ])
      .execute()
    const gaps = (await mark(connectionString, { now: backupAt })).filter(({ kind }) => kind === 'student')
    await db.destroy()
    expect(gaps).toMatchObject([
      { scope: '2655#', first: 9_951, last: 9_974, requested: 100 },
      { scope: '2656#', first: 10_401, last: 10_500, requested: 100 },
      { scope: '2657#', first: 13, last: 112, requested: 100 },
      { scope: '*', last: 100 },
    ])
  })

  test('skips the last numbers of a bank with few left instead of issuing any twice', async () => {
    const connectionString = await aDatabase(loaded)
    const { db } = connect(connectionString)
    await sql`SET session_replication_role = replica`.execute(db)
    await sql`WITH made AS (INSERT INTO provider_accounts (code, kind, name, base_url) VALUES ('bank-x', 'snap', 'Bank X', 'https://x') RETURNING id)
      INSERT INTO provider_banks (provider_account_id, code, name, prefix, customer_digits, first_number, last_number, amount_type)
      SELECT id, 'bank-x', 'Bank X', '8077', 6, 1000, 1999, 'closed' FROM made`.execute(db)
    await sql`INSERT INTO number_counters VALUES ('virtual-account', 'bank-x', 990)`.execute(db)
    const gaps = await mark(connectionString)
    expect(gaps.find(({ scope }) => scope === 'bank-x')).toMatchObject({ first: 991, last: 992 })
    const questions = await db
      .selectFrom('restoreQuestions')
      .select('number')
      .where('bank', '=', 'bank-x')
      .orderBy('number')
      .execute()
    expect(questions).toEqual([{ number: '8077001990' }, { number: '8077001991' }])
    await db.destroy()
  })

  test("over a readable database makes counters continue behind that database's", async () => {
    const connectionString = await aDatabase(loaded)
    await mark(connectionString)
    const { db } = connect(connectionString)
    await sql`UPDATE number_counters SET value = 70000 WHERE kind = 'virtual-account'`.execute(db)
    await sql`INSERT INTO number_counters VALUES ('student', '2699#', 5)`.execute(db)
    await db.destroy()
    const { countersBefore } = await load(connectionString, true)
    const gaps = await mark(connectionString, { countersBefore })
    expect(gaps.find(({ kind, scope }) => kind === 'virtual-account' && scope !== '*')).toMatchObject({ last: 70_000 })
    expect(gaps.find(({ scope }) => scope === '2699#')!.last).toBeGreaterThan(100)
  })

  test('that stopped before its counters moved on keeps servers from starting', async () => {
    const connectionString = await aDatabase(loaded)
    const start = () => startServices({ config: testConfig(), connectionString, passiveJobs: true })
    await expect(start()).rejects.toThrow('interrupted')
    await mark(connectionString)
    await (await start()).stop()
  })
})

describe('the state "restored until"', () => {
  test('is shown only to roles that handle money; a role limited to programmes sees no payments and cannot end it', async () => {
    const { after } = await restored()
    const limited = await asWithPermissions(after, ['ops-invariants', 'transaksi-va-view'], {
      programmeIds: [academic.programmes[0]!],
    })
    expect((await (await asApplicant(after)).get('/restored')).json()).toEqual({ data: null })
    expect((await (await asWithPermissions(after, ['pendaftaran-view'])).get('/restored')).json()).toEqual({
      data: null,
    })
    expect((await limited.get('/restored')).json().data).toMatchObject({ lost: [], mayEnd: false })
    expect((await limited.post('/restored/end', { note: 'Selesai', acceptUnanswered: true })).statusCode).toBe(403)
    const viewer = await asWithPermissions(after, ['transaksi-va-view'])
    expect((await viewer.post('/restored/end', { note: 'Selesai' })).statusCode).toBe(403)
  })

  test('is ended by staff after all banks have answered, or earlier if that is accepted, and is logged', async () => {
    const { after } = await restored()
    const clerk = await asStaff(after, 'Keuangan')
    const early = await clerk.post('/restored/end', { note: 'Sudah cukup' })
    expect([early.statusCode, early.json().code]).toEqual([409, 'banks_not_asked_yet'])
    const both = await Promise.all(
      [1, 2].map(() => clerk.post('/restored/end', { note: 'Sudah cukup', acceptUnanswered: true })),
    )
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, expect.any(Number)])
    expect((await clerk.get('/restored')).json()).toEqual({ data: null })
    const [entry] = await after.db
      .selectFrom('auditLog')
      .select(['actorId', 'reason'])
      .where('action', '=', 'restore.end')
      .execute()
    expect(entry).toEqual({ actorId: clerk.accountId, reason: 'Sudah cukup' })
    expect((await clerk.post('/restored/end', { note: 'Sudah cukup' })).statusCode).toBe(404)
    // Ending it discards the open questions.
    await askAll(after)
    expect(
      await after.db.selectFrom('restoreQuestions').select('id').where('answer', 'is not', null).execute(),
    ).toEqual([])
  })

  test('settles the alerts about money on unknown numbers when it ends', async () => {
    const { after } = await restored()
    const a = await aBill(before, academic, { amount: 250_000 })
    await atTheBank(after, 'LOST-B', (await aVirtualAccount(a.actor, a.bill.id)).number)
    await askAll(after)
    const clerk = await asStaff(after, 'Keuangan')
    const { lost } = (await clerk.get('/restored')).json().data
    expect(lost).toMatchObject([{ reference: 'LOST-B', amount: 250_000, paymentId: expect.any(String) }])
    expect((await clerk.post('/restored/end', { note: 'Dicatat di buku' })).statusCode).toBe(200)
    const [alert] = await after.db.selectFrom('paymentAlerts').selectAll().execute()
    expect(alert).toMatchObject({ settledBy: clerk.accountId, note: 'Dicatat di buku' })
  })
})

test('a bank that does not answer is asked again, also about a number unknown to the books', async () => {
  const { peer, provider, bank } = await aSnapBank(before)
  const { reference, number } = peer.receive('123450000000777', 300_000)
  const { id: restoreId } = await before.db
    .insertInto('restores')
    .values({ backupAt: new Date(), restoredAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const question = { restoreId, provider: provider.code, bank, askAt: new Date() }
  await before.db
    .insertInto('restoreQuestions')
    .values([number, '123450000000778'].map((one) => ({ ...question, number: one })))
    .execute()
  const answers = async () =>
    (await before.db.selectFrom('restoreQuestions').select('answer').orderBy('number').execute()).map(
      (row) => row.answer,
    )
  peer.trouble = 'down'
  await askAll(before)
  expect(await answers()).toEqual([null, null])
  peer.trouble = 'none'
  before.clock.set(new Date(Date.now() + 20 * 60_000))
  expect(await askAfterRestore(before.services)).toBe(1)
  before.clock.reset()
  expect(await answers()).toEqual(['answered', 'answered'])
  expect(await paymentOf(before, reference)).toMatchObject({ waitingReason: 'unknown_number', amount: 300_000 })
  const calls = await before.db
    .selectFrom('bankCalls')
    .select('virtualAccountId')
    .where('action', '=', 'inquire')
    .execute()
  expect(calls.every(({ virtualAccountId }) => virtualAccountId === null)).toBe(true)
  await assertBalanced(before)
  await peer.close()
})
