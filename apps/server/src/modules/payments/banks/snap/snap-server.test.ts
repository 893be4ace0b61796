import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { rsaOf, tokenText } from '#server/modules/payments/providers/snap/signature.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced, type BillDetails } from '#server-test/factories/payments.ts'
import { addressOf, aSnapBank } from '#server-test/factories/providers.ts'
import { post } from '#server-test/peers/bank-peer.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { forgetExternalIdsJob } from './forget-external-ids.job.ts'

let t: TestApp
let academic: AcademicFixture
let bank: Awaited<ReturnType<typeof aSnapBank>>
/** A bank that returns payments that do not fit. */
let strict: Awaited<ReturnType<typeof aSnapBank>>

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  bank = await aSnapBank(t)
  strict = await aSnapBank(t, { code: 'bank-ketat', prefix: '88888', settings: { unfitting: 'refuse' } })
})
afterAll(async () => {
  await bank.peer.close()
  await strict.peer.close()
  await t.close()
})
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

async function ready(at = bank, options: BillDetails = {}) {
  const fixture = await aBill(t, academic, { amount: 250_000, name: 'Nurül  “Ayu” Śiti', ...options })
  const answer = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: at.bank })
  expect(answer.statusCode, answer.body).toBe(200)
  return { ...fixture, account: answer.json().data as { id: string; number: string } }
}
const codeOf = ({ status, body }: { status: number; body: string }) => {
  const { responseCode } = JSON.parse(body)
  expect(responseCode.slice(0, 3)).toBe(String(status))
  return responseCode as string
}
const dataOf = ({ body }: { body: string }) => JSON.parse(body).virtualAccountData

describe('token', () => {
  const ask = async (changes: Record<string, string> = {}, body: unknown = { grantType: 'client_credentials' }) => {
    const timestamp =
      changes['x-timestamp'] ?? new Date(Date.now() + 7 * 3_600_000).toISOString().replace(/\.\d+Z/, '+07:00')
    const text = tokenText(changes['x-client-key'] ?? bank.clientKey, timestamp)
    return post(
      `${await addressOf(t)}/api/snap/bank-uji/v1.0/access-token/b2b`,
      {
        'x-client-key': bank.clientKey,
        'x-timestamp': timestamp,
        'x-signature': rsaOf(text, bank.bankKeys.privateKey),
        ...changes,
      },
      typeof body === 'string' ? body : JSON.stringify(body),
    )
  }
  test('is given to a bank that signs with its key', async () => {
    const answer = await ask()
    expect(codeOf(answer)).toBe('2007300')
    expect(JSON.parse(answer.body)).toMatchObject({ tokenType: 'BearerToken', expiresIn: '900' })
  })
  test('can also be requested with grant_type', async () => {
    expect(codeOf(await ask({}, { grant_type: 'client_credentials' }))).toBe('2007300')
  })
  test('is refused for another key, client or time', async () => {
    expect(codeOf(await ask({ 'x-signature': 'd3Jvbmc=' }))).toBe('4017300')
    expect(codeOf(await ask({ 'x-client-key': 'somebody' }))).toBe('4017300')
    expect(codeOf(await ask({ 'x-timestamp': '2020-01-01T00:00:00+07:00' }))).toBe('4017300')
    expect(codeOf(await ask({ 'x-timestamp': 'yesterday' }))).toBe('4007301')
    expect(codeOf(await ask({}, '{'))).toBe('4007300')
    expect(codeOf(await ask({}, {}))).toBe('4007302')
    expect(codeOf(await ask({}, { grantType: 'password' }))).toBe('4007301')
  })
  test('works for 15 minutes and only for this bank', async () => {
    const { account } = await ready()
    const token = await bank.peer.token()
    const inquire = () => bank.peer.call('inquiry', bank.peer.inquiryOf(account.number), { token })
    expect(codeOf(await inquire())).toBe('2002400')
    t.clock.set(new Date(Date.now() + 901_000))
    expect(codeOf(await inquire())).toBe('4012401')
    t.clock.reset()
    expect(
      codeOf(
        await bank.peer.call('inquiry', bank.peer.inquiryOf(account.number), { token: await strict.peer.token() }),
      ),
    ).toBe('4012401')
    expect(codeOf(await bank.peer.call('inquiry', {}, { token: 'made-up' }))).toBe('4012401')
  })
})

