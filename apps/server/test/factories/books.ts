import { sql } from 'kysely'
import { expect } from 'vitest'
import { universityCalendar } from '#domain/calendar.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import type { AcademicFixture } from './academic.ts'
import { aSchool } from './applicants.ts'
import { approvedByAnother } from './approvals.ts'
import { aBill, aReport, aVirtualAccount, aVoucherUse, type BillDetails, leave } from './payments.ts'
import { aProvider, providerInput } from './providers.ts'
import { testSession } from './registrations/testing.ts'
import { aBankAccount, anImport } from './statements.ts'

/** Ids of rows with which every invariant can be broken. */
export type Books = Awaited<ReturnType<typeof someBooks>>

/**
 * Bills in every state of payment, with transfer numbers, exceptions, refunds, discounts, a seat, a place and a student
 * number.
 */
export async function someBooks(t: TestApp, academic: AcademicFixture) {
  const pay = async (virtualAccountNumber: string, amount: number) =>
    expect((await aReport(t, { virtualAccountNumber, amount }).send()).statusCode).toBe(200)
  const paidFee = await aBill(t, academic, { amount: 250_000 })
  const account = await aVirtualAccount(paidFee.actor, paidFee.bill.id)
  await pay(account.number, 250_000)

  // Two accepted applicants with instalments, the first one paid; one applicant has a student number.
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

  const openFee = await aBill(t, academic, { amount: 250_000 })
  const openAccount = await aVirtualAccount(openFee.actor, openFee.bill.id)
  // A partly paid, then cancelled bill: its allocation was removed and the money waits.
  const cancelledFee = await aBill(t, academic, { amount: 250_000 })
  await pay((await aVirtualAccount(cancelledFee.actor, cancelledFee.bill.id)).number, 100_000)
  await inTransaction(t.services, systemActor, (context) =>
    cancelBills(context, cancelledFee.registration.id, 'withdrawn'),
  )
  await pay('990019999999999', 250_000)

  const session = await testSession(t.db, academic, t.clock.now(), { capacity: 2 })
  await t.db.updateTable('testSessionSeats').set({ taken: 1 }).where('testSessionId', '=', session).execute()
  await t.db
    .insertInto('testSeats')
    .values({ testSessionId: session, registrationId: paidFee.registration.id, status: 'booked' })
    .execute()
  await aVoucherUse(t, openFee.registration.id)
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
    paid: paidFee.bill.id,
    account: account.id,
    enrolled: enrolled.registration.id,
    student,
    parts: confirmed.bill.id,
    unpaid: unpaid.registration.id,
    open: openFee.bill.id,
    ended: cancelledFee.bill.id,
    openAccount: openAccount.id,
    session,
    voucher,
    discount,
    agreement,
    ...(await atTheDesk(t, academic)),
    ...(await onTheStatement(t)),
  }
}

