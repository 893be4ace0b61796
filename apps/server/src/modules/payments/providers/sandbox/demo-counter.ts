import crypto from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { remainingOn, statusNow } from '../../list-bills.ts'
import { bankName } from '../index.ts'
import { sandboxCode, signedReport } from './sandbox-bank.ts'

/** What the demo bank shows for a number, with the payments in its own books. */
export async function readAccount(services: Services, number: string) {
  const { db, clock } = services
  const account = await db
    .selectFrom('virtualAccounts as v')
    .innerJoin('bills as b', 'b.id', 'v.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select([
      'v.number',
      'v.bank',
      'v.status',
      'v.expiresAt',
      'v.installmentId',
      'b.id as billId',
      'b.number as description',
      'b.total',
      'b.paid',
      'a.fullName as payerName',
    ])
    .where('v.provider', '=', sandboxCode)
    .where('v.number', '=', number)
    .executeTakeFirst()
  const transactions = await db
    .selectFrom('sandboxTransactions')
    .select(['reference', 'amount', 'channel', 'paidAt', 'reports'])
    .where('virtualAccountNumber', '=', number)
    .orderBy('paidAt')
    .execute()
  if (!account) throw notFound('virtual account')
  const parts = await db
    .selectFrom('installments')
    .select(['id', 'amount', 'paid'])
    .where('billId', '=', account.billId)
    .execute()
  return {
    ...account,
    bankName: bankName(services, account.bank),
    amount: remainingOn(account, account, parts),
    status: statusNow(account, clock.now()),
    transactions,
  }
}

type Payment = { amount: number; channel: string; times: number; silent: boolean }

/** Pays at the demo bank's counter: it notes the money in its own books, then reports it the way any bank does. */
export async function pay(app: FastifyInstance, services: Services, number: string, payment: Payment) {
  const { amount, channel, times, silent } = payment
  const paidAt = services.clock.now()
  const transactions = await services.db
    .insertInto('sandboxTransactions')
    .values(
      Array.from({ length: times }, () => ({
        reference: `SBX${crypto.randomUUID().replaceAll('-', '').slice(0, 20).toUpperCase()}`,
        virtualAccountNumber: number,
        amount,
        channel,
        paidAt,
      })),
    )
    .returningAll()
    .execute()
  return silent ? [] : Promise.all(transactions.map((transaction) => report(app, services, transaction)))
}

/** Sends the report of the newest payment again, word for word. */
export async function repeat(app: FastifyInstance, services: Services, number: string) {
  const last = await services.db
    .selectFrom('sandboxTransactions')
    .selectAll()
    .where('virtualAccountNumber', '=', number)
    .orderBy('paidAt', 'desc')
    .orderBy('reference')
    .executeTakeFirst()
  if (!last) throw notFound('payment')
  return [await report(app, services, last)]
}

type Transaction = { reference: string; virtualAccountNumber: string; amount: number; channel: string; paidAt: Date }

async function report(app: FastifyInstance, services: Services, transaction: Transaction) {
  const { reference, virtualAccountNumber, amount, channel, paidAt } = transaction
  const { body, headers } = signedReport(
    services.config.secretKey,
    { reference, virtualAccountNumber, amount, channel, paidAt },
    services.clock.now(),
  )
  const answer = await app.inject({
    method: 'POST',
    url: `/api/providers/${sandboxCode}/report`,
    headers,
    payload: body,
  })
  await services.db
    .updateTable('sandboxTransactions')
    .set((eb) => ({ reports: eb('reports', '+', 1) }))
    .where('reference', '=', reference)
    .execute()
  return { status: answer.statusCode, body: answer.body }
}