describe('inquiry', () => {
  const ask = (number: string, changes = {}, more: object = {}) =>
    bank.peer.call('inquiry', { ...bank.peer.inquiryOf(number), ...more }, changes)

  test('returns name, bill and remaining amount, as text with two decimals', async () => {
    const { account, bill } = await ready()
    const answer = await ask(account.number)
    expect(codeOf(answer)).toBe('2002400')
    expect(answer.headers.get('x-timestamp')).toMatch(/\+07:00$/)
    expect(dataOf(answer)).toMatchObject({
      inquiryStatus: '00',
      partnerServiceId: '   12345',
      virtualAccountNo: `   ${account.number}`,
      virtualAccountName: 'Nurul Ayu Siti',
      totalAmount: { value: '250000.00', currency: 'IDR' },
      virtualAccountTrxType: 'I',
      billDetails: [{ billNo: bill.number, billAmount: { value: '250000.00', currency: 'IDR' } }],
    })
    await bank.peer.report(bank.peer.receive(account.number, 100_000))
    expect(dataOf(await ask(account.number)).totalAmount.value).toBe('150000.00')
  })
  test('accepts customerNo as a number; a number padded with zeros is another one', async () => {
    const { account } = await ready()
    const customerNo = Number(account.number.slice(5))
    expect(codeOf(await ask(account.number, {}, { customerNo: String(customerNo).padStart(10, '0') }))).toBe('2002400')
    expect(codeOf(await ask(account.number, {}, { virtualAccountNo: '   1234599' }))).toBe('4002401')
  })
  test('has a code for each reason why nothing is to be paid', async () => {
    const paid = await ready()
    await bank.peer.report(bank.peer.receive(paid.account.number, 250_000))
    expect(codeOf(await ask(paid.account.number))).toBe('4042414')
    const cancelled = await ready()
    await inTransaction(t.services, systemActor, (context) =>
      closeVirtualAccounts(context, { id: cancelled.account.id }, 'cancel'),
    )
    expect(codeOf(await ask(cancelled.account.number))).toBe('4042412')
    expect(codeOf(await ask('123459999999999'))).toBe('4042412')
    const { account } = await ready()
    t.clock.set(new Date(Date.now() + 4 * 86_400_000))
    const expired = await ask(account.number)
    expect(codeOf(expired)).toBe('4042419')
    expect(dataOf(expired)).toMatchObject({ inquiryStatus: '01' })
  })
  test('is refused if it is unsigned or incomplete', async () => {
    const { account } = await ready()
    expect(codeOf(await ask(account.number, { signature: 'd3Jvbmc=' }))).toBe('4012400')
    expect(codeOf(await ask(account.number, { path: '/v1.0/transfer-va/inquiry' }))).toBe('4012400')
    expect(codeOf(await ask(account.number, { timestamp: '2026-01-01 10:00' }))).toBe('4002401')
    expect(codeOf(await ask(account.number, { timestamp: '2020-01-01T00:00:00+07:00' }))).toBe('4012400')
    expect(codeOf(await ask(account.number, { externalId: 'not-a-number!' }))).toBe('4002401')
    expect(codeOf(await ask(account.number, {}, { inquiryRequestId: undefined }))).toBe('4002402')
    expect(codeOf(await ask(account.number, {}, { partnerServiceId: 'abc' }))).toBe('4002401')
    expect(codeOf(await bank.peer.call('inquiry', '{"a":'))).toBe('4002400')
    expect(codeOf(await ask(account.number, {}, { inquiryRequestId: 'a\u0000' }))).toBe('4002400')
  })
  test('number of a request counts once per day in Jakarta', async () => {
    const { account } = await ready()
    t.clock.set('2026-11-21T10:00:00+07:00')
    const changes = { externalId: '41807553358950093184' }
    const body = bank.peer.inquiryOf(account.number)
    expect(codeOf(await bank.peer.call('inquiry', body, changes))).not.toMatch(/^409/)
    expect(codeOf(await bank.peer.call('inquiry', body, changes))).not.toMatch(/^409/)
    expect(codeOf(await ask(account.number, changes))).toBe('4092400')
    t.clock.set('2026-11-21T23:59:00+07:00')
    expect(codeOf(await ask(account.number, changes))).toBe('4092400')
    t.clock.set('2026-11-22T00:01:00+07:00')
    expect(codeOf(await ask(account.number, changes))).not.toMatch(/^409/)
  })
})

