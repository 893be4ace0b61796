import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { askDue } from '#server/modules/payments/banks/ask-banks.job.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill } from '#server-test/factories/payments.ts'
import { asProviderAdmin, gatewaysWithCodes } from '#server-test/factories/providers.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

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
afterEach(async () => {
  t.clock.reset()
  // An undecided held amount is listed until two people decide about it.
  expect((await checkInvariants(t.services)).filter(({ check }) => check !== 'amount-held')).toEqual([])
})

async function aCode(bank: string) {
  const fixture = await aBill(t, academic, { amount: fee })
  const ask = async () =>
    (await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank })).json().data as { id: string }
  return { ...fixture, ask, code: await ask() }
}
const alertsOf = (id: string) =>
  t.db
    .selectFrom('paymentAlerts')
    .select(['kind', 'providerReference', 'amount', 'paymentId'])
    .where('virtualAccountId', '=', id)
    .execute()
const paymentsOf = (id: string) => t.db.selectFrom('payments').selectAll().where('virtualAccountId', '=', id).execute()
const bookedOn = async (id: string) =>
  t.db.selectFrom('payments').selectAll().where('virtualAccountId', '=', id).executeTakeFirstOrThrow()

describe('money that Xendit gave back', () => {
  const events: [string, string, string, (reference: string, id: string) => object][] = [
    [
      'a voided charge',
      'uji-x-id-dana',
      'ewallet.void',
      (id, reference_id) => ({ id, reference_id, status: 'VOIDED' }),
    ],
    [
      'a void told beside the status',
      'uji-x-id-dana',
      'ewallet.void',
      (id, reference_id) => ({ id, reference_id, status: 'SUCCEEDED', void_status: 'SUCCEEDED' }),
    ],
    [
      'a refund of a charge',
      'uji-x-id-dana',
      'ewallet.refund',
      (charge_id) => ({ id: 'ewr_1', charge_id, status: 'SUCCEEDED', refund_amount: fee }),
    ],
    [
      'a charge told again as refunded',
      'uji-x-id-dana',
      'ewallet.capture',
      (id, reference_id) => ({ id, reference_id, status: 'REFUNDED' }),
    ],
    [
      'a refund of a payment by code',
      'uji-x-qris',
      'refund.succeeded',
      (payment_id) => ({ id: 'rfd-1', payment_id, status: 'SUCCEEDED', reference_id: 'another' }),
    ],
    [
      'a payment by code told again as voided',
      'uji-x-qris',
      'qr.payment',
      (id, reference_id) => ({ id, reference_id, amount: fee, status: 'VOIDED' }),
    ],
  ]
  test.each(events)('%s raises one alert, however often it is told', async (_, bank, event, dataOf) => {
    const { code, bill } = await aCode(bank)
    await xendit.peer.payCode(code.id, {})
    const { id, providerReference } = await bookedOn(code.id)
    const tell = () => xendit.peer.tell(event, dataOf(providerReference, code.id))
    const answers = await Promise.all(Array.from({ length: 20 }, tell))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await alertsOf(code.id)).toEqual([
      { kind: 'reversed_by_bank', providerReference, amount: null, paymentId: id },
    ])
    expect(await paidStateOf(bill.id)).toEqual({ status: 'paid', paid: fee })
  })

  test('before it was reported waits for staff', async () => {
    const { code, bill } = await aCode('uji-x-id-dana')
    const { providerReference } = await virtualAccountOf(code.id)
    const data = { id: providerReference, reference_id: code.id, status: 'VOIDED' }
    expect((await xendit.peer.tell('ewallet.void', data)).status).toBe(200)
    await xendit.peer.payCode(code.id, {})
    expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    expect(await bookedOn(code.id)).toMatchObject({ waitingReason: 'reversed_by_bank', waitingAmount: fee })
  })

  test.each([
    ['ewallet.refund', { id: 'ewr_2', status: 'FAILED' }],
    ['ewallet.void', { id: 'ewc_2', status: 'SUCCEEDED', void_status: 'FAILED' }],
    ['refund.failed', { id: 'rfd-2', status: 'FAILED' }],
    ['payment_method.expired', { id: 'pm-2' }],
  ])('is not told by %s of something else, which is accepted', async (event, data) => {
    const { code } = await aCode('uji-x-id-dana')
    await xendit.peer.payCode(code.id, {})
    const { providerReference } = await bookedOn(code.id)
    expect((await xendit.peer.tell(event, { charge_id: providerReference, ...data })).status).toBe(200)
    expect(await alertsOf(code.id)).toEqual([])
  })

  test('and never told is found by asking', async () => {
    const { code } = await aCode('uji-x-id-dana')
    await xendit.peer.payCode(code.id, {})
    xendit.peer.giveBack(code.id)
    t.clock.set(new Date(Date.now() + 2 * 3_600_000))
    await askDue(t.services)
    const { id, providerReference } = await bookedOn(code.id)
    expect(await alertsOf(code.id)).toMatchObject([{ kind: 'reversed_by_bank', providerReference, paymentId: id }])
  })
})

