import { sql } from 'kysely'
import { expect } from 'vitest'
import { universityCalendar } from '#domain/calendar.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import type { AcademicFixture } from './academic.ts'
import { aSchool } from './applicants.ts'
import { approvedByAnother } from './approvals.ts'
import { aBill, aReport, aVirtualAccount, aVoucherUse, type BillDetails, leave } from './payments.ts'
import { aProvider, providerInput } from './providers.ts'
import { testSession } from './registrations/testing.ts'
import { aBankAccount, anImport } from './statements.ts'

/** A small university in whose books every rule has something to say. */
export type Books = Awaited<ReturnType<typeof someBooks>>

/** Bills in every state money can be in, with numbers, exceptions, refunds, discounts, a seat, a place and a student number. */
export async function someBooks(t: TestApp, academic: AcademicFixture) {
  const pay = async (virtualAccountNumber: string, amount: number) =>
    expect((await aReport(t, { virtualAccountNumber, amount }).send()).statusCode).toBe(200)
  const paid = await aBill(t, academic, { amount: 250_000 })
  const account = await aVirtualAccount(paid.actor, paid.bill.id)
  await pay(account.number, 250_000)

  // Two who were accepted and pay in instalments, the first paid; one of them has a student number.
  const [enrolled, confirmed] = await Promise.all([anAccepted(t, academic), anAccepted(t, academic)])
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
  const unpaid = await anAccepted(t, academic)

  const open = await aBill(t, academic, { amount: 250_000 })
  const openAccount = await aVirtualAccount(open.actor, open.bill.id)
  // One that was paid in part, then cancelled: its money was taken back and waits.
  const ended = await aBill(t, academic, { amount: 250_000 })
  await pay((await aVirtualAccount(ended.actor, ended.bill.id)).number, 100_000)
  await t.db.transaction().execute((tx) => cancelBills(tx, t.services, systemActor, ended.registration.id, 'withdrawn'))
  await pay('990019999999999', 250_000)

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
    ended: ended.bill.id,
    openAccount: openAccount.id,
    session,
    voucher,
    discount,
    agreement,
    ...(await atTheDesk(t, academic)),
    ...(await onTheStatement(t)),
  }
}