describe('payment', () => {
  test('gets a response with all fields of the request, and the bill is paid', async () => {
    const { account, bill } = await ready()
    const money = bank.peer.receive(account.number, 250_000)
    const answer = await bank.peer.call('payment', { ...bank.peer.bodyOf(money), referenceNo: '00112233445' })
    expect(codeOf(answer)).toBe('2002500')
    expect(dataOf(answer)).toMatchObject({
      paymentFlagStatus: '00',
      paymentRequestId: money.reference,
      referenceNo: '00112233445',
      paidAmount: { value: '250000.00', currency: 'IDR' },
      channelCode: 6011,
      partnerServiceId: '   12345',
    })
    expect(JSON.parse(answer.body).additionalInfo).toEqual({})
    expect(await t.db.selectFrom('bills').select('status').where('id', '=', bill.id).executeTakeFirst()).toEqual({
      status: 'paid',
    })
  })
  test('repeated with a new or the same request number is reported as paid, with the data of the first', async () => {
    const { account } = await ready()
    const body = bank.peer.bodyOf(bank.peer.receive(account.number, 250_000))
    const changes = { externalId: '555000111' }
    expect(codeOf(await bank.peer.call('payment', body, changes))).toBe('2002500')
    for (const again of [
      await bank.peer.call('payment', body, changes),
      await bank.peer.call('payment', { ...body, flagAdvise: 'Y', referenceNo: 'another' }),
    ]) {
      expect(codeOf(again)).toBe('4042518')
      expect(dataOf(again)).toMatchObject({ paymentFlagStatus: '00', referenceNo: body.referenceNo })
    }
    const other = bank.peer.bodyOf(bank.peer.receive((await ready()).account.number, 250_000))
    expect(codeOf(await bank.peer.call('payment', other, changes))).toBe('4092500')
    expect(codeOf(await bank.peer.call('payment', other))).toBe('2002500')
  })
  test('request numbers are deleted after a month', async () => {
    const externalIdOn = (day: string) => ({ provider: 'old', externalId: '1', service: '25', requestId: '1', day })
    const today = bankCalendar.dayOf(t.clock.now())
    const days = [shiftDay(today, -31), shiftDay(today, -30), today]
    const rows = days.map((day) => ({ ...externalIdOn(day), receivedAt: t.clock.now() }))
    await t.db.insertInto('snapExternalIds').values(rows).execute()
    await forgetExternalIdsJob.run(t.services, {})
    const left = await t.db
      .selectFrom('snapExternalIds')
      .select('day')
      .where('provider', '=', 'old')
      .orderBy('day')
      .execute()
    expect(left.map(({ day }) => day)).toEqual(days.slice(1))
  })
  test('advice about a payment that was never reported is booked', async () => {
    const { account, bill } = await ready()
    const body = { ...bank.peer.bodyOf(bank.peer.receive(account.number, 250_000)), flagAdvise: 'Y' }
    expect(codeOf(await bank.peer.call('payment', body))).toBe('2002500')
    expect(await t.db.selectFrom('bills').select('paid').where('id', '=', bill.id).executeTakeFirst()).toEqual({
      paid: 250_000,
    })
  })
  test('is refused for fields of another form and sums that are not whole rupiah', async () => {
    const { account } = await ready()
    const body = bank.peer.bodyOf(bank.peer.receive(account.number, 250_000))
    const send = async (changes: object) => codeOf(await bank.peer.call('payment', { ...body, ...changes }))
    expect(await send({ paidAmount: { value: '250000.50', currency: 'IDR' } })).toBe('4002501')
    expect(await send({ paidAmount: { value: 250000, currency: 'IDR' } })).toBe('4002501')
    expect(await send({ paidAmount: { value: '250000.00', currency: 'USD' } })).toBe('4002501')
    expect(await send({ paidAmount: { value: '0.00', currency: 'IDR' } })).toBe('4002501')
    expect(await send({ paidAmount: undefined })).toBe('4002502')
    expect(await send({ paymentRequestId: '' })).toBe('4002502')
    expect(codeOf(await bank.peer.call('payment', '[1'))).toBe('4002500')
    expect(await send({ paymentRequestId: 'a\u0000' })).toBe('4002500')
    expect(await send({ channelCode: '6'.repeat(41) })).toBe('4002501')
    expect(await send({ trxDateTime: '2'.repeat(41) })).toBe('4002501')
    expect(await send({ paidAmount: { value: '9'.repeat(17), currency: 'IDR' } })).toBe('4002501')
    expect(await send({ paidAmount: { value: '1000000001.00', currency: 'IDR' } })).toBe('4042513')
    const payments = await t.db
      .selectFrom('payments')
      .select('id')
      .where('virtualAccountNumber', '=', account.number)
      .execute()
    expect(payments).toEqual([])
  })
})

