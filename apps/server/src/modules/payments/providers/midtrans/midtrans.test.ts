import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expireRegistrationsJob } from '#server/modules/admissions/expire-registrations.job.ts'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { reissueBill } from '#server/modules/payments/bills/change/reissue-bill.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, asWithPermissions } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { aMidtrans } from '#server-test/factories/providers.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { midtransSignature } from './midtrans.ts'

const { paidStateOf, paymentOf } = readersOf(() => t)

let t: TestApp
let academic: AcademicFixture
let midtrans: Awaited<ReturnType<typeof aMidtrans>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  midtrans = await aMidtrans(t)
})
afterAll(async () => {
  await midtrans.peer.close()
  await t.close()
})
afterEach(() => assertBalanced(t))

async function aNumber() {
  const fixture = await aBill(t, academic, { amount: 250_000 })
  const answer = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: midtrans.bank })
  expect(answer.statusCode, answer.body).toBe(200)
  return { ...fixture, account: answer.json().data as { id: string; number: string } }
}
const alertsOf = (id: string) =>
  t.db.selectFrom('paymentAlerts').selectAll().where('virtualAccountId', '=', id).execute()
/** Settles the alert about a number as staff. */
async function settle(accountId: string) {
  const [alert] = await alertsOf(accountId)
  const clerk = await asStaff(t, 'Keuangan')
  const answer = await clerk.post(`/payment-alerts/${alert!.id}/settle`, { note: 'Midtrans memastikan lewat telepon.' })
  expect(answer.statusCode, answer.body).toBe(200)
}
const paymentsOn = (number: string) =>
  t.db.selectFrom('payments').selectAll().where('virtualAccountNumber', '=', number).execute()

describe('a settlement that Midtrans denies', () => {
  test('afterwards stays booked and raises one alert', async () => {
    const { account, bill } = await aNumber()
    const money = midtrans.peer.receive(account.number, 250_000)
    await midtrans.peer.report(money)
    const heard = await midtrans.peer.notify(money, 'deny')
    expect(heard.status).toBe(200)
    await midtrans.peer.notify(money, 'deny')
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: 250_000 })
    const [payment] = await paymentsOn(account.number)
    expect(await alertsOf(account.id)).toMatchObject([
      { kind: 'reversed_by_bank', paymentId: payment!.id, settledAt: null },
    ])
  })

  test('raises an alert also if the office has reversed the payment', async () => {
    const { account } = await aNumber()
    const money = midtrans.peer.receive(account.number, 250_000)
    await midtrans.peer.report(money)
    const [payment] = await paymentsOn(account.number)
    const [clerk, approver] = [await asStaff(t, 'Keuangan'), await asStaff(t)]
    const answer = await clerk.post(`/pembayaran-mahasiswa/${payment!.id}/reversal`, { reason: 'Tidak pernah masuk' })
    await approver.post(`/persetujuan/${answer.json().data.id}/decide`, { approve: true })
    await midtrans.peer.notify(money, 'deny')
    expect(await alertsOf(account.id)).toMatchObject([{ kind: 'reversed_by_bank', paymentId: payment!.id }])
    expect((await paymentsOn(account.number))[0]).toMatchObject({ status: 'reversed' })
  })

  test('beforehand waits, with nothing booked on the bill', async () => {
    const { account, bill } = await aNumber()
    const money = midtrans.peer.receive(account.number, 250_000)
    await midtrans.peer.notify(money, 'deny')
    expect(await alertsOf(account.id)).toEqual([])
    await midtrans.peer.report(money)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    expect(await paymentsOn(account.number)).toMatchObject([
      { status: 'waiting', waitingReason: 'reversed_by_bank', waitingAmount: 250_000 },
    ])
    expect(await alertsOf(account.id)).toMatchObject([{ kind: 'reversed_by_bank' }])
  })

  test('at the same moment raises an alert and books the payment once, in either order', async () => {
    for (let round = 0; round < 5; round++) {
      const { account } = await aNumber()
      const money = midtrans.peer.receive(account.number, 250_000)
      await Promise.all([midtrans.peer.report(money), midtrans.peer.notify(money, 'deny')])
      expect(await paymentsOn(account.number)).toHaveLength(1)
      expect(await alertsOf(account.id)).toHaveLength(1)
    }
  })
})

