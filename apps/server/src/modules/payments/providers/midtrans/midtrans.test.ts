import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asWithPermissions } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { aMidtrans } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { findProvider } from '../index.ts'
import { midtransSignature } from './midtrans.ts'

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

async function ready() {
  const made = await aBill(t, academic)
  const answer = await made.actor.post(`/bills/${made.bill.id}/virtual-account`, { bank: midtrans.bank })
  expect(answer.statusCode, answer.body).toBe(200)
  return { ...made, account: answer.json().data as { id: string; number: string } }
}
const billOf = (id: string) =>
  t.db.selectFrom('bills').select(['status', 'paid']).where('id', '=', id).executeTakeFirstOrThrow()
const alertsOf = (id: string) =>
  t.db.selectFrom('paymentAlerts').selectAll().where('virtualAccountId', '=', id).execute()
const paymentsOn = (number: string) =>
  t.db.selectFrom('payments').selectAll().where('virtualAccountNumber', '=', number).execute()

describe('a settlement that turns into a denial', () => {
  test('the booked payment stands, and a person is told', async () => {
    const { account, bill } = await ready()
    const money = midtrans.peer.receive(account.number, 250_000)
    await midtrans.peer.report(money)
    const heard = await midtrans.peer.notify(money, 'deny')
    expect(heard.status).toBe(200)
    await midtrans.peer.notify(money, 'deny')
    expect(await billOf(bill.id)).toEqual({ status: 'paid', paid: 250_000 })
    const [payment] = await paymentsOn(account.number)
    expect(await alertsOf(account.id)).toMatchObject([
      { kind: 'reversed_by_bank', paymentId: payment!.id, settledAt: null },
    ])
  })

  test('told before the settlement: the money waits, nothing is booked on the bill', async () => {
    const { account, bill } = await ready()
    const money = midtrans.peer.receive(account.number, 250_000)
    await midtrans.peer.notify(money, 'deny')
    expect(await alertsOf(account.id)).toEqual([])
    await midtrans.peer.report(money)
    expect(await billOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    expect(await paymentsOn(account.number)).toMatchObject([
      { status: 'waiting', waitingReason: 'reversed_by_bank', waitingAmount: 250_000 },
    ])
    expect(await alertsOf(account.id)).toMatchObject([{ kind: 'reversed_by_bank' }])
  })

  test('both at the same moment: either way a person is told, and nothing is lost', async () => {
    for (let round = 0; round < 5; round++) {
      const { account } = await ready()
      const money = midtrans.peer.receive(account.number, 250_000)
      await Promise.all([midtrans.peer.report(money), midtrans.peer.notify(money, 'deny')])
      expect(await paymentsOn(account.number)).toHaveLength(1)
      expect(await alertsOf(account.id)).toHaveLength(1)
    }
  })
})

test('what is not money marks nothing as paid: pending, expire, cancel', async () => {
  const { account, bill } = await ready()
  const money = { reference: 'x', number: account.number, amount: 250_000, at: new Date() }
  for (const status of ['pending', 'expire', 'cancel'])
    expect((await midtrans.peer.notify(money, status)).status).toBe(200)
  expect(await billOf(bill.id)).toEqual({ status: 'open', paid: 0 })
  expect(await alertsOf(account.id)).toEqual([])
})

test('the signature of a pending order does not vouch for a settlement', async () => {
  const { account, bill } = await ready()
  const told = { order_id: account.id, status_code: '201', gross_amount: '250000.00' }
  const provider = (await findProvider(t.services, midtrans.code))!
  const read = (status: string) => {
    const body = {
      ...told,
      signature_key: midtransSignature(told, midtrans.serverKey),
      transaction_id: 'pending-1',
      transaction_status: status,
      transaction_time: '2026-11-21 10:00:00',
      va_numbers: [{ bank: 'bca', va_number: account.number }],
    }
    return provider.readReport({ method: 'POST', path: '/', headers: {}, body: Buffer.from(JSON.stringify(body)) })
  }
  expect(read('pending')).toMatchObject({ kind: 'ignored' })
  expect(read('settlement')).toEqual({ kind: 'malformed' })
  expect(await billOf(bill.id)).toEqual({ status: 'open', paid: 0 })
})

test('what staff read of a report has no signature: with it the report could be sent again', async () => {
  const { account } = await ready()
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

test('calls and answers are kept with the number, without the key', async () => {
  const { account } = await ready()
  const calls = await t.db.selectFrom('bankCalls').selectAll().where('virtualAccountId', '=', account.id).execute()
  expect(calls).toMatchObject([{ action: 'issue', method: 'POST', status: 200, provider: 'midtrans-uji' }])
  expect(calls[0]!.request).toContain('"payment_type":"bank_transfer"')
  expect(JSON.stringify(calls)).not.toMatch(/SB-Mid-server|Basic/)
})