describe('a bank that returns payments that do not fit', () => {
  const pay = async (number: string, amount: number, changes: object = {}) => {
    const answer = await strict.peer.call('payment', {
      ...strict.peer.bodyOf(strict.peer.receive(number, amount)),
      ...changes,
    })
    const flag = dataOf(answer)?.paymentFlagStatus
    return [codeOf(answer), flag]
  }
  const paymentsOn = (number: string) =>
    t.db.selectFrom('payments').select('amount').where('virtualAccountNumber', '=', number).execute()

  test('gets a refusal code for an unknown, overpaid, paid or expired number; nothing is booked, the report is stored', async () => {
    expect(await pay('888889999999999', 250_000)).toEqual(['4042512', '01'])
    const { account } = await ready(strict)
    expect(await pay(account.number, 300_000)).toEqual(['4042513', '01'])
    expect(await paymentsOn(account.number)).toEqual([])
    expect(await pay(account.number, 250_000)).toEqual(['2002500', '00'])
    expect(await pay(account.number, 250_000)).toEqual(['4042514', '01'])
    const late = await ready(strict)
    t.clock.set(new Date(Date.now() + 4 * 86_400_000))
    expect(await pay(late.account.number, 250_000)).toEqual(['4042519', '01'])
    expect(await paymentsOn(late.account.number)).toEqual([])
    const outcomes = await t.db
      .selectFrom('bankReports')
      .select('outcome')
      .where('provider', '=', 'bank-ketat')
      .where('outcome', '=', 'refused')
      .execute()
    expect(outcomes).toHaveLength(4)
  })
  test('gets no refusal for a booked payment that it reports again', async () => {
    const { account } = await ready(strict)
    const body = strict.peer.bodyOf(strict.peer.receive(account.number, 250_000))
    expect(codeOf(await strict.peer.call('payment', body))).toBe('2002500')
    t.clock.set(new Date(Date.now() + 4 * 86_400_000))
    const again = await strict.peer.call('payment', body)
    expect([codeOf(again), dataOf(again).paymentFlagStatus]).toEqual(['4042518', '00'])
  })
})

test('a bank that signs with its private key needs no token', async () => {
  const signing = await aSnapBank(t, {
    code: 'bank-asim',
    prefix: '77777',
    settings: { inboundSignature: 'asymmetric', signedPath: 'short' },
  })
  const { account } = await ready(signing)
  const body = signing.peer.bodyOf(signing.peer.receive(account.number, 250_000))
  const { serviceText } = await import('#server/modules/payments/providers/snap/signature.ts')
  const timestamp = new Date().toISOString()
  const signed = (path: string) =>
    rsaOf(serviceText({ method: 'POST', path, body: JSON.stringify(body), timestamp }), signing.bankKeys.privateKey)
  const send = (signature: string) => signing.peer.call('payment', body, { token: 'none', timestamp, signature })
  expect(codeOf(await send(signed('/somewhere/else')))).toBe('4012500')
  expect(codeOf(await send(signed('/v1.0/transfer-va/payment')))).toBe('2002500')
  await signing.peer.close()
})

test('an unknown bank gets 404', async () => {
  const answer = await post(`${await addressOf(t)}/api/snap/nobody/v1.0/transfer-va/payment`, {}, '{}')
  expect(answer.status).toBe(404)
})

test('secrets of requests are not stored', async () => {
  const { account } = await ready()
  await bank.peer.report(bank.peer.receive(account.number, 250_000))
  const rows = await t.db.selectFrom('bankReports').select('headers').execute()
  expect(JSON.stringify(rows)).not.toMatch(/bearer/i)
})
