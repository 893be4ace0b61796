import crypto from 'node:crypto'
import http from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rsaOf, tokenText } from '#server/modules/payments/providers/snap/signature.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { aBill, assertBalanced } from '#server-test/factories/payments.ts'
import { addressOf, aSnapBank } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let bank: Awaited<ReturnType<typeof aSnapBank>>

const hour = 3_600_000
const fee = 250_000

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  bank = await aSnapBank(t, { code: 'bank-pintu', settings: { inboundChannelId: '95231', bodyForm: 'as_sent' } })
})
afterAll(async () => {
  await bank.peer.close()
  await t.close()
})
afterEach(async () => {
  t.clock.reset()
  await assertBalanced(t)
})

async function ready() {
  const fixture = await aBill(t, academic, { amount: 250_000 })
  const answer = await fixture.actor.post(`/bills/${fixture.bill.id}/virtual-account`, { bank: bank.bank })
  return { ...fixture, number: answer.json().data.number as string }
}
const bodyOn = (number: string) => bank.peer.bodyOf(bank.peer.receive(number, fee))
const codeOf = ({ body }: { body: string }) => JSON.parse(body).responseCode as string
const url = async (path: string) => `${await addressOf(t)}/api/snap/bank-pintu${path}`
const paidOn = (number: string) =>
  t.db
    .selectFrom('payments')
    .select(['amount', 'virtualAccountNumber'])
    .where('virtualAccountNumber', '=', number)
    .execute()

describe('a prefix padded with zeros', () => {
  const padded = (number: string) => {
    const customerNo = number.slice(5)
    return { partnerServiceId: '00012345', customerNo, virtualAccountNo: `00012345${customerNo}` }
  }
  test('finds its number in inquiries and payments', async () => {
    const { number } = await ready()
    const answer = await bank.peer.call('inquiry', { ...bank.peer.inquiryOf(number), ...padded(number) })
    expect(codeOf(answer)).toBe('2002400')
    expect(JSON.parse(answer.body).virtualAccountData).toMatchObject(padded(number))
    const paid = await bank.peer.call('payment', { ...bodyOn(number), ...padded(number) })
    expect(codeOf(paid)).toBe('2002500')
    expect(await paidOn(number)).toHaveLength(1)
  })
  test('may be padded in only one of the two fields', async () => {
    const [first, second] = [await ready(), await ready()]
    const serviceOnly = { ...padded(first.number), virtualAccountNo: first.number }
    expect(codeOf(await bank.peer.call('payment', { ...bodyOn(first.number), ...serviceOnly }))).toBe('2002500')
    const numberOnly = { ...padded(second.number), partnerServiceId: '   12345' }
    expect(codeOf(await bank.peer.call('payment', { ...bodyOn(second.number), ...numberOnly }))).toBe('2002500')
    for (const { number } of [first, second]) expect(await paidOn(number)).toHaveLength(1)
  })
  test('is refused if the parts contradict each other; zeros in the customer part mean another number', async () => {
    const { number } = await ready()
    const send = async (more: object) => codeOf(await bank.peer.call('payment', { ...bodyOn(number), ...more }))
    expect(await send({ ...padded(number), virtualAccountNo: `00054321${number.slice(5)}` })).toBe('4002501')
    expect(await send({ ...padded(number), virtualAccountNo: `00012345${number.slice(6)}` })).toBe('4002501')
    const longer = {
      partnerServiceId: '00012345',
      customerNo: `0${number.slice(5)}`,
      virtualAccountNo: `123450${number.slice(5)}`,
    }
    expect(await send(longer)).toBe('2002500')
    expect(await paidOn(number)).toEqual([])
    expect(await paidOn(`123450${number.slice(5)}`)).toHaveLength(1)
  })
})

describe('a connection with a CHANNEL-ID', () => {
  const call = async (headers: Record<string, string>) => {
    const { number } = await ready()
    return codeOf(await bank.peer.call('payment', bodyOn(number), { headers }))
  }
  test('accepts that id and refuses another as an unknown client', async () => {
    expect(await call({})).toBe('2002500')
    expect(await call({ 'channel-id': '95232' })).toBe('4012500')
    expect(await call({ 'channel-id': '' })).toBe('4002502')
  })
})

