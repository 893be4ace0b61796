import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { aMidtrans } from '#server-test/factories/providers.ts'
import { codeOf, readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const { paidStateOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
let second: TestActor
let midtrans: Awaited<ReturnType<typeof aMidtrans>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  midtrans = await aMidtrans(t)
  clerk = await asStaff(t, 'Keuangan', { name: 'Petugas Satu' })
  second = await asStaff(t, 'Keuangan')
})
afterAll(async () => {
  await midtrans.peer.close()
  await t.close()
})
afterEach(() => assertBalanced(t))

const fee = 250_000
const reason = 'Sesuai bukti transfer'
const decide = (actor: TestActor, id: string) => actor.post(`/persetujuan/${id}/decide`, { approve: true })

async function aNumber() {
  const fixture = await aBill(t, academic, { amount: 250_000 })
  const answer = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: midtrans.bank })
  return { ...fixture, number: answer.json().data.number as string }
}
const paymentOn = (number: string) =>
  t.db.selectFrom('payments').selectAll().where('virtualAccountNumber', '=', number).executeTakeFirstOrThrow()

/** Money whose denial arrived before its report, or that the fraud check holds. */
async function heldMoney(hold: 'reversed_by_bank' | 'fraud_review') {
  const fixture = await aNumber()
  if (hold === 'fraud_review') midtrans.peer.review(fixture.number, 'challenge')
  const money = midtrans.peer.receive(fixture.number, fee)
  if (hold === 'reversed_by_bank') await midtrans.peer.notify(money, 'deny')
  await midtrans.peer.report(money)
  const payment = await paymentOn(fixture.number)
  expect(payment).toMatchObject({ waitingReason: hold, waitingAmount: fee })
  return { ...fixture, payment }
}
const give = (paymentId: string, billId: string, amount = fee) =>
  clerk.post(`/pembayaran-mahasiswa/${paymentId}/allocate`, { billId, amount, reason })
const giveBack = (paymentId: string) =>
  clerk.post(`/pembayaran-mahasiswa/${paymentId}/refund`, {
    ...{ bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari', amount: fee, reason },
  })
async function settleAlert(paymentId: string) {
  const { alerts } = (await clerk.get(`/pembayaran-mahasiswa/${paymentId}`)).json().data
  const note = 'Midtrans memastikan uangnya masuk.'
  expect((await clerk.post(`/payment-alerts/${alerts[0].id}/settle`, { note })).statusCode).toBe(200)
}

test.each(['reversed_by_bank', 'fraud_review'] as const)(
  'money held as %s is allocated once another account, which sees the hold, has approved it',
  async (hold) => {
    const { payment, bill } = await heldMoney(hold)
    const answer = await give(payment.id, bill.id)
    expect(answer.json().data.approvalId).toEqual(expect.any(String))
    expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    const { approvalId } = answer.json().data
    expect(codeOf(await decide(clerk, approvalId))).toEqual([403, 'own_request'])
    const state = (await second.get(`/persetujuan/${approvalId}/state`)).json().data
    expect(state.stored).toMatchObject({ hold, amount: fee, toBill: fee })
    expect((await decide(second, approvalId)).statusCode).toBe(200)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
  },
)

test('held money cannot be allocated to a bill of another account', async () => {
  const { payment } = await heldMoney('fraud_review')
  const other = await aBill(t, academic, { amount: 250_000 })
  const refused = await give(payment.id, other.bill.id)
  expect(refused.json().errors).toMatchObject({ billId: expect.anything() })
})

test.each(['reversed_by_bank', 'fraud_review'] as const)(
  'money held as %s is refunded only after its alert is settled; the decider sees hold and note',
  async (hold) => {
    const { payment } = await heldMoney(hold)
    expect(codeOf(await giveBack(payment.id))).toEqual([409, 'money_not_cleared'])
    await settleAlert(payment.id)
    const { id } = (await giveBack(payment.id)).json().data
    const { stored } = (await second.get(`/persetujuan/${id}/state`)).json().data
    expect(stored).toMatchObject({ hold, holdNote: 'Petugas Satu: Midtrans memastikan uangnya masuk.' })
    expect((await decide(second, id)).statusCode).toBe(200)
  },
)

test('money on a bill that is denied later is neither moved nor refunded before staff settle the alert', async () => {
  const { actor, bill, number } = await aNumber()
  const money = midtrans.peer.receive(number, fee)
  await midtrans.peer.report(money)
  const other = await aBill(t, academic, { amount: 250_000, actor, trackId: academic.tracks.achievement })
  await midtrans.peer.notify(money, 'deny')
  const payment = await paymentOn(number)
  expect(codeOf(await give(payment.id, other.bill.id))).toEqual([409, 'money_not_cleared'])
  expect(codeOf(await giveBack(payment.id))).toEqual([409, 'money_not_cleared'])
  expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
  await settleAlert(payment.id)
  expect((await give(payment.id, other.bill.id)).statusCode).toBe(200)
})

test('held money that returns from a cancelled bill is held again', async () => {
  const { payment, bill } = await heldMoney('fraud_review')
  const answer = await give(payment.id, bill.id, 100_000)
  expect((await decide(second, answer.json().data.approvalId)).statusCode).toBe(200)
  const { registrationId } = await t.db
    .selectFrom('bills')
    .select('registrationId')
    .where('id', '=', bill.id)
    .executeTakeFirstOrThrow()
  await inTransaction(t.services, systemActor, (context) => cancelBills(context, registrationId, 'withdrawn'))
  expect(await paymentOn(payment.virtualAccountNumber!)).toMatchObject({
    waitingAmount: fee,
    waitingReason: 'fraud_review',
  })
})