describe('a code that its gateway ended', () => {
  test.each([
    ['uji-x-id-dana', 'FAILED'],
    ['uji-x-id-dana', 'EXPIRED'],
    ['uji-gopay', 'deny'],
    ['uji-gopay', 'failure'],
    ['uji-qris', 'cancel'],
    ['uji-qris', 'expire'],
  ])('%s by %s is not given again, and late money on it is booked or waits', async (bank, status) => {
    const { code, ask, bill } = await aCode(bank)
    const isXendit = bank.startsWith('uji-x')
    const money = isXendit ? undefined : midtrans.peer.receive(code.id, fee)
    const end = () => (money ? midtrans.peer.notify(money, status) : xendit.peer.payCode(code.id, { status }))
    const answers = await Promise.all(Array.from({ length: 20 }, end))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(await virtualAccountOf(code.id)).toMatchObject({ status: 'expired' })
    const next = await ask()
    expect(next).toMatchObject({ status: 'active' })
    expect(next.id).not.toBe(code.id)
    const late = await (money ? midtrans.peer.report(money) : xendit.peer.payCode(code.id, {}))
    expect(late.status).toBe(200)
    expect(await bookedOn(code.id)).toMatchObject({ amount: fee })
    // Midtrans denied this very money before, so staff decide about it.
    const isDenied = !isXendit && status !== 'expire'
    expect(await paidStateOf(bill.id)).toEqual(isDenied ? { status: 'open', paid: 0 } : { status: 'paid', paid: fee })
  })

  test('stays if a payment by it was only tried in vain at Xendit', async () => {
    const { code, ask } = await aCode('uji-x-qris')
    await xendit.peer.payCode(code.id, { status: 'FAILED' })
    expect((await ask()).id).toBe(code.id)
  })
})

describe('money of another currency', () => {
  test.each(['uji-x-qris', 'uji-x-id-dana', 'uji-qris', 'uji-gopay'])('at %s is held, never booked', async (bank) => {
    const { code, bill } = await aCode(bank)
    const report = bank.startsWith('uji-x')
      ? () => xendit.peer.payCode(code.id, { currency: 'USD' })
      : () => midtrans.peer.report(midtrans.peer.receive(code.id, fee), { currency: 'USD' })
    const answers = [await report(), await report()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    expect(await paymentsOf(code.id)).toEqual([])
    const alerts = await t.db
      .selectFrom('paymentAlerts')
      .select(['kind', 'amount', 'told'])
      .where('virtualAccountId', '=', code.id)
      .execute()
    expect(alerts[0]).toMatchObject({ kind: 'above_maximum', amount: null })
    expect(alerts[0]?.told).toMatchObject({ amountTold: expect.stringMatching(/^250000(\.00)? USD$/) })
  })

  test('on a number of Xendit is held, with cents too', async () => {
    const { bill, code } = await aCode(xendit.bank)
    const number = xendit.peer.numberOf(code.id)
    expect((await xendit.peer.reportOn(code.id, number, 25.5, 'SGD')).status).toBe(200)
    expect(await paidStateOf(bill.id)).toEqual({ status: 'open', paid: 0 })
    expect(await alertsOf(code.id)).toMatchObject([{ kind: 'above_maximum', amount: null }])
  })
})

test('the channel of a bank that has issued codes stays', async () => {
  await aCode('uji-x-id-dana')
  const admin = await asProviderAdmin(t)
  const url = `/settings/providers/${xendit.provider.id}`
  const { name, baseUrl, snap, banks, version } = (await admin.get(url)).json().data
  const changed = banks.map(({ used: _u, remaining: _r, low: _l, ...bank }: Record<string, unknown>) => ({
    ...bank,
    ...(bank.code === 'uji-x-id-dana' && { channel: 'ID_LINKAJA' }),
  }))
  const answer = await admin.put(url, { name, baseUrl, snap, banks: changed, version, active: true })
  expect([answer.statusCode, Object.keys(answer.json().errors ?? {})]).toEqual([422, ['banks.2.channel']])
})