describe('a settlement that Midtrans has not cleared of fraud', () => {
  const fee = 250_000
  /** A payment held by the fraud check. */
  async function anUnclearedPayment(fraud: 'challenge' | 'deny' = 'challenge') {
    const fixture = await aNumber()
    midtrans.peer.review(fixture.account.number, fraud)
    const money = midtrans.peer.receive(fixture.account.number, fee)
    return { ...fixture, money }
  }
  const reportHeld = async (fraud?: 'challenge' | 'deny') => {
    const fixture = await anUnclearedPayment(fraud)
    expect((await midtrans.peer.report(fixture.money)).status).toBe(200)
    const [payment] = await paymentsOn(fixture.account.number)
    return { ...fixture, payment: payment! }
  }
  const accept = ({ account, money }: Awaited<ReturnType<typeof anUnclearedPayment>>) => {
    midtrans.peer.review(account.number, 'accept')
    return midtrans.peer.report(money)
  }

  test.each(['challenge', 'deny'] as const)('%s: the money waits for a person, who is told once', async (fraud) => {
    const { account, bill, money, payment } = await reportHeld(fraud)
    await midtrans.peer.report(money)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    expect(payment).toMatchObject({ status: 'waiting', waitingReason: 'fraud_review', waitingAmount: fee })
    expect(await alertsOf(account.id)).toMatchObject([{ kind: 'fraud_review', paymentId: payment.id, settledAt: null }])
    const clerk = await asWithPermissions(t, ['pembayaran-mahasiswa-view', 'transaksi-va-view'])
    const { data } = (await clerk.get('/uang-menunggu?reason=fraud_review')).json()
    expect(data.map(({ id }: { id: string }) => id)).toContain(payment.id)
    const detail = (await clerk.get(`/pembayaran-mahasiswa/${payment.id}`)).json().data
    expect(detail.alerts).toMatchObject([{ kind: 'fraud_review' }])
  })

  test('is booked and its alert settled once Midtrans accepts it', async () => {
    const fixture = await reportHeld()
    expect((await accept(fixture)).status).toBe(200)
    expect(await paidStateOf(fixture.bill.id)).toEqual({ status: 'paid', paid: fee })
    expect(await paymentOf(fixture.payment.id)).toMatchObject({
      status: 'allocated',
      receiptNumber: expect.any(String),
    })
    expect(await alertsOf(fixture.account.id)).toMatchObject([{ settledAt: expect.any(Date), settledBy: null }])
    // Another report changes nothing.
    await midtrans.peer.report(fixture.money)
    expect(await paidStateOf(fixture.bill.id)).toEqual({ status: 'paid', paid: fee })
  })

  test('pays the replacing bill if the bill was replaced before Midtrans accepts it', async () => {
    const fixture = await reportHeld()
    const next = await inTransaction(t.services, systemActor, (context) =>
      reissueBill(context, fixture.bill.id, {
        lines: [{ description: 'Biaya pendaftaran', amount: 200_000 }],
        dueAt: new Date(Date.now() + 86_400_000),
        reason: 'made for a test',
      }),
    )
    await accept(fixture)
    expect(await paidStateOf(next.id)).toEqual({ status: 'paid', paid: 200_000 })
    expect(await paymentOf(fixture.payment.id)).toMatchObject({ waitingAmount: 50_000, waitingReason: 'overpaid' })
  })

  test('stays as staff decided if a refund was requested or a part allocated before Midtrans accepts it', async () => {
    const clerk = await asWithPermissions(t, ['pembayaran-mahasiswa-update', 'pembayaran-mahasiswa-view'])
    const refundCase = await reportHeld()
    await settle(refundCase.account.id)
    const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari' }
    const wish = { amount: fee, ...account, reason: 'Diduga penipuan' }
    expect((await clerk.post(`/pembayaran-mahasiswa/${refundCase.payment.id}/refund`, wish)).statusCode).toBe(200)
    await accept(refundCase)
    expect(await paymentOf(refundCase.payment.id)).toMatchObject({ waitingAmount: fee, waitingReason: 'fraud_review' })

    const allocateCase = await reportHeld()
    const part = { billId: allocateCase.bill.id, amount: 100_000, reason: 'Sudah diperiksa' }
    const giving = await clerk.post(`/pembayaran-mahasiswa/${allocateCase.payment.id}/allocate`, part)
    expect(giving.statusCode, giving.body).toBe(200)
    await approvedByAnother(t, giving.json().data.approvalId)
    await accept(allocateCase)
    expect(await paidStateOf(allocateCase.bill.id)).toEqual({ status: 'partly_paid', paid: 100_000 })
    expect(await paymentOf(allocateCase.payment.id)).toMatchObject({
      waitingAmount: 150_000,
      waitingReason: 'fraud_review',
    })
  })

  test('stays booked with an alert if the doubt comes after the booking', async () => {
    const { account, bill } = await aNumber()
    const money = midtrans.peer.receive(account.number, fee)
    await midtrans.peer.report(money)
    midtrans.peer.review(account.number, 'challenge')
    await midtrans.peer.report(money)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
    expect(await alertsOf(account.id)).toMatchObject([{ kind: 'fraud_review', settledAt: null }])
  })

  test('keeps its registration from expiring', async () => {
    const expire = () => expireRegistrationsJob.run(t.services, {})
    const statusOf = async (id: string) =>
      (await t.db.selectFrom('registrations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
    const fixture = await reportHeld()
    t.clock.set(new Date(Date.now() + 4 * 86_400_000))
    await expire()
    expect(await statusOf(fixture.registration.id)).toBe('submitted')
    const clerk = await asStaff(t, 'Keuangan')
    await settle(fixture.account.id)
    const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari' }
    const wish = { amount: fee, ...account, reason: 'Diduga penipuan' }
    const answer = await clerk.post(`/pembayaran-mahasiswa/${fixture.payment.id}/refund`, wish)
    await (await asStaff(t)).post(`/persetujuan/${answer.json().data.id}/decide`, { approve: true })
    await expire()
    expect(await statusOf(fixture.registration.id)).toBe('expired')
    t.clock.reset()
  })

  test('waits also if the sweep found it, and is booked once Midtrans accepts it', async () => {
    const { account, bill } = await anUnclearedPayment()
    t.clock.set(new Date(Date.now() + 3_600_000))
    await askDue(t.services)
    expect(await paymentsOn(account.number)).toMatchObject([{ waitingReason: 'fraud_review' }])
    midtrans.peer.review(account.number, 'accept')
    t.clock.set(new Date(Date.now() + 24 * 3_600_000))
    await askDue(t.services)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
    t.clock.reset()
  })

  test('is booked once if it is held and accepted at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const fixture = await anUnclearedPayment()
      const first = midtrans.peer.report(fixture.money)
      await Promise.all([first, accept(fixture), midtrans.peer.report(fixture.money)])
      expect(await paymentsOn(fixture.account.number)).toMatchObject([{ status: 'allocated', amount: fee }])
      expect(await paidStateOf(fixture.bill.id)).toEqual({ status: 'paid', paid: fee })
    }
  })
})

