import { type Selectable, sql } from 'kysely'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import { dayTolerance } from '#domain/payments/reconciliation/reconciliation.ts'
import { senOf, wholeRupiahOf } from '#domain/payments/reconciliation/sen.ts'
import type { explanations } from '#domain/payments/reconciliation/statement-lines.ts'
import { idsOfFoundPayments } from '#server/modules/payments/money/list-payments.ts'
import {
  arrivesOn,
  getAccount,
  lockAccount,
  type OwnAccount,
} from '#server/modules/payments/reconciliation/account-queue.ts'
import { lineChanged } from '#server/modules/payments/reconciliation/events.ts'
import { reconcileDays } from '#server/modules/payments/reconciliation/reconcile-day.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

export type Line = Selectable<Database['statementLines']>

/** Compares the days of an account affected by a line and its payment. */
export const compareDaysOf = (
  context: Context,
  { account, line, paidAt }: { account: OwnAccount; line: Line; paidAt?: Date | undefined },
) =>
  reconcileDays(context, context.actor, account, [
    line.day,
    ...(paidAt ? [bankCalendar.dayOf(paidAt)] : []),
    // A credit counts for the day of its payment, which may be an adjacent day.
    ...[-dayTolerance, dayTolerance].map((shift) => shiftDay(line.day, shift)),
  ])

/** Changes a line under the lock of its account, then compares the affected days. */
function onLine<R>(
  services: Services,
  actor: Actor,
  id: string,
  work: (tx: Tx, line: Line, account: OwnAccount) => Promise<{ result: R; paidAt?: Date | undefined }>,
): Promise<R> {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const seen = await tx.selectFrom('statementLines').select('bankAccountId').where('id', '=', id).executeTakeFirst()
    if (!seen) throw notFound('statement line')
    const account = await lockAccount(services, tx, seen.bankAccountId)
    const line = await tx.selectFrom('statementLines').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { result, paidAt } = await work(tx, line, account)
    await compareDaysOf(context, { account, line, paidAt })
    await services.jobs.publish(tx, lineChanged, { lineId: id })
    return result
  })
}

export const mustBeNew = ({ state }: Pick<Line, 'state'>) => {
  if (state === 'held') throw conflict('line_held')
  if (state !== 'new') throw conflict('line_settled')
}
export const mustBeCredit = ({ amountSen }: Pick<Line, 'amountSen'>) => {
  if (amountSen <= 0) throw conflict('line_is_debit')
}

/**
 * Throws 409 while a request to record the line as received money is pending. The caller has locked the account's row.
 */
async function refusePendingRequest(tx: Tx, id: string) {
  const pendingRequest = await tx
    .selectFrom('approvalRequests as q')
    .innerJoin('accounts as c', 'c.id', 'q.requestedBy')
    .select('c.name')
    .where('q.statementLineId', '=', id)
    .where('q.status', '=', 'pending')
    .executeTakeFirst()
  if (pendingRequest) throw conflict('line_waits_for_approval', { name: pendingRequest.name })
}

/** Matches a credit with a payment by hand; a reason is required if the amounts differ. */
export const matchLine = (
  services: Services,
  actor: Actor,
  id: string,
  { paymentId, reason }: { paymentId: string; reason?: string | undefined },
) =>
  onLine(services, actor, id, async (tx, line) => {
    if (line.state === 'matched' && line.paymentId === paymentId) return { result: { id } }
    mustBeNew(line)
    mustBeCredit(line)
    await refusePendingRequest(tx, id)
    const payment = await tx
      .selectFrom('payments')
      .select(['id', 'amount', 'status', 'paidAt'])
      .where('id', '=', paymentId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!payment) throw notFound('payment')
    if (payment.status === 'reversed') throw conflict('payment_is_reversed')
    const otherLine = await tx
      .selectFrom('statementLines')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirst()
    if (otherLine) throw conflict('payment_matched_already')
    if (senOf(payment.amount) !== line.amountSen && !reason) throw invalid({ reason: 'amounts_differ_why' })
    await tx
      .updateTable('statementLines')
      .set({
        state: 'matched',
        paymentId,
        matchedBy: 'hand',
        reason: reason ?? null,
        settledBy: actor.accountId,
        settledAt: services.clock.now(),
      })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'statement-line.match',
      on: { 'statement-line': id },
      after: { paymentId, amountSen: line.amountSen, booked: payment.amount },
      reason,
    })
    return { result: { id }, paidAt: payment.paidAt }
  })

