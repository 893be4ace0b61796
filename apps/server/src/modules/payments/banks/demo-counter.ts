import crypto from 'node:crypto'
import { statusNow } from '#server/modules/payments/bills/list-bills.ts'
import { findNumber } from '#server/modules/payments/bills/numbers/number-facts.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import { sandboxCode } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { reportPayment } from './report-demo-payment.ts'
import { reportLaterJob } from './report-later.job.ts'

/** The number as the demo bank shows it, with the payments in the demo bank's own books. */
export async function readAccount(services: Services, number: string) {
  const { db, clock } = services
  const account = await findNumber(db, sandboxCode, { number })
  const transactions = await db
    .selectFrom('sandboxTransactions')
    .select(['reference', 'amount', 'channel', 'paidAt', 'reports'])
    .where('virtualAccountNumber', '=', number)
    .orderBy('paidAt')
    .execute()
  if (!account) throw notFound('virtual account')
  return {
    ...account,
    number,
    description: account.billNumber,
    bankName: bankName(services, account.bank),
    amount: account.remaining,
    status: statusNow(account, clock.now()),
    transactions,
  }
}

type Payment = {
  amount: number
  channel: string
  times: number
  silent: boolean
  /** Seconds until the report is sent. */
  delay: number
  /** Amount in the report, if it differs from the paid amount. */
  reportedAmount?: number | undefined
}

/** Pays at the demo bank's counter: stores the money in the demo bank's own books, then reports it like a real bank. */
export async function pay(services: Services, number: string, payment: Payment) {
  const { amount, channel, times, silent, delay, reportedAmount } = payment
  const { db, clock, jobs } = services
  const paidAt = clock.now()
  const transactions = await db
    .insertInto('sandboxTransactions')
    .values(
      Array.from({ length: times }, () => ({
        reference: `SBX${crypto.randomUUID().replaceAll('-', '').slice(0, 20).toUpperCase()}`,
        virtualAccountNumber: number,
        amount,
        reportedAmount: reportedAmount ?? null,
        channel,
        paidAt,
      })),
    )
    .returningAll()
    .execute()
  if (silent) return []
  if (delay === 0) return Promise.all(transactions.map((transaction) => reportPayment(services, transaction)))
  const startAfter = new Date(paidAt.getTime() + delay * 1000)
  for (const { reference } of transactions) await jobs.enqueue(db, reportLaterJob, { reference }, { startAfter })
  return []
}

/** Sends the report of the newest payment again, byte for byte. */
export async function repeat(services: Services, number: string) {
  const last = await services.db
    .selectFrom('sandboxTransactions')
    .selectAll()
    .where('virtualAccountNumber', '=', number)
    .orderBy('paidAt', 'desc')
    .orderBy('reference')
    .executeTakeFirst()
  if (!last) throw notFound('payment')
  return [await reportPayment(services, last)]
}
