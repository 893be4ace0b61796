import crypto from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff } from '#server-test/actors.ts'
import { assertBalanced } from '#server-test/factories/payments.ts'
import { aMidtrans, aProvider, aSnapBank, bankInput, providerInput } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { midtransSignature } from './midtrans/midtrans.ts'
import { signedBytes } from './sandbox/sandbox-bank.ts'

let t: TestApp
let midtrans: Awaited<ReturnType<typeof aMidtrans>>
let snap: Awaited<ReturnType<typeof aSnapBank>>

beforeAll(async () => {
  t = await testApp()
  midtrans = await aMidtrans(t)
  snap = await aSnapBank(t)
  const banks = [bankInput({ code: 'gerbang-bri', channel: 'BRI', prefix: null, amountType: 'open' })]
  const secrets = { secretKey: 'xnd_gerbang', callbackToken: 'token of the gateway' }
  await aProvider(t, providerInput('xendit', { code: 'gerbang', active: true, banks, secrets }))
})
afterAll(async () => {
  await midtrans.peer.close()
  await snap.peer.close()
  await t.close()
})

const report = async (code: string, body: string, headers: Record<string, string> = {}) => {
  const url = `/api/providers/${code}/report`
  const answer = await t.app.inject({ method: 'POST', url, headers, payload: body })
  return { status: answer.statusCode, body: answer.body }
}

/** Sends a report to each provider's route, signed by its bank; `fields` are put into the JSON unchanged. */
const doors: Record<string, (fields: Record<string, string>) => Promise<{ status: number; body: string }>> = {
  sandbox: ({ reference = '"R"', number = '"1"', amount = '1', time = '"now"', channel = 'null' }) => {
    const body = `{"transactionId":${reference},"virtualAccountNumber":${number},"amount":${amount},"paidAt":${time},"channel":${channel}}`
    return report('sandbox', body, signedBytes(t.services.config.secretKey, Buffer.from(body), t.clock.now()))
  },
  xendit: ({ reference = '"R"', number = '"1"', amount = '1', time = '"now"', channel = '"BRI"' }) =>
    report(
      'gerbang',
      `{"payment_id":${reference},"external_id":${number},"account_number":${number},"bank_code":${channel},"amount":${amount},"transaction_timestamp":${time}}`,
      { 'x-callback-token': 'token of the gateway' },
    ),
  midtrans: ({ reference = '"R"', number = '"1"', amount = '1', time = '"now"', channel = '"bca"' }) => {
    const signed = { order_id: 'o', status_code: '200', gross_amount: amount.replaceAll('"', '') }
    const rest = `"transaction_id":${reference},"transaction_status":"settlement","settlement_time":${time},"va_numbers":[{"bank":${channel},"va_number":${number}}]`
    const key = midtransSignature(signed, midtrans.serverKey)
    return report('midtrans-uji', `{${JSON.stringify(signed).slice(1, -1)},"signature_key":"${key}",${rest}}`)
  },
  snap: ({ reference = '"R"', number = '"1"', amount = '1', time = 'null', channel = 'null' }) =>
    snap.peer.call(
      'payment',
      `{"partnerServiceId":"   12345","customerNo":${number},"virtualAccountNo":"123451","paymentRequestId":${reference},"paidAmount":{"value":"${amount.replaceAll('"', '')}","currency":"IDR"},"channelCode":${channel},"trxDateTime":${time}}`,
    ),
}

const deep = '['.repeat(20_000) + ']'.repeat(20_000)
const oddAmounts = [
  '9007199254740993',
  '99999999999999999999999.00',
  '1e400',
  '-5',
  '0',
  '0.5',
  '1e3',
  '"x"',
  'null',
  deep,
]
const oddTimes = [
  '"275760-09-13T00:00:00Z"',
  '"-000001-01-01"',
  '"\\u0000"',
  '""',
  '"2026-13-45 99:99:99"',
  `"${'9'.repeat(9_000)}"`,
]
const oddTexts = ['"\\u0000"', '"\\ud800"', `"${'x'.repeat(20_000)}"`, '"🎓🎓🎓"', '""', '12', deep, '{"__proto__":1}']

test.each(Object.keys(doors))(
  '%s: an odd signed report gets an answer below 500, and the books balance',
  async (name) => {
    const door = doors[name]!
    const reference = () => `"${crypto.randomUUID()}"`
    const odd: Record<string, string>[] = [
      ...oddAmounts.map((amount) => ({ amount, reference: reference() })),
      ...oddTimes.map((time) => ({ time, reference: reference() })),
      ...oddTexts.flatMap((text): Record<string, string>[] => [
        { reference: text },
        { channel: text, reference: reference() },
      ]),
      ...oddTexts.map((number) => ({ number, reference: reference() })),
    ]
    for (const fields of odd) {
      // Twice, because a bank repeats reports.
      for (const { status, body } of [await door(fields), await door(fields)]) {
        expect(status, `${JSON.stringify(fields).slice(0, 200)} ${body}`).toBeLessThan(500)
        if (name === 'snap') expect(JSON.parse(body).responseCode).toMatch(new RegExp(`^${status}25\\d\\d$`))
      }
    }
    const found = await checkInvariants(t.services)
    expect(found.filter(({ check }) => check !== 'amount-held')).toEqual([])
    const staff = await asStaff(t)
    for (const path of ['/pembayaran-mahasiswa', '/uang-menunggu'])
      expect((await staff.get(path)).statusCode, path).toBe(200)
    const { data } = (await staff.get('/payment-alerts/held')).json()
    for (const { id } of data) {
      const reason = 'Tidak ada uangnya'
      const answer = await staff.post(`/payment-alerts/${id}/decision`, { decision: 'dismiss', reason })
      const second = await asStaff(t, 'Keuangan')
      const decided = await second.post(`/persetujuan/${answer.json().data.id}/decide`, { approve: true })
      expect(decided.statusCode, decided.body).toBe(200)
    }
    await assertBalanced(t)
  },
)
