import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listBills } from '#domain/payments/bills/lists.ts'
import type { PromiseState } from '#domain/payments/bills/promise.ts'
import { matchingRows, readerFor } from '#server/list/serve-list.ts'
import { billSource } from '#server/modules/payments/bills/bill-list.ts'
import { expireVirtualAccountsJob } from '#server/modules/payments/bills/numbers/expire-virtual-accounts.job.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, type BillDetails } from '#server-test/factories/payments.ts'
import { readersOf } from '#server-test/readers.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'

const { billOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  clerk = await asStaff(t, 'Keuangan')
  second = await asStaff(t, 'Keuangan')
})
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

const dayMs = 86_400_000
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * dayMs)
const dayIn = (days: number) => inDays(days).toISOString().slice(0, 10)
const endOf = (day: string) => new Date(`${day}T23:59:00+07:00`)
const aTuition = (options: BillDetails = {}) =>
  aBill(t, academic, {
    kind: 're_registration',
    lines: [{ description: 'Uang kuliah', amount: 4_000_000 }],
    status: 'confirmed',
    accepted: true,
    ...options,
  })

const ask = (billId: string, payBy: string, more: object = {}) =>
  clerk.post(`/bills/${billId}/exceptions`, { kind: 'promise', payBy, reason: 'Menunggu panen', ...more })
const decide = async (id: string, approve = true) => {
  const answer = await second.post(`/persetujuan/${id}/decide`, { approve, reason: 'Sudah ditelepon' })
  expect(answer.statusCode, answer.body).toBe(200)
}
const approve = async (asking: ReturnType<TestActor['post']>) => {
  const answer = await asking
  expect(answer.statusCode, answer.body).toBe(200)
  await decide(answer.json().data.id)
}
const found = async (promise: PromiseState) =>
  // Staff sessions expire before the test's later days, so each call signs in again.
  (await (await asStaff(t, 'Keuangan')).get(`/bills?promise=${promise}&per_page=100`)).json().data as {
    id: string
    promise: string
    promisedUntil: string
  }[]
const stateOf = async (id: string) => {
  const states = ['open', 'kept', 'broken'] as const
  const lists = await Promise.all(
    states.map(async (state) => ((await found(state)).some((row) => row.id === id) ? state : null)),
  )
  return lists.filter((state) => state !== null)
}

