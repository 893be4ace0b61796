import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { expireVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { gatewaysWithCodes } from '#server-test/factories/providers.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { walletNumber } from './wallet-number.ts'

const { paidStateOf, virtualAccountOf } = readersOf(() => t)
const fee = 250_000

let t: TestApp
let academic: AcademicFixture
let { midtrans, xendit, close } = {} as Awaited<ReturnType<typeof gatewaysWithCodes>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  ;({ midtrans, xendit, close } = await gatewaysWithCodes(t))
})
afterAll(async () => {
  await close()
  await t.close()
})
afterEach(() => assertBalanced(t))

type Code = { id: string; number: string; qr: object | null; payUrl: string | null; way: string; expiresAt: string }
async function aCode(bank: string, amount = fee) {
  const fixture = await aBill(t, academic, { amount })
  const answer = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank })
  return { ...fixture, answer, code: answer.json().data as Code }
}
const paymentsOf = (id: string) => t.db.selectFrom('payments').selectAll().where('virtualAccountId', '=', id).execute()
/** What a gateway sends when a code is paid; Midtrans knows it by the order id. */
const payAt = (bank: string, id: string, amount = fee) => {
  if (xenditBanks.includes(bank)) return () => xendit.peer.payCode(id, { amount })
  const money = midtrans.peer.receive(id, amount)
  return () => midtrans.peer.report(money)
}
const xenditBanks = ['uji-x-qris', 'uji-x-id-dana']

describe.each([
  ['uji-qris', 'qris'],
  ['uji-gopay', 'wallet'],
  ['uji-shopeepay', 'wallet'],
  ['uji-x-qris', 'qris'],
  ['uji-x-id-dana', 'wallet'],
])('%s', (bank, way) => {
  test('shows a code or a link for at most an hour, and the same one when asked again', async () => {
    const { answer, code, actor, bill } = await aCode(bank)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(code).toMatchObject({ way, number: walletNumber(code.id) })
    expect([code.qr !== null, code.payUrl !== null]).toEqual([way === 'qris', way === 'wallet'])
    expect(Date.parse(code.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const again = await actor.post(`/bills/${bill.id}/virtual-account`, { bank })
    expect(again.json().data.id).toBe(code.id)
  })

  test('is booked once, however often and at once it is reported', async () => {
    const { code, bill } = await aCode(bank)
    const report = payAt(bank, code.id)
    const answers = await Promise.all(Array.from({ length: 20 }, report))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
    expect(await paymentsOf(code.id)).toMatchObject([{ amount: fee, status: 'allocated' }])
    expect(await virtualAccountOf(code.id)).toMatchObject({ status: 'paid', received: fee })
  })

  test('of more money than owed books what is owed, and the rest waits', async () => {
    const { code, bill } = await aCode(bank)
    await payAt(bank, code.id, fee + 50_000)()
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
    expect(await paymentsOf(code.id)).toMatchObject([{ waitingAmount: 50_000 }])
  })

  test('paid after it expired is booked all the same', async () => {
    const { code, bill } = await aCode(bank)
    t.clock.set(new Date(Date.now() + 2 * 3_600_000))
    await expireVirtualAccounts(t.services)
    t.clock.reset()
    expect(await virtualAccountOf(code.id)).toMatchObject({ status: 'expired' })
    await payAt(bank, code.id)()
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
  })

  test('above the limit of QRIS is refused before the gateway is asked', async () => {
    const { answer, bill } = await aCode(bank, 10_000_001)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.bank).toEqual([expect.stringContaining('10.000.000')])
    const numbers = t.db.selectFrom('virtualAccounts').select('id').where('billId', '=', bill.id)
    expect(await numbers.execute()).toEqual([])
  })
})

test('a callback of Xendit without its token, or of a failed payment, books nothing', async () => {
  const { code, bill } = await aCode('uji-x-id-dana')
  expect((await xendit.peer.payCode(code.id, { token: 'another token' })).status).toBe(401)
  expect((await xendit.peer.payCode(code.id, { status: 'FAILED' })).status).toBe(200)
  expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
})

test('a report of Midtrans with another key books nothing', async () => {
  const { code, bill } = await aCode('uji-qris')
  const money = midtrans.peer.receive(code.id, fee)
  expect((await midtrans.peer.report(money, { signature: true })).status).toBeGreaterThanOrEqual(400)
  expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
})

test('a payment by QRIS that was never reported is found by asking Midtrans', async () => {
  const { code, bill } = await aCode('uji-qris')
  midtrans.peer.receive(code.id, fee)
  t.clock.set(new Date(Date.now() + 20 * 60_000))
  await askDue(t.services)
  t.clock.reset()
  expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
})

test('a code whose answer was lost is refused, and the next one is another order', async () => {
  const fixture = await aBill(t, academic, { amount: fee })
  midtrans.peer.trouble = 'answer_lost'
  const lost = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: 'uji-qris' })
  midtrans.peer.trouble = 'none'
  expect(lost.json().data).toMatchObject({ status: 'pending', qr: null })
  t.clock.set(new Date(Date.now() + 10 * 60_000))
  await t.runJobs()
  t.clock.reset()
  expect(await virtualAccountOf(lost.json().data.id)).toMatchObject({ status: 'failed' })
  const next = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: 'uji-qris' })
  expect(next.json().data).toMatchObject({ way: 'qris', status: 'active' })
  expect(next.json().data.id).not.toBe(lost.json().data.id)
})

test('codes and wallets come first among the ways to pay', async () => {
  const { actor, bill } = await aBill(t, academic, { amount: fee })
  const { registrationId } = await t.db
    .selectFrom('bills')
    .select('registrationId')
    .where('id', '=', bill.id)
    .executeTakeFirstOrThrow()
  const { banks } = (await actor.get(`/pendaftaran/${registrationId}/bills`)).json().data
  const ways = banks.map(({ way }: { way: string }) => way)
  expect(ways[0]).toBe('qris')
  expect(ways.lastIndexOf('wallet')).toBeLessThan(ways.indexOf('transfer'))
})

test.each([
  ['uji-qris', /<svg class="qr"[^>]*aria-label="Kode QRIS"/],
  ['uji-gopay', /<a class="button" href="https:\/\/gopay\.test\/pay\?tref=/],
])('the page of a payment link shows %s without a number to copy', async (bank, code) => {
  const { bill, actor, registration } = await aBill(t, academic, { amount: fee })
  await actor.post(`/bills/${bill.id}/payment-link`)
  const [link] = (await actor.get(`/pendaftaran/${registration.id}/payment-links`)).json().data
  const url = new URL(link.url).pathname
  const headers = { 'accept-language': 'id', 'content-type': 'application/x-www-form-urlencoded' }
  await t.app.inject({ method: 'POST', url: `${url}/nomor`, headers, payload: `bank=${bank}` })
  const page = await t.app.inject({ url, headers: { 'accept-language': 'id' } })
  expect(page.body).toMatch(code)
  expect(page.body).toContain('250.000')
  expect(page.body).not.toContain('data-copy=')
})
