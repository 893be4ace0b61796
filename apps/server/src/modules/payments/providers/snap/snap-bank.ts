import type { Connection } from '#server/modules/payments/providers/connection.ts'
import {
  type AnswerContext,
  BankFailure,
  type PaymentFacts,
  type PaymentProvider,
  type RawReport,
  type ReadReport,
  type Refusal,
  type ReportOutcome,
  usualFirstAskMs,
} from '#server/modules/payments/providers/provider.ts'
import { readTime } from '#server/modules/payments/providers/read-time.ts'
import type { Services } from '#server/platform/services.ts'
import { refuseHeaders, refuseUnsigned, takeExternalId } from './authenticate.ts'
import { answerOf, services as numbers, type SnapCase } from './codes.ts'
import { numberOf, paymentBody, prefixesOf, readBody, rupiahOf } from './fields.ts'
import { snapClient } from './snap-client.ts'

/** Includes the connection, which the routes for SNAP calls need. */
export type SnapBank = PaymentProvider & { snap: Connection }

/**
 * An Indonesian bank that uses the national standard. The bank calls the portal; the portal calls the bank only if it
 * has to know each number in advance.
 */
export function snapBank(services: Services, connection: Connection): SnapBank {
  const { code, settings, banks, maximumAmount } = connection
  const client = snapClient(services, connection)
  const creates = settings.mode === 'create'
  const calls = settings.clientKey !== ''
  return {
    code,
    demo: false,
    keepsNumbers: true,
    firstAskMs: usualFirstAskMs,
    banks,
    maximumAmount,
    snap: connection,
    async issue(account) {
      if (!account.number) throw new BankFailure('refused', 'no number')
      if (creates) await client.create(account)
      return { number: account.number, reference: null }
    },
    ...(creates && {
      async update(account) {
        // An open number has no sum, and a closed number takes its sum or nothing.
        if (account.amountType === 'partial') await client.update(account)
      },
    }),
    async close(account, reason) {
      // A bank that asks about each number learns from the response that it is closed. Other banks expire numbers
      // themselves, and a payment closes a closed number.
      if (!creates || reason === 'expire' || (account.status === 'paid' && account.amountType === 'closed')) return
      await client.remove(account)
    },
    ...(calls && {
      inquire: (account) => client.status(account),
      inquireNumber: ({ bank, number }) => client.status({ bank, number }),
      async check() {
        await client.token()
      },
    }),
    refuseUnsigned: (report) => refuseUnsigned(services, connection, report, numbers.payment),
    readReport: (report) => readPayment(services, connection, report),
    refuses(payment, facts) {
      // No money has moved before the response: a refused payment is returned at the bank's counter.
      if (payment.amount > maximumAmount) return 'amount'
      return settings.unfitting === 'refuse' ? refusesUnfitting(payment, facts) : null
    },
    answer,
  }
}

async function readPayment(services: Services, connection: Connection, report: RawReport): Promise<ReadReport> {
  const refused = refuseHeaders(connection, report, numbers.payment)
  if (refused) return refused
  const wrong = (name: SnapCase, more?: string): ReadReport => ({
    kind: 'malformed',
    answer: answerOf(numbers.payment, name, more),
  })
  const read = readBody(paymentBody, report.body)
  if ('wrong' in read) return wrong(read.wrong, read.more)
  const { paymentRequestId, paidAmount, channelCode, trxDateTime } = read.told
  const number = numberOf(read.told, prefixesOf(connection.banks))
  if (!number) return wrong('invalidField', '{virtualAccountNo}')
  const amount = rupiahOf(paidAmount)
  if (amount === 0) return wrong('invalidField', '{paidAmount.value}')
  const paidAtTold = trxDateTime || String(report.headers['x-timestamp'] ?? '')
  const seen = await takeExternalId(services, connection, report, numbers.payment, paymentRequestId)
  if (seen === 'used') return wrong('conflict')
  return {
    kind: 'payment',
    payment: {
      reference: paymentRequestId,
      virtualAccountNumber: number,
      amount,
      paidAt: readTime(paidAtTold) ?? new Date(Number.NaN),
      paidAtTold,
      channel: channelCode ?? null,
    },
  }
}

/** By agreement the bank returns payments that do not fit to the payer. */
function refusesUnfitting({ amount }: { amount: number }, { account, remaining, now }: PaymentFacts): Refusal | null {
  if (!account) return 'unknown_number'
  if (remaining === 0) return 'settled'
  if (account.status === 'expired' || account.expiresAt <= now) return 'expired'
  if (account.status !== 'active' && account.status !== 'paid') return 'closed'
  if (account.amountType === 'closed' && amount !== remaining) return 'amount'
  return account.amountType === 'partial' && amount > remaining ? 'amount' : null
}

const refusalCases: Record<Refusal, SnapCase> = {
  unknown_number: 'notFound',
  settled: 'paid',
  expired: 'expired',
  closed: 'notFound',
  amount: 'invalidAmount',
}

const flags = {
  accepted: ['00', { english: 'Success', indonesia: 'Sukses' }],
  refused: ['01', { english: 'Rejected', indonesia: 'Ditolak' }],
} as const

/** Fields of the request, echoed unchanged, with the result. */
function dataOf(body: Buffer, flag: keyof typeof flags) {
  const { additionalInfo, ...requestFields } = objectIn(body)
  const [paymentFlagStatus, paymentFlagReason] = flags[flag]
  return {
    virtualAccountData: { ...requestFields, paymentFlagStatus, paymentFlagReason },
    additionalInfo: additionalInfo ?? {},
  }
}

function objectIn(body: Buffer): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'))
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function answer(outcome: ReportOutcome, { report, read, refusal, first }: AnswerContext) {
  if (read && 'answer' in read && read.answer) return read.answer
  const toAnswer = (name: SnapCase, flag: keyof typeof flags, body = report.body) =>
    answerOf(numbers.payment, name, undefined, dataOf(body, flag))
  switch (outcome) {
    case 'booked':
      return toAnswer('ok', 'accepted')
    case 'repeated':
      // Sent with the data of the first report, so that an unsure bank marks the payment as paid.
      return toAnswer('inconsistent', 'accepted', first ?? report.body)
    case 'contradicts':
      return toAnswer('invalidAmount', 'refused')
    case 'refused':
      return toAnswer(refusalCases[refusal ?? 'closed'], 'refused')
    case 'wrong_signature':
      return answerOf(numbers.payment, 'unauthorized', '[Signature]')
    case 'malformed':
      return answerOf(numbers.payment, 'badRequest')
    default:
      return answerOf(numbers.payment, 'general')
  }
}