describe('a promise to pay', () => {
  test('counts once another account has approved it: the bill and its open instalments are due that day', async () => {
    const { bill, actor } = await aTuition({ installmentPlanId: academic.plan })
    const payBy = dayIn(45)
    const answer = await ask(bill.id, payBy)
    expect(await billOf(bill.id)).toMatchObject({ promiseId: null, dueAt: bill.dueAt })
    const refused = await clerk.post(`/persetujuan/${answer.json().data.id}/decide`, { approve: true })
    expect(refused.json().code).toBe('own_request')
    await decide(answer.json().data.id)
    expect(await billOf(bill.id)).toMatchObject({ promisedUntil: endOf(payBy), dueAt: endOf(payBy), status: 'open' })
    const parts = await t.db.selectFrom('installments').select('dueAt').where('billId', '=', bill.id).execute()
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.every(({ dueAt }) => dueAt.getTime() === endOf(payBy).getTime())).toBe(true)
    const [own] = (await actor.get(`/pendaftaran/${bill.registrationId}/bills`)).json().data.bills
    expect(own).toMatchObject({ promise: { state: 'open', until: endOf(payBy).toISOString() }, overdue: false })
    expect(await stateOf(bill.id)).toEqual(['open'])
    expect((await clerk.get('/bills?promise=open')).json().meta.total).toBeGreaterThan(0)
    const sheet = await clerk.get('/bills/export?format=csv&promise=open')
    expect(sheet.body).toContain(bill.number)
  })

  test('leaves the due date of a paid instalment unchanged', async () => {
    const { bill, actor } = await aTuition({ installmentPlanId: academic.plan })
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: account.amount }).send()
    const first = () =>
      t.db
        .selectFrom('installments')
        .select('dueAt')
        .where('billId', '=', bill.id)
        .orderBy('position')
        .executeTakeFirst()
    const before = await first()
    await approve(ask(bill.id, dayIn(45)))
    expect(await first()).toEqual(before)
  })

  test('extends the existing transfer number, and later ones, to the promised day', async () => {
    const { bill, actor } = await aTuition()
    const account = await aVirtualAccount(actor, bill.id)
    const payBy = dayIn(70)
    await approve(ask(bill.id, payBy))
    const numberOf = (id: string) =>
      t.db.selectFrom('virtualAccounts').select(['status', 'expiresAt']).where('id', '=', id).executeTakeFirstOrThrow()
    expect(await numberOf(account.id)).toEqual({ status: 'active', expiresAt: endOf(payBy) })
    const other = await aVirtualAccount(actor, bill.id, { bank: 'sandbox-b' })
    expect(other.expiresAt).toBe(endOf(payBy).toISOString())
    t.clock.set(inDays(40))
    await expireVirtualAccountsJob.run(t.services, {})
    expect((await numberOf(account.id)).status).toBe('active')
    t.clock.set(inDays(31))
    await expireVirtualAccountsJob.run(t.services, {})
    expect((await numberOf(account.id)).status).toBe('expired')
  })

  test('replaces a number if its bank cannot be given a later end', async () => {
    const { bill, actor } = await aTuition()
    const account = await aVirtualAccount(actor, bill.id)
    await t.db.updateTable('virtualAccounts').set({ provider: 'nowhere' }).where('id', '=', account.id).execute()
    await approve(ask(bill.id, dayIn(70)))
    const { status } = await t.db
      .selectFrom('virtualAccounts')
      .select('status')
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe('replaced')
  })

  test('is kept if the bill is paid or guaranteed by the day', async () => {
    const [paid, guaranteed] = [await aTuition(), await aTuition()]
    for (const { bill } of [paid, guaranteed]) await approve(ask(bill.id, dayIn(10)))
    const account = await aVirtualAccount(paid.actor, paid.bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 1_000_000 }).send()
    expect(await stateOf(paid.bill.id)).toEqual(['open'])
    await aReport(t, { virtualAccountNumber: account.number, amount: 3_000_000 }).send()
    await approve(
      clerk.post(`/bills/${guaranteed.bill.id}/exceptions`, {
        kind: 'guarantee',
        sponsor: 'Yayasan',
        reason: 'Beasiswa',
      }),
    )
    t.clock.set(inDays(20))
    for (const { bill } of [paid, guaranteed]) expect(await stateOf(bill.id)).toEqual(['kept'])
  })

  test('is broken if the day passes with money open: bill and registration keep their status, and late money does not mend it', async () => {
    const { bill, actor, registration } = await aTuition()
    await approve(ask(bill.id, dayIn(10)))
    t.clock.set(inDays(12))
    await t.runJobs()
    expect(await stateOf(bill.id)).toEqual(['broken'])
    const statusOf = async () =>
      (
        await t.db
          .selectFrom('registrations')
          .select('status')
          .where('id', '=', registration.id)
          .executeTakeFirstOrThrow()
      ).status
    expect([await statusOf(), (await billOf(bill.id)).status]).toEqual(['confirmed', 'open'])
    const account = await aVirtualAccount(actor, bill.id)
    await aReport(t, { virtualAccountNumber: account.number, amount: 4_000_000 }).send()
    expect(await stateOf(bill.id)).toEqual(['broken'])
  })

  test('is replaced by a newer promise, and its reason stays in the audit log', async () => {
    const { bill } = await aTuition()
    await approve(ask(bill.id, dayIn(10), { reason: 'Panen bulan ini' }))
    expect((await ask(bill.id, dayIn(30), { reason: 'Panen mundur' })).statusCode).toBe(200)
    expect((await ask(bill.id, dayIn(40), { reason: 'Sekali lagi' })).json().code).toBe('already_requested')
    const { id } = await t.db
      .selectFrom('approvalRequests')
      .select('id')
      .where('billId', '=', bill.id)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    await decide(id)
    expect(await billOf(bill.id)).toMatchObject({ promiseId: id, promisedUntil: endOf(dayIn(30)) })
    const entry = await t.db
      .selectFrom('auditLog')
      .selectAll()
      .where('action', '=', 'bill.promise')
      .where('subjectId', '=', bill.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      reason: 'Panen mundur',
      before: { promiseReason: 'Panen bulan ini', promisedUntil: endOf(dayIn(10)).toISOString() },
    })
  })

  test('moves to a replacing bill; another due date or plan ends it', async () => {
    const { bill, registration } = await aTuition()
    await approve(ask(bill.id, dayIn(50)))
    const { id: discountId } = await t.db
      .insertInto('discounts')
      .values({
        code: 'JANJI',
        name: 'Potongan',
        kind: 'fixed',
        value: '500000',
        appliesTo: 'fee_component',
        condition: 'manual',
        stackable: true,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const wish = (billId: string, body: object) =>
      approve(clerk.post(`/bills/${billId}/exceptions`, { reason: 'Sesuai ketentuan', ...body }))
    const current = () =>
      t.db
        .selectFrom('bills')
        .selectAll()
        .where('registrationId', '=', registration.id)
        .where('status', '<>', 'cancelled')
        .executeTakeFirstOrThrow()
    await wish(bill.id, { kind: 'discount', discountId })
    const anew = await current()
    expect(anew).toMatchObject({ total: 3_500_000, promisedUntil: endOf(dayIn(50)), dueAt: endOf(dayIn(50)) })
    expect(anew.id).not.toBe(bill.id)
    expect(await stateOf(bill.id)).toEqual([])
    await wish(anew.id, { kind: 'due_date', dueOn: dayIn(90) })
    expect(await current()).toMatchObject({ promiseId: null, dueAt: endOf(dayIn(90)) })
    await approve(ask(anew.id, dayIn(50)))
    await wish(anew.id, { kind: 'installment_plan', installmentPlanId: academic.plan })
    expect(await current()).toMatchObject({ promiseId: null, promisedUntil: null })
  })

  test('for a day in the past or years ahead, or with a proof of another account, is refused beside the field', async () => {
    const { bill } = await aTuition()
    for (const payBy of [dayIn(-2), dayIn(400)])
      expect(Object.keys((await ask(bill.id, payBy)).json().errors)).toEqual(['payBy'])
    const proofFileId = await aProof(second)
    expect(Object.keys((await ask(bill.id, dayIn(5), { proofFileId })).json().errors)).toEqual(['proofFileId'])
    const own = await aProof(clerk)
    const { id } = (await ask(bill.id, dayIn(5), { proofFileId: own })).json().data
    const rows = (await second.get('/persetujuan?kind=promise&status=pending')).json().data
    expect(rows.find((row: { id: string }) => row.id === id)).toMatchObject({
      proof: { name: 'surat.jpg' },
      amount: 4_000_000,
    })
    t.clock.set(inDays(9))
    second = await asStaff(t, 'Keuangan')
    const late = await second.post(`/persetujuan/${id}/decide`, { approve: true, reason: 'Terlambat' })
    expect([late.statusCode, late.json().code]).toEqual([409, 'in_the_past'])
    await decide(id, false)
    expect((await billOf(bill.id)).promiseId).toBeNull()
  })

  test('needs the permission, the row scope and an owed bill', async () => {
    const { bill } = await aTuition()
    const body = { kind: 'promise', payBy: dayIn(5), reason: 'Menunggu panen' }
    const reader = await asWithPermissions(t, ['pembayaran-mahasiswa-view'])
    expect((await reader.post(`/bills/${bill.id}/exceptions`, body)).statusCode).toBe(403)
    const elsewhere = await asWithPermissions(t, ['pembayaran-mahasiswa-view', 'pembayaran-mahasiswa-update'], {
      programmeIds: [academic.programmes[1]!],
    })
    expect((await elsewhere.post(`/bills/${bill.id}/exceptions`, body)).statusCode).toBe(404)
    await approve(
      clerk.post(`/bills/${bill.id}/exceptions`, { kind: 'guarantee', sponsor: 'Yayasan', reason: 'Beasiswa' }),
    )
    expect((await ask(bill.id, dayIn(5))).json().code).toBe('wrong_status')
  })

  const aProof = async (actor: TestActor) => {
    const bytes = await aPicture('png')
    const answer = await actor.upload('/payment-proofs', { name: 'surat.png', type: 'image/png', bytes })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data.id as string
  }
})