/** What people at the desk do with money: exceptions, corrections, refunds, a discount by hand, money given and moved. */
async function atTheDesk(t: TestApp, academic: AcademicFixture) {
  const clerk = await asStaff(t, 'Keuangan')
  const second = await asStaff(t, 'Keuangan')
  const reason = 'Sesuai ketentuan'
  const done = async (answering: ReturnType<TestActor['post']>) => {
    const answer = await answering
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data as { id: string }
  }
  const approved = async (url: string, wish: object) => {
    const { id } = await done(clerk.post(url, { reason, ...wish }))
    await done(second.post(`/persetujuan/${id}/decide`, { approve: true, reason }))
    return id
  }
  const exception = (billId: string, wish: object) => approved(`/bills/${billId}/exceptions`, wish)
  const cash = async (billId: string, amount: number) => {
    const paidAt = t.clock.now().toISOString()
    const wish = { billId, amount, method: 'cash', paidAt, payerName: 'Ayah Sari' }
    const request = await approved('/pembayaran-mahasiswa', wish)
    const { paymentId } = await t.db
      .selectFrom('approvalRequests')
      .select('paymentId')
      .where('id', '=', request)
      .executeTakeFirstOrThrow()
    return { request, payment: paymentId! }
  }
  const back = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari Wulandari' }
  const aTuition = () => anAccepted(t, academic)

  const waived = await aBill(t, academic, { amount: 250_000 })
  await exception(waived.bill.id, { kind: 'waiver', amount: 50_000 })
  const counted = await cash(waived.bill.id, 200_000)
  const promised = await aTuition()
  const payBy = universityCalendar().dayOf(new Date(t.clock.now().getTime() + 40 * 86_400_000))
  await exception(promised.bill.id, { kind: 'promise', payBy })
  const guaranteed = await aTuition()
  await exception(guaranteed.bill.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh' })

  const reopened = await aBill(t, academic, { amount: 250_000 })
  const wrong = await cash(reopened.bill.id, 250_000)
  const reversal = await approved(`/pembayaran-mahasiswa/${wrong.payment}/reversal`, {})

  // Given up: half of it goes back by the policy, and the bill shrinks by as much.
  const left = await aTuition()
  const paid = await cash(left.bill.id, 1_000_000)
  await t.db
    .insertInto('refundPolicies')
    .values({ code: 'SETENGAH', name: '50 %', lastDay: '2099-12-31', shareBps: 5000 })
    .execute()
  await leave(t, left.registration.id)
  const refund = await approved(`/pembayaran-mahasiswa/${paid.payment}/refund`, { ...back, amount: 500_000 })

  // Money nobody knew goes to a bill, and from there in part to another bill of the same person.
  const fee = await aBill(t, academic, { amount: 250_000 })
  const tuition = await anAccepted(t, academic, { actor: fee.actor, trackId: academic.tracks.achievement })
  await aReport(t, { virtualAccountNumber: '990018888888888', amount: 250_000 }).send()
  const { id: found } = await t.db
    .selectFrom('payments')
    .select('id')
    .where('virtualAccountNumber', '=', '990018888888888')
    .executeTakeFirstOrThrow()
  for (const [billId, amount] of [
    [fee.bill.id, 250_000],
    [tuition.bill.id, 100_000],
  ] as const) {
    const given = await clerk.post(`/pembayaran-mahasiswa/${found}/allocate`, { billId, amount, reason })
    expect(given.statusCode, given.body).toBe(200)
    const { approvalId } = given.json().data
    // Whose money of nobody is, another one approves; from then on one person gives it.
    if (approvalId) await done(second.post(`/persetujuan/${approvalId}/decide`, { approve: true, reason }))
  }

  const { id: byHand } = await t.db
    .insertInto('discounts')
    .values({
      code: 'SAUDARA',
      name: 'Potongan saudara',
      kind: 'fixed',
      value: 100_000,
      condition: 'manual',
      appliesTo: 'fee_component',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const dearer = await aTuition()
  await exception(dearer.bill.id, { kind: 'discount', discountId: byHand })
  const { id: cheaper } = await t.db
    .selectFrom('bills')
    .select('id')
    .where('registrationId', '=', dearer.registration.id)
    .where('status', '<>', 'cancelled')
    .executeTakeFirstOrThrow()
  return {
    waived: waived.bill.id,
    counted,
    guaranteed: guaranteed.bill.id,
    reversed: wrong.payment,
    reversal,
    refunded: paid.payment,
    refund,
    found,
    promised: promised.bill.id,
    moved: tuition.bill.id,
    byHand,
    cheaper,
  }
}

/** Two credits on a statement: one recorded as received, about the other nobody knows anything yet. */
async function onTheStatement(t: TestApp) {
  const clerk = await asStaff(t, 'Keuangan')
  const account = await aBankAccount(t, clerk, { sources: ['sandbox-b'] })
  const today = universityCalendar().dayOf(t.clock.now())
  const { id: statement } = await anImport(clerk, account.id, [
    [today, 'Setoran tunai', 'STR-1', 75_000],
    [today, 'Setoran tunai', 'STR-2', 80_000],
  ])
  const { id: line } = await t.db
    .selectFrom('statementLines')
    .select('id')
    .where('importId', '=', statement)
    .where('amountSen', '=', 7_500_000)
    .executeTakeFirstOrThrow()
  const recorded = await clerk.post(`/statement-lines/${line}/record`, {})
  expect(recorded.statusCode, recorded.body).toBe(200)
  await approvedByAnother(t, recorded.json().data.id)
  const connection = await aProvider(
    t,
    providerInput('xendit', {
      code: 'buku',
      name: 'Koneksi buku',
      banks: [],
      secrets: { callbackToken: 'buku rahasia' },
    }),
  )
  const compared = await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: today })
  expect(compared.statusCode, compared.body).toBe(200)
  return {
    statement,
    compared: compared.json().data.id as string,
    bankAccount: account.id,
    connection: connection.id,
  }
}

async function anAccepted(t: TestApp, academic: AcademicFixture, options: BillDetails = {}) {
  const made = await aBill(t, academic, {
    status: 'confirmed',
    accepted: true,
    kind: 're_registration',
    lines: [{ description: 'Uang kuliah', amount: 1_000_000 }],
    installmentPlanId: academic.plan,
    ...options,
  })
  await t.db
    .updateTable('registrations')
    .set({ decidedAt: t.clock.now() })
    .where('id', '=', made.registration.id)
    .execute()
  await sql`SELECT fill_registration_steps()`.execute(t.db)
  return made
}