/** Explains why a line is not a payment of an applicant. */
export const explainLine = (
  services: Services,
  actor: Actor,
  id: string,
  { explanation, reason }: { explanation: (typeof explanations)[number]; reason: string },
) =>
  onLine(services, actor, id, async (tx, line) => {
    if (line.state === 'explained' && line.explanation === explanation && line.reason === reason)
      return { result: { id } }
    mustBeNew(line)
    await refusePendingRequest(tx, id)
    await tx
      .updateTable('statementLines')
      .set({ state: 'explained', explanation, reason, settledBy: actor.accountId, settledAt: services.clock.now() })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'statement-line.explain',
      on: { 'statement-line': id },
      after: { explanation, amountSen: line.amountSen },
      reason,
    })
    return { result: { id } }
  })

/**
 * Undoes the match or explanation of a line. Money recorded from a line stays in the books and cannot be undone here.
 */
export const reopenLine = (services: Services, actor: Actor, id: string, reason: string) =>
  onLine(services, actor, id, async (tx, line) => {
    if (line.state === 'new' || line.state === 'held') return { result: { id } }
    if (line.matchedBy === 'recorded') throw conflict('line_recorded')
    const payment = line.paymentId
      ? await tx.selectFrom('payments').select('paidAt').where('id', '=', line.paymentId).executeTakeFirstOrThrow()
      : undefined
    await tx
      .updateTable('statementLines')
      .set({
        // A line declared to repeat another line is held again.
        state: line.state === 'same' ? 'held' : 'new',
        paymentId: null,
        matchedBy: null,
        explanation: null,
        reason: null,
        settledBy: null,
        settledAt: null,
      })
      .where('id', '=', id)
      .execute()
    const { state, paymentId, matchedBy, explanation } = line
    await recordAudit(tx, actor, {
      action: 'statement-line.reopen',
      on: { 'statement-line': id },
      before: { state, paymentId, matchedBy, explanation, reason: line.reason },
      reason,
    })
    return { result: { id }, paidAt: payment?.paidAt }
  })

/** Ids of payments by their references, numbers and applicants; at most a thousand. */
const paymentsCalled = (actor: Actor, typed: string) => sql<string>`SELECT found.id FROM (
  SELECT x.id FROM payments x WHERE lower(x.provider_reference) = ${typed.toLowerCase()}
  UNION ALL
  SELECT x.id FROM payments x WHERE lower(x.reference) = ${typed.toLowerCase()}
  UNION ALL
  ${idsOfFoundPayments(actor, typed)}) found LIMIT 1000`

/**
 * Payments that may belong to a credit: received around its day, same reference first, then same amount; or payments
 * that match the search text.
 */
export async function findCandidates(services: Services, actor: Actor, id: string, q: string | undefined) {
  const { db } = services
  const line = await db
    .selectFrom('statementLines')
    .select(['bankAccountId', 'day', 'amountSen', 'reference'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!line) throw notFound('statement line')
  const account = await getAccount(services, db, line.bankAccountId)
  const [from] = bankCalendar.boundsOfDay(shiftDay(line.day, -3))
  const [, to] = bankCalendar.boundsOfDay(shiftDay(line.day, 3))
  const isNear = sql<boolean>`p.paid_at >= ${from} AND p.paid_at < ${to} AND ${arrivesOn(account, { anyTransfer: true })}`
  const isBest = sql`(lower(${line.reference}) IN (lower(p.provider_reference), lower(p.reference))) DESC NULLS LAST,
    (p.amount = ${wholeRupiahOf(line.amountSen)}) DESC,
    abs(extract(epoch FROM p.paid_at - ${bankCalendar.boundsOfDay(line.day)[0]}::timestamptz))`
  // The best matches are found among payments alone, before their bills and applicants are read.
  const best = sql<string>`(SELECT p.id FROM payments p LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
    WHERE p.status <> 'reversed' AND NOT EXISTS (SELECT FROM statement_lines m WHERE m.payment_id = p.id)
      AND ${q === undefined ? isNear : sql`p.id = ANY(ARRAY(${paymentsCalled(actor, q)}))`}
    ORDER BY ${isBest} LIMIT 20)`
  const rows = await db
    .selectFrom('payments as p')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['p.id', 'p.amount', 'p.paidAt', 'p.receiptNumber', 'p.virtualAccountNumber', 'p.provider'])
    .select(['p.providerReference', 'p.reference', 'a.fullName as applicantName'])
    .where('p.id', 'in', best)
    .orderBy(isBest)
    .execute()
  return rows.map(({ receiptNumber, virtualAccountNumber, provider, providerReference, reference, ...row }) => ({
    ...row,
    label:
      [receiptNumber, virtualAccountNumber, bankReferenceOf({ provider, reference, providerReference })]
        .filter(Boolean)
        .join(' · ') || provider,
  }))
}