test('the statuses pending, expire and cancel mark nothing as paid', async () => {
  const { account, bill } = await aNumber()
  const money = { reference: 'x', number: account.number, amount: 250_000, at: new Date() }
  for (const status of ['pending', 'expire', 'cancel'])
    expect((await midtrans.peer.notify(money, status)).status).toBe(200)
  expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
  expect(await alertsOf(account.id)).toEqual([])
})

test('the signature of a pending order does not prove a settlement', async () => {
  const { account, bill } = await aNumber()
  const fields = { order_id: account.id, status_code: '201', gross_amount: '250000.00' }
  const provider = (await findProvider(t.services, midtrans.code))!
  const read = (status: string) => {
    const body = {
      ...fields,
      signature_key: midtransSignature(fields, midtrans.serverKey),
      transaction_id: 'pending-1',
      transaction_status: status,
      transaction_time: '2026-11-21 10:00:00',
      va_numbers: [{ bank: 'bca', va_number: account.number }],
    }
    return provider.readReport({
      method: 'POST',
      path: '/',
      headers: {},
      network: '',
      body: Buffer.from(JSON.stringify(body)),
    })
  }
  expect(read('pending')).toMatchObject({ kind: 'ignored' })
  expect(read('settlement')).toEqual({ kind: 'malformed' })
  expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
})

test('staff see reports without the signature, which could be used to send the report again', async () => {
  const { account } = await aNumber()
  await midtrans.peer.report(midtrans.peer.receive(account.number, 250_000))
  const [payment] = await paymentsOn(account.number)
  const clerk = await asWithPermissions(t, ['transaksi-va-view', 'pembayaran-mahasiswa-view'])
  for (const path of [`/transaksi-va/${account.id}`, `/pembayaran-mahasiswa/${payment!.id}`]) {
    const { body, statusCode } = await clerk.get(path)
    expect(statusCode).toBe(200)
    expect(body).toContain('signature_key')
    expect(body).not.toMatch(/[0-9a-f]{128}/)
  }
})

test('calls and responses are stored with the number, without the key', async () => {
  const { account } = await aNumber()
  const calls = await t.db.selectFrom('bankCalls').selectAll().where('virtualAccountId', '=', account.id).execute()
  expect(calls).toMatchObject([{ action: 'issue', method: 'POST', status: 200, provider: 'midtrans-uji' }])
  expect(calls[0]!.request).toContain('"payment_type":"bank_transfer"')
  expect(JSON.stringify(calls)).not.toMatch(/SB-Mid-server|Basic/)
})