test('a bank that signs bytes as sent may also sign them minified, as the standard says', async () => {
  const { number } = await ready()
  const { status } = await bank.peer.call('payment', bodyOn(number))
  expect(status).toBe(200)
  const spaced = JSON.stringify(bodyOn((await ready()).number), null, 2)
  // Signed including the spaces.
  expect(codeOf(await bank.peer.call('payment', spaced))).toBe('2002500')
  const changed = await bank.peer.call('payment', bodyOn(number), { signature: Buffer.alloc(64).toString('base64') })
  expect(codeOf(changed)).toBe('4012500')
})

describe("limits respond in the standard's codes", () => {
  const askToken = async (signed: boolean) => {
    const timestamp = new Date(t.clock.now().getTime() + 7 * hour).toISOString().replace(/\.\d+Z/, '+07:00')
    const signature = rsaOf(tokenText(bank.clientKey, timestamp), bank.bankKeys.privateKey)
    const answer = await fetch(await url('/v1.0/access-token/b2b'), {
      method: 'POST',
      headers: {
        'x-client-key': bank.clientKey,
        'x-timestamp': timestamp,
        'x-signature': signed ? signature : 'd3Jvbmc=',
      },
      body: JSON.stringify({ grantType: 'client_credentials' }),
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.text() }
  }
  const allOf = (count: number, signed: boolean) => Promise.all(Array.from({ length: count }, () => askToken(signed)))

  test('forged token requests from one address do not keep the bank from its token', async () => {
    t.clock.set(new Date(Date.now() + hour))
    const forged = await allOf(70, false)
    expect(forged.filter(({ status }) => status === 429)).toHaveLength(10)
    expect(codeOf(await askToken(true))).toBe('2007300')
  })
  test('token requests beyond what a bank can use in a minute get 4297300', async () => {
    t.clock.set(new Date(Date.now() + 2 * hour))
    const answers = await allOf(125, true)
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(5)
    expect(codeOf(limited[0]!)).toBe('4297300')
    expect(Number(limited[0]!.retryAfter)).toBeGreaterThan(0)
    t.clock.set(new Date(Date.now() + 2 * hour + 61_000))
    expect((await askToken(true)).status).toBe(200)
  })
  test('unsigned inquiries get 4012400, and 4292400 above the limit, while signed ones still work', async () => {
    t.clock.set(new Date(Date.now() + 3 * hour))
    const { number } = await ready()
    const token = await bank.peer.token()
    const answers = await Promise.all(
      Array.from({ length: 65 }, () =>
        bank.peer.call('inquiry', bank.peer.inquiryOf(number), { token, signature: 'd3Jvbmc=' }),
      ),
    )
    const codes = answers.map(codeOf)
    expect(codes.filter((code) => code === '4012400')).toHaveLength(60)
    expect(codes.filter((code) => code === '4292400')).toHaveLength(5)
    expect(codeOf(await bank.peer.call('inquiry', bank.peer.inquiryOf(number), { token }))).toBe('2002400')
  })
  test.each([
    ['with its length', false],
    ['in chunks, without a length', true],
  ])('a body too large %s is 4132500', async (_, chunked) => {
    const large = Buffer.alloc(70 * 1024, 0x20)
    const answer = await send(await url('/v1.0/transfer-va/payment'), large, chunked)
    expect([answer.status, codeOf(answer)]).toEqual([413, '4132500'])
  })
  test('an unknown connection gets a code of the standard too', async () => {
    const answer = await send(
      `${await addressOf(t)}/api/snap/nobody/v1.0/transfer-va/inquiry`,
      Buffer.from('{}'),
      false,
    )
    expect([answer.status, codeOf(answer)]).toEqual([404, '4042416'])
  })
  test('only the beginning of a large unsigned body is stored', async () => {
    t.clock.set(new Date(Date.now() + 4 * hour))
    const body = Buffer.from(`{"n":"${crypto.randomBytes(15_000).toString('hex')}"}`)
    const answer = await send(await url('/v1.0/transfer-va/payment'), body, true)
    expect(answer.status).toBe(400)
    const reports = await t.db
      .selectFrom('unverifiedReports')
      .select(['body', 'size'])
      .where('size', '=', body.length)
      .executeTakeFirstOrThrow()
    expect(reports.body.equals(body.subarray(0, 8 * 1024))).toBe(true)
  })
})

/** Sends bytes to this server, all at once or in chunks of 4 KiB. */
function send(to: string, body: Buffer, chunked: boolean) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(!chunked && { 'content-length': String(body.length) }) }
    const request = http.request(to, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }))
    })
    request.on('error', reject)
    if (chunked) for (let at = 0; at < body.length; at += 4_096) request.write(body.subarray(at, at + 4_096))
    else request.write(body)
    request.end()
  })
}