/** Desk work: exceptions, corrections, refunds, a manual discount, money allocated and moved. */
async function atTheDesk(t: TestApp, academic: AcademicFixture) {
  const clerk = await asStaff(t, 'Keuangan')
  const secondClerk = await asStaff(t, 'Keuangan')
  const reason = 'Sesuai ketentuan'
  const dataOf = async (pendingAnswer: ReturnType<TestActor['post']>) => {
    const answer = await pendingAnswer
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data as { id: string }
  }
  const approve = async (url: string, request: object) => {
    const { id } = await dataOf(clerk.post(url, { reason, ...request }))
    await dataOf(secondClerk.post(`/persetujuan/${id}/decide`, { approve: true, reason }))
    return id
  }
  const exception = (billId: string, request: object) => approve(`/bills/${billId}/exceptions`, request)
  const cash = async (billId: string, amount: number) => {
    const paidAt = t.clock.now().toISOString()
    const entry = { billId, amount, method: 'cash', paidAt, payerName: 'Ayah Sari' }
    const request = await approve('/pembayaran-mahasiswa', entry)
    const { paymentId } = await t.db
      .selectFrom('approvalRequests')
      .select('paymentId')
      .where('id', '=', request)
      .executeTakeFirstOrThrow()
    return { request, payment: paymentId! }
  }
  const back = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari Wulandari' }
  const aTuition = () => anAccepted(t, academic)

  const waivedFee = await aBill(t, academic, { amount: 250_000 })
  await exception(waivedFee.bill.id, { kind: 'waiver', amount: 50_000 })
  const cashPayment = await cash(waivedFee.bill.id, 200_000)
  const promisedTuition = await aTuition()
  const payBy = universityCalendar().dayOf(new Date(t.clock.now().getTime() + 40 * 86_400_000))
  await exception(promisedTuition.bill.id, { kind: 'promise', payBy })
  const guaranteedTuition = await aTuition()
  await exception(guaranteedTuition.bill.id, { kind: 'guarantee', sponsor: 'Yayasan Contoh' })

  const reopenedFee = await aBill(t, academic, { amount: 250_000 })
  const wrongCash = await cash(reopenedFee.bill.id, 250_000)
  const reversal = await approve(`/pembayaran-mahasiswa/${wrongCash.payment}/reversal`, {})

  // A withdrawn place: the policy refunds half of the money, and the bill shrinks by as much.
  const withdrawnTuition = await aTuition()
  const tuitionCash = await cash(withdrawnTuition.bill.id, 1_000_000)
  await t.db
    .insertInto('refundPolicies')
    .values({ code: 'SETENGAH', name: '50 %', lastDay: '2099-12-31', shareBps: 5000 })
    .execute()
  await leave(t, withdrawnTuition.registration.id)
  const refund = await approve(`/pembayaran-mahasiswa/${tuitionCash.payment}/refund`, { ...back, amount: 500_000 })

  // Stray money is allocated to a bill, then part of it to another bill of the same applicant.
  const fee = await aBill(t, academic, { amount: 250_000 })
  const tuition = await anAccepted(t, academic, { actor: fee.actor, trackId: academic.tracks.achievement })
  await aReport(t, { virtualAccountNumber: '990018888888888', amount: 250_000 }).send()
  const { id: strayPayment } = await t.db
    .selectFrom('payments')
    .select('id')
    .where('virtualAccountNumber', '=', '990018888888888')
    .executeTakeFirstOrThrow()
  for (const [billId, amount] of [
    [fee.bill.id, 250_000],
    [tuition.bill.id, 100_000],
  ] as const) {
    const allocation = await clerk.post(`/pembayaran-mahasiswa/${strayPayment}/allocate`, { billId, amount, reason })
    expect(allocation.statusCode, allocation.body).toBe(200)
    const { approvalId } = allocation.json().data
    // The first allocation of stray money decides its owner and needs approval; later ones do not.
    if (approvalId) await dataOf(secondClerk.post(`/persetujuan/${approvalId}/decide`, { approve: true, reason }))
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
    waived: waivedFee.bill.id,
    counted: cashPayment,
    guaranteed: guaranteedTuition.bill.id,
    reversed: wrongCash.payment,
    reversal,
    refunded: tuitionCash.payment,
    refund,
    found: strayPayment,
    promised: promisedTuition.bill.id,
    moved: tuition.bill.id,
    byHand,
    cheaper,
  }
}

/** A statement with two credits: one recorded as a payment, the other still unmatched. */
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
  const recording = await clerk.post(`/statement-lines/${line}/record`, {})
  expect(recording.statusCode, recording.body).toBe(200)
  await approvedByAnother(t, recording.json().data.id)
  const connection = await aProvider(
    t,
    providerInput('xendit', {
      code: 'buku',
      name: 'Koneksi buku',
      banks: [],
      secrets: { callbackToken: 'buku rahasia' },
    }),
  )
  const comparison = await clerk.post('/rekonsiliasi/compute', { bankAccountId: account.id, day: today })
  expect(comparison.statusCode, comparison.body).toBe(200)
  return {
    statement,
    compared: comparison.json().data.id as string,
    bankAccount: account.id,
    connection: connection.id,
  }
}

async function anAccepted(t: TestApp, academic: AcademicFixture, options: BillDetails = {}) {
  const tuition = await aBill(t, academic, {
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
    .where('id', '=', tuition.registration.id)
    .execute()
  await sql`SELECT fill_registration_steps()`.execute(t.db)
  return tuition
}
