import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screens } from '#domain/navigation/screens.ts'
import { type InvariantName, invariantNames } from '#domain/ops/invariants.ts'
import { systemActor } from '#server/platform/authorization.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aSchool } from '#server-test/factories/applicants.ts'
import { aBill, aReport, aVirtualAccount, aVoucherUse } from '#server-test/factories/payments.ts'
import { testSession } from '#server-test/factories/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { runSeeds } from '../../../seeds/run-seeds.ts'
import { cancelBills } from '../payments/cancel-bills.ts'
import { checkInvariants, findImpossible } from './check-invariants.ts'
import { runChecks } from './run-checks.ts'

let t: TestApp
let academic: AcademicFixture

/** A small university in which every rule has something to say. */
type World = Awaited<ReturnType<typeof aWorld>>
let world: World

/** Bills of four people, in every state money can be in, with numbers, discounts, a seat, a place and a student number. */
async function aWorld() {
  const pay = (virtualAccountNumber: string, amount: number) => aReport(t, { virtualAccountNumber, amount }).send()
  const paid = await aBill(t, academic)
  const account = await aVirtualAccount(paid.actor, paid.bill.id)
  await pay(account.number, 250_000)

  // Two who were accepted and pay in instalments, the first paid; one of them has a student number.
  const [enrolled, confirmed] = await Promise.all([anAccepted(), anAccepted()])
  for (const { actor, bill } of [enrolled, confirmed]) {
    const upfront = await aVirtualAccount(actor, bill.id)
    await pay(upfront.number, upfront.amount)
    await aVirtualAccount(actor, bill.id)
  }
  const { id: student } = await t.db
    .insertInto('students')
    .values({
      registrationId: enrolled.registration.id,
      accountId: enrolled.registration.accountId,
      programmeId: academic.programmes[0],
      npm: '2600001',
      issuedAt: t.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db
    .updateTable('registrations')
    .set({ status: 'enrolled' })
    .where('id', '=', enrolled.registration.id)
    .execute()
  const unpaid = await anAccepted()

  const open = await aBill(t, academic)
  const openAccount = await aVirtualAccount(open.actor, open.bill.id)
  // One that was paid in part, then cancelled: its money was taken back and waits.
  const ended = await aBill(t, academic)
  await pay((await aVirtualAccount(ended.actor, ended.bill.id)).number, 100_000)
  await t.db.transaction().execute((tx) => cancelBills(tx, t.services, systemActor, ended.registration.id, 'withdrawn'))
  const stray = aReport(t, { virtualAccountNumber: '990019999999999' })
  expect((await stray.send()).statusCode).toBe(200)

  const session = await testSession(t.db, academic, t.clock.now(), { capacity: 2 })
  await t.db.insertInto('testSessionSeats').values({ testSessionId: session, taken: 1 }).execute()
  await t.db
    .insertInto('testSeats')
    .values({ testSessionId: session, registrationId: paid.registration.id, status: 'booked' })
    .execute()
  await aVoucherUse(t, open.registration.id)
  const { id: voucher, discountId: discount } = await t.db
    .selectFrom('vouchers')
    .select(['id', 'discountId'])
    .executeTakeFirstOrThrow()
  const { id: agreement } = await t.db
    .insertInto('schoolAgreements')
    .values({
      schoolId: (await aSchool(t)).schoolId,
      number: 'MOU-1',
      title: 'Kerja sama',
      validTo: '2030-01-01',
      discountId: discount,
      uses: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    paid: paid.bill.id,
    account: account.id,
    enrolled: enrolled.registration.id,
    student,
    parts: confirmed.bill.id,
    unpaid: unpaid.registration.id,
    open: open.bill.id,
    openAccount: openAccount.id,
    session,
    voucher,
    discount,
    agreement,
  }
}

async function anAccepted() {
  const made = await aBill(t, academic, {
    status: 'confirmed',
    accepted: true,
    kind: 're_registration',
    lines: [{ description: 'Uang kuliah', amount: 1_000_000 }],
    installmentPlanId: academic.plan,
  })
  await t.db
    .updateTable('registrations')
    .set({ decidedAt: t.clock.now() })
    .where('id', '=', made.registration.id)
    .execute()
  return made
}

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  world = await aWorld()
})
afterAll(() => t.close())

const without = (table: string, constraint: string) =>
  sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT ${sql.id(constraint)}`
/** A limit of nothing that nobody lowered. */
const nothingLeft = (table: string, limit: string, id: string) => [
  ...(table === 'test_sessions' || table === 'programme_details' ? [] : [without(table, `${table}_${limit}_check`)]),
  sql`UPDATE ${sql.table(table)} SET ${sql.id(limit)} = 0, updated_at = '-infinity' WHERE id = ${id}`,
]
const installment = (billId: string, position: number) =>
  sql`(SELECT id FROM installments WHERE bill_id = ${billId} AND position = ${position})`
const statusOf = (billId: string, status: string) =>
  sql`UPDATE registrations SET status = ${status} WHERE id = (SELECT registration_id FROM bills WHERE id = ${billId})`
const seatOf = (w: World) => sql`(SELECT registration_id FROM test_seats WHERE test_session_id = ${w.session})`
const place = () => academic.programmeDetails[0]

/** One mistake of every kind, made as the owner of the tables, past every guard, and the one record that is then wrong. */
const mistakes = (
  w: World,
): Record<InvariantName, [wrong: string | RawBuilder<unknown>, ...RawBuilder<unknown>[]]> => ({
  'bill-paid': [w.open, sql`UPDATE bills SET paid = 1, status = 'partly_paid' WHERE id = ${w.open}`],
  'bill-lines': [w.open, sql`UPDATE bill_lines SET amount = amount + 1 WHERE bill_id = ${w.open}`],
  'bill-status': [w.parts, sql`UPDATE bills SET status = 'open' WHERE id = ${w.parts}`],
  'bill-paid-date': [w.paid, sql`UPDATE bills SET paid_at = NULL WHERE id = ${w.paid}`],
  'bill-owner': [
    w.open,
    sql`UPDATE bills SET account_id = (SELECT account_id FROM bills WHERE id = ${w.paid}) WHERE id = ${w.open}`,
  ],
  'bill-of-kind': [
    sql`(SELECT max(id::text) FROM bills WHERE number = 'TWICE' OR id = ${w.paid})`,
    sql`DROP INDEX bills_one_of_kind`,
    sql`INSERT INTO bills (number, registration_id, account_id, kind, total, status, issued_at, paid_at)
      SELECT 'TWICE', registration_id, account_id, kind, 0, 'paid', now(), now() FROM bills WHERE id = ${w.paid}`,
  ],
  'instalment-total': [w.parts, sql`UPDATE installments SET amount = amount + 1 WHERE id = ${installment(w.parts, 3)}`],
  'instalment-paid': [
    installment(w.parts, 2),
    sql`UPDATE installments SET paid = 1 WHERE id = ${installment(w.parts, 2)}`,
  ],
  'instalment-paid-date': [
    installment(w.parts, 1),
    sql`UPDATE installments SET paid_at = NULL WHERE id = ${installment(w.parts, 1)}`,
  ],
  'allocation-bill': [
    sql`(SELECT id FROM allocations WHERE bill_id = ${w.parts})`,
    sql`UPDATE allocations SET installment_id = NULL WHERE bill_id = ${w.parts}`,
    sql`UPDATE installments SET paid = 0, paid_at = NULL WHERE bill_id = ${w.parts}`,
  ],
  'allocation-owner': [
    sql`(SELECT id FROM allocations WHERE bill_id = ${w.paid})`,
    sql`UPDATE payments SET account_id = (SELECT account_id FROM bills WHERE id = ${w.open})
      WHERE virtual_account_id = ${w.account}`,
  ],
  'allocation-reversal': [
    sql`(SELECT id FROM allocations WHERE amount < 0)`,
    sql`UPDATE allocations SET reversal_of = (SELECT id FROM allocations WHERE bill_id = ${w.paid}) WHERE amount < 0`,
  ],
  'payment-split': [
    sql`(SELECT id FROM payments WHERE virtual_account_id = ${w.account})`,
    sql`UPDATE payments SET amount = amount + 1 WHERE virtual_account_id = ${w.account}`,
    sql`UPDATE virtual_accounts SET received = received + 1 WHERE id = ${w.account}`,
  ],
  'payment-status': [
    sql`(SELECT id FROM payments WHERE virtual_account_id = ${w.account})`,
    sql`UPDATE payments SET status = 'waiting' WHERE virtual_account_id = ${w.account}`,
  ],
  'payment-refunds': [
    sql`(SELECT payment_id FROM refunds)`,
    sql`INSERT INTO approval_requests (kind, registration_id, payment_id, amount, reason, requested_by, requested_at)
      SELECT 'refund', b.registration_id, p.id, 1, 'Contoh', b.account_id, now() FROM payments p JOIN bills b ON b.id = p.bill_id
      WHERE p.virtual_account_id = ${w.account}`,
    sql`INSERT INTO refunds (number, payment_id, approval_request_id, amount, by_policy, bank, account_number, account_holder, created_at)
      SELECT 'RF-1', q.payment_id, q.id, 1, 0, 'Bank', '12345', 'Contoh', now() FROM approval_requests q WHERE q.reason = 'Contoh'`,
  ],
  'approval-effect': [
    sql`(SELECT id FROM payments WHERE provider = 'manual')`,
    sql`INSERT INTO payments (provider, provider_reference, amount, status, waiting_amount, waiting_reason, paid_at, received_at)
      VALUES ('manual', 'gelap', 1000, 'waiting', 1000, 'unknown_number', now(), now())`,
  ],
  'payment-number': [
    sql`(SELECT id FROM payments WHERE virtual_account_id = ${w.account})`,
    sql`UPDATE payments SET virtual_account_number = '1' WHERE virtual_account_id = ${w.account}`,
  ],
  'report-booked': [
    sql`(SELECT id FROM bank_reports WHERE body = 'lost')`,
    sql`INSERT INTO bank_reports (provider, body, headers, received_at, outcome)
      VALUES ('sandbox', 'lost', '{}', now(), 'booked')`,
  ],
  'receipt-gap': ['all', sql`UPDATE number_counters SET value = value + 1 WHERE kind = 'receipt'`],
  'receipt-without-money': [
    sql`(SELECT id FROM payments WHERE waiting_reason = 'unknown_number')`,
    sql`UPDATE payments SET receipt_number = 'KW-9' WHERE waiting_reason = 'unknown_number'`,
    sql`UPDATE number_counters SET value = value + 1 WHERE kind = 'receipt'`,
  ],
  'va-one-active': [
    sql`(SELECT max(id::text) FROM virtual_accounts WHERE bill_id = ${w.open})`,
    sql`DROP INDEX virtual_accounts_one_open`,
    sql`INSERT INTO virtual_accounts (bill_id, provider, bank, number, amount, expires_at)
      SELECT bill_id, provider, bank, '9900100000', amount, expires_at FROM virtual_accounts WHERE id = ${w.openAccount}`,
  ],
  'va-bill-status': [
    w.account,
    sql`UPDATE virtual_accounts SET status = 'active', closed_at = NULL WHERE id = ${w.account}`,
  ],
  'va-instalment': [
    w.openAccount,
    sql`UPDATE virtual_accounts SET installment_id = ${installment(w.parts, 3)} WHERE id = ${w.openAccount}`,
  ],
  'va-expired': [
    w.openAccount,
    sql`UPDATE virtual_accounts SET expires_at = now() - interval '25 hours' WHERE id = ${w.openAccount}`,
  ],
  'va-paid': [
    w.openAccount,
    sql`UPDATE virtual_accounts SET status = 'paid', closed_at = now() WHERE id = ${w.openAccount}`,
  ],
  'va-received': [w.openAccount, sql`UPDATE virtual_accounts SET received = received + 1 WHERE id = ${w.openAccount}`],
  'va-closed-date': [w.openAccount, sql`UPDATE virtual_accounts SET closed_at = now() WHERE id = ${w.openAccount}`],
  'discount-uses': [w.discount, sql`UPDATE discounts SET uses = uses + 1 WHERE id = ${w.discount}`],
  'discount-limit': [w.discount, ...nothingLeft('discounts', 'max_uses', w.discount)],
  'voucher-uses': [w.voucher, sql`UPDATE vouchers SET uses = uses + 1 WHERE id = ${w.voucher}`],
  'voucher-limit': [w.voucher, ...nothingLeft('vouchers', 'max_uses', w.voucher)],
  'agreement-uses': [w.agreement, sql`UPDATE school_agreements SET uses = 1 WHERE id = ${w.agreement}`],
  'agreement-quota': [
    w.agreement,
    sql`UPDATE discount_uses SET school_agreement_id = ${w.agreement}`,
    sql`UPDATE school_agreements SET uses = 1 WHERE id = ${w.agreement}`,
    ...nothingLeft('school_agreements', 'quota', w.agreement),
  ],
  'discount-line': [
    w.open,
    sql`UPDATE discount_uses SET bill_id = ${w.open}, amount = 1000 WHERE voucher_id = ${w.voucher}`,
  ],
  'seat-count': [w.session, sql`UPDATE test_session_seats SET taken = 2 WHERE test_session_id = ${w.session}`],
  'seat-capacity': [w.session, ...nothingLeft('test_sessions', 'capacity', w.session)],
  'seat-one': [
    seatOf(w),
    sql`DROP INDEX test_seats_one`,
    sql`INSERT INTO test_seats (test_session_id, registration_id, status)
      SELECT ${academic.testSession}, registration_id, status FROM test_seats`,
    sql`INSERT INTO test_session_seats (test_session_id, taken) VALUES (${academic.testSession}, 1)`,
  ],
  'seat-registration': [
    sql`(SELECT id FROM test_seats)`,
    sql`UPDATE registrations SET status = 'withdrawn' WHERE id = ${seatOf(w)}`,
  ],
  'programme-capacity': [place(), ...nothingLeft('programme_details', 'capacity', place())],
  'registration-fee': [sql`(SELECT registration_id FROM bills WHERE id = ${w.open})`, statusOf(w.open, 'verified')],
  'registration-closed': [sql`(SELECT registration_id FROM bills WHERE id = ${w.open})`, statusOf(w.open, 'cancelled')],
  'registration-student': [w.enrolled, sql`DELETE FROM students WHERE id = ${w.student}`],
  'student-unlock': [
    w.unpaid,
    sql`INSERT INTO students (registration_id, account_id, programme_id, npm, issued_at)
      SELECT id, account_id, accepted_programme_id, '2600002', now() FROM registrations WHERE id = ${w.unpaid}`,
    sql`UPDATE registrations SET status = 'enrolled' WHERE id = ${w.unpaid}`,
  ],
  'student-programme': [
    w.enrolled,
    sql`UPDATE students SET programme_id = ${academic.programmes[1]} WHERE id = ${w.student}`,
  ],
})

class Undo extends Error {}

/** What is found with the mistake in the books, and what should be; nothing of it stays. */
async function foundWith([wrong, ...statements]: ReturnType<typeof mistakes>[InvariantName]) {
  let found: Awaited<ReturnType<typeof findImpossible>> = []
  let id = ''
  await t.owner
    .transaction()
    .execute(async (tx) => {
      // No trigger and no foreign key is looked at.
      await sql`SET LOCAL session_replication_role = replica`.execute(tx)
      for (const statement of statements) await statement.execute(tx)
      if (typeof wrong === 'string') id = wrong
      else id = (await sql<{ id: string }>`SELECT ${wrong}::text AS id`.execute(tx)).rows[0]!.id
      found = await findImpossible(tx, t.clock.now())
      throw new Undo()
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error
    })
  return { found, id }
}

/** Does a screen of the product answer at this address? */
const isScreen = (path: string) =>
  screens.some((screen) =>
    new RegExp(`^${screen.path.replace(/\/:\w+/g, '/[^/]+')}$`).test(new URL(path, 'http://x').pathname),
  )

describe('the check of the books', () => {
  test('finds nothing where everything is right', async () => {
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test.each(invariantNames)('finds a mistake of the kind %s and nothing else', async (name) => {
    const { found, id } = await foundWith(mistakes(world)[name])
    expect(found.map((one) => [one.check, one.id])).toEqual([[name, id]])
    const [one] = found
    expect(one!.label).not.toBe('')
    expect(one!.stored).not.toBe(one!.derived)
    expect(one!.path).toSatisfy(isScreen)
  })

  test('a limit lowered after it was reached is no mistake', async () => {
    const lowered = [
      sql`UPDATE discounts SET max_uses = 1, uses = 1, updated_at = now() + interval '1 second' WHERE id = ${world.discount}`,
      sql`UPDATE test_sessions SET capacity = 0, updated_at = now() + interval '1 second'`,
      sql`UPDATE programme_details SET capacity = 0, updated_at = now() + interval '1 second'`,
    ]
    expect((await foundWith(['', ...lowered])).found).toEqual([])
  })

  test('names the receipts around a missing number', async () => {
    const { found } = await foundWith([
      'all',
      sql`UPDATE payments SET receipt_number = NULL WHERE receipt_number =
        (SELECT receipt_number FROM payments WHERE receipt_number IS NOT NULL ORDER BY 1 OFFSET 1 LIMIT 1)`,
    ])
    expect(found[0]).toMatchObject({ check: 'receipt-gap', label: expect.stringMatching(/000001 → KW-\d+-000003$/) })
  })
})

describe('a run', () => {
  const open = () => t.db.selectFrom('invariantFindings').selectAll().where('goneAt', 'is', null).execute()
  const spoil = (by: number) =>
    sql`UPDATE bills SET paid = paid + ${by}, total = total + ${by} WHERE id = ${world.paid}`.execute(t.owner)
  const messagesTo = async (accountId: string) =>
    (
      await t.db
        .selectFrom('messages')
        .select('subject')
        .where('accountId', '=', accountId)
        .where('event', '=', 'invariants-found')
        .where('channel', '=', 'inbox')
        .execute()
    ).length

  test('tells what is new once, to everybody who sees everything, and notes when it is right again', async () => {
    const clerk = await asStaff(t, 'Keuangan')
    const limited = await asWithPermissions(t, ['ops-invariants'], { programmeIds: [academic.programmes[0]!] })
    const stranger = await asStaff(t, 'Panitia PMB')
    await spoil(-1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 2, fresh: 2 })
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 2, fresh: 0 })
    expect((await open()).map(({ checkName, subjectId }) => [checkName, subjectId])).toEqual(
      expect.arrayContaining([
        ['bill-paid', world.paid],
        ['bill-lines', world.paid],
      ]),
    )
    expect(await messagesTo(clerk.accountId)).toBe(1)
    expect(await messagesTo(limited.accountId)).toBe(0)
    expect(await messagesTo(stranger.accountId)).toBe(0)
    await spoil(1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 0, fresh: 0 })
    expect(await open()).toEqual([])
  })

  test('the same mistake made again is told again', async () => {
    await spoil(-1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ fresh: 2 })
    await spoil(1)
    expect(await runChecks(t.services, systemActor)).toMatchObject({ found: 0 })
  })

  test('two at once tell everything once', async () => {
    const clerk = await asStaff(t, 'Keuangan')
    await spoil(-1)
    const runs = await Promise.all([runChecks(t.services, systemActor), runChecks(t.services, systemActor)])
    expect(runs.map(({ fresh }) => fresh).sort()).toEqual([0, 2])
    expect(await messagesTo(clerk.accountId)).toBe(1)
    await spoil(1)
    await runChecks(t.services, systemActor)
  })

  test('over the API: looking writes nothing, checking does, and both need the permission and the whole view', async () => {
    const clerk = await asWithPermissions(t, ['ops-invariants'])
    const before = await t.db.selectFrom('invariantRuns').selectAll().execute()
    await spoil(-1)
    const looked = await clerk.get('/ops/invariants')
    expect(looked.statusCode, looked.body).toBe(200)
    expect(looked.json().data).toMatchObject({ checks: invariantNames.length, found: [] })
    expect(await t.db.selectFrom('invariantRuns').selectAll().execute()).toEqual(before)
    const checked = await clerk.post('/ops/invariants')
    expect(checked.statusCode, checked.body).toBe(200)
    expect(checked.json().data.run).toMatchObject({ found: 2, startedBy: 'Sari Wulandari' })
    expect(checked.json().data.found).toContainEqual(
      expect.objectContaining({
        check: 'bill-paid',
        subject: { type: 'bill', id: world.paid, label: expect.any(String) },
        stored: '249999',
        derived: '250000',
        path: expect.stringMatching(/^\/pendaftaran\/.*\/pembayaran$/),
      }),
    )
    expect((await clerk.get('/ops/invariants')).json()).toEqual(checked.json())
    const list = async (query: string) => (await clerk.get(`/ops/findings?${query}`)).json()
    expect(await list('check=bill-paid')).toMatchObject({
      data: [{ check: 'bill-paid', goneAt: null }],
      meta: { total: 1 },
    })
    await spoil(1)
    expect((await clerk.post('/ops/invariants')).json().data).toMatchObject({ run: { found: 0 }, found: [] })
    expect((await list('')).meta.total).toBe(0)
    expect((await list('state=gone&check=bill-lines')).meta.total).toBeGreaterThan(0)
    expect((await list(`state=gone&q=${checked.json().data.found[0].subject.label}`)).meta.total).toBeGreaterThan(0)
    const [audit] = await t.db
      .selectFrom('auditLog')
      .select(['action', 'actorId'])
      .where('action', '=', 'invariants.run')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(audit).toEqual({ action: 'invariants.run', actorId: clerk.accountId })

    const stranger = await asWithPermissions(t, ['pembayaran-mahasiswa-view'])
    const limited = await asWithPermissions(t, ['ops-invariants'], { programmeIds: [academic.programmes[0]!] })
    for (const actor of [stranger, limited])
      for (const answer of [
        await actor.get('/ops/invariants'),
        await actor.post('/ops/invariants'),
        await actor.get('/ops/findings'),
      ])
        expect(answer.statusCode).toBe(403)
  })
})

test('finds nothing in the demo university', async () => {
  const demo = await testApp()
  try {
    await runSeeds({ ...demo.services, db: demo.owner }, 'reference')
    await runSeeds({ ...demo.services, db: demo.owner }, 'demo')
    expect((await checkInvariants(demo.services)).slice(0, 10)).toEqual([])
  } finally {
    await demo.close()
  }
}, 120_000)