describe('among 200,000 bills', () => {
  let many: TestApp
  beforeAll(async () => {
    many = await testApp()
    const { bill, registration } = await aBill(many, await academicFixture(many.db), { amount: 250_000 })
    const { id } = await many.db
      .insertInto('approvalRequests')
      .values({
        kind: 'promise',
        billId: bill.id,
        registrationId: registration.id,
        amount: 1000,
        reason: 'Menunggu panen',
        requestedBy: registration.accountId,
        requestedAt: many.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Every hundredth bill has a promise and a registration of its own; the others are cancelled bills of one
    // registration.
    await pastTriggers(
      many,
      sql`INSERT INTO bills (number, registration_id, account_id, kind, status, total, issued_at, due_at)
        SELECT 'LAMA-' || n, ${registration.id}, ${registration.accountId}, 're_registration', 'cancelled', 1000,
          now() - n * interval '1 minute', now() FROM generate_series(1, 198000) n`,
    )
    await pastTriggers(
      many,
      sql`WITH made AS (
        INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id, programme_id, status)
        SELECT 'JANJI-' || n, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id, programme_id, 'withdrawn'
        FROM registrations, generate_series(1, 2000) n WHERE id = ${registration.id} RETURNING id, account_id, substr(code, 7)::int AS n)
      INSERT INTO bills (number, registration_id, account_id, kind, status, total, paid, paid_at, issued_at, due_at, promise_id, promised_until)
      SELECT 'JANJI-' || n, id, account_id, 're_registration', CASE n % 3 WHEN 0 THEN 'paid' ELSE 'open' END, 1000,
        CASE n % 3 WHEN 0 THEN 1000 ELSE 0 END, CASE n % 3 WHEN 0 THEN now() END, now() - n * interval '100 minutes', now(),
        ${id}, now() + (n - 1000) * interval '1 minute' FROM made`,
    )
    await sql`VACUUM (ANALYZE) bills`.execute(many.owner)
    await sql`VACUUM (ANALYZE) registrations`.execute(many.owner)
  }, 120_000)
  afterAll(() => many.close())

  test.each(['open', 'kept', 'broken'] as const)('a promise that is %s is found by its index', async (promise) => {
    const all = { ...systemActor, scope: { kind: 'all' } } as typeof systemActor
    const { from } = await matchingRows(listBills, billSource(many), readerFor(many.services, all), { promise })
    const query = from.select('b.id').orderBy('b.issuedAt', 'desc').limit(26).compile()
    const { rows } = await many.db.executeQuery<Record<string, string>>({
      ...query,
      sql: `EXPLAIN (ANALYZE, TIMING OFF) ${query.sql}`,
    })
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain('bills_promised')
    expect(plan).toMatch(/^Limit.* rows=26/)
  })
})
