import crypto from 'node:crypto'
import { z } from 'zod'
import { usualMaximumAmount } from '#domain/payments/providers/provider-kinds.ts'
import { sandboxBanks } from '#domain/payments/providers/sandbox-banks.ts'
import type {
  PaymentProvider,
  RawReport,
  ReportedPayment,
  ReportOutcome,
} from '#server/modules/payments/providers/provider.ts'
import { reportedRupiah } from '#server/modules/payments/providers/reported-rupiah.ts'
import type { Services } from '#server/platform/services.ts'

export const sandboxCode = 'sandbox'
/** Page of the demo bank where a number is paid, for its code to scan. */
export const demoBankAddress = ({ config }: Pick<Services, 'config'>, number: string) =>
  `${config.publicUrl}/sandbox-bank/${number}`
export const signatureHeader = 'x-sandbox-signature'
export const timestampHeader = 'x-sandbox-timestamp'

const reportBody = z.object({
  transactionId: z.string().min(1),
  virtualAccountNumber: z.string(),
  amount: reportedRupiah,
  paidAt: z.string(),
  channel: z.string().nullable(),
})

const keyOf = (secretKey: string) => crypto.createHmac('sha256', secretKey).update('sandbox-bank').digest()

const signatureOf = (key: Buffer, timestamp: string, body: Buffer) =>
  crypto.createHmac('sha256', key).update(`${timestamp}\n`).update(body).digest()

function isGenuine(key: Buffer, { headers, body }: Pick<RawReport, 'headers' | 'body'>) {
  const timestamp = headers[timestampHeader]
  const signature = headers[signatureHeader]
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false
  const received = Buffer.from(signature, 'hex')
  const expected = signatureOf(key, timestamp, body)
  return received.length === expected.length && crypto.timingSafeEqual(received, expected)
}

/** Headers with the demo bank's signature of the bytes. */
export function signedBytes(secretKey: string, body: Buffer, now: Date) {
  const timestamp = now.toISOString()
  return {
    [timestampHeader]: timestamp,
    [signatureHeader]: signatureOf(keyOf(secretKey), timestamp, body).toString('hex'),
  }
}

/** A report as the demo bank sends it: the exact bytes and their signature headers. */
export function signedReport(secretKey: string, payment: ReportedPayment, now: Date) {
  const { reference, paidAtTold, ...rest } = payment
  const body = Buffer.from(
    JSON.stringify({ transactionId: reference, ...rest, ...(paidAtTold && { paidAt: paidAtTold }) }),
  )
  return { body, headers: { 'content-type': 'application/json', ...signedBytes(secretKey, body, now) } }
}

const answers = {
  booked: { status: 200, body: { result: 'ok' } },
  repeated: { status: 200, body: { result: 'ok' } },
  ignored: { status: 200, body: { result: 'ok' } },
  held: { status: 200, body: { result: 'ok' } },
  contradicts: { status: 409, body: { result: 'contradicts an earlier report' } },
  refused: { status: 409, body: { result: 'refused' } },
  reversed: { status: 200, body: { result: 'ok' } },
  reversed_early: { status: 200, body: { result: 'ok' } },
  wrong_signature: { status: 401, body: { result: 'wrong signature' } },
  malformed: { status: 400, body: { result: 'not understood' } },
  failed: { status: 503, body: { result: 'try again' } },
} as const satisfies Record<ReportOutcome, unknown>

/**
 * The built-in demo bank. It keeps its own books and reaches the portal only through a signed report, like a real bank.
 */
export function sandboxBank({ config, db }: Services): PaymentProvider | null {
  if (!config.demo) return null
  const key = keyOf(config.secretKey)
  const received = async (number: string | null) => ({
    payments: await db
      .selectFrom('sandboxTransactions')
      .select(['reference', 'virtualAccountNumber', 'amount', 'paidAt', 'channel'])
      .where('virtualAccountNumber', '=', number)
      .orderBy('paidAt')
      .execute(),
  })
  return {
    code: sandboxCode,
    demo: true,
    banks: sandboxBanks,
    // The demo bank reads the portal's table of numbers.
    keepsNumbers: false,
    // Short, because the demo bank loses reports on purpose.
    firstAskMs: 5 * 60_000,
    maximumAmount: usualMaximumAmount,
    issue: async ({ number }) => ({ number: number!, reference: null }),
    close: async () => {},
    inquire: ({ number }) => received(number),
    inquireNumber: ({ number }) => received(number),
    refuseUnsigned: (report) => (isGenuine(key, report) ? null : { kind: 'wrong_signature' }),
    readReport(report) {
      let json: unknown
      try {
        json = JSON.parse(report.body.toString('utf8'))
      } catch {
        return { kind: 'malformed' }
      }
      const read = reportBody.safeParse(json)
      if (!read.success) return { kind: 'malformed' }
      const { transactionId, paidAt, ...rest } = read.data
      return {
        kind: 'payment',
        payment: { ...rest, reference: transactionId, paidAt: new Date(paidAt), paidAtTold: paidAt },
      }
    },
    answer: (outcome) => answers[outcome],
  }
}
