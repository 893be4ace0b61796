import { type RawBuilder, sql } from 'kysely'
import { calendarOf } from '#domain/calendar.ts'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import type { RefundRequest } from '#domain/payments/money/endpoints.ts'
import { refundNumber } from '#domain/settings/number-templates.ts'
import { rupiah } from '#locales/format.ts'
import { approvalAbout, askApproval, questionOf } from '#server/modules/payments/approvals/ask-approval.ts'
import { paidPerLine } from '#server/modules/payments/bills/allocate.ts'
import { lastReturn } from '#server/modules/payments/bills/change/last-return.ts'
import { lockPaymentWithBills } from '#server/modules/payments/bills/change/lock-subject.ts'
import { reduceBill } from '#server/modules/payments/bills/change/reduce-bill.ts'
import { lockBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { takeOffBills } from '#server/modules/payments/bills/change/take-off-bills.ts'
import { tellPayerOf } from '#server/modules/payments/bills/tell-payer.ts'
import { getPayment, lockPayment, paymentsWithBills } from '#server/modules/payments/money/visible-payments.ts'
import { findHold, heldEffect } from '#server/modules/payments/money/waiting/held-money.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { nextNumber } from '#server/platform/database/numbers.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { refundable } from './refundable.ts'

type Account = Omit<RefundRequest, 'amount' | 'reason'>

/**
 * Rupiah of a payment that may be refunded today. Money that arrived by mistake or after its bill was closed counts in
 * full; money that paid for a place given up since counts by the policy of the day the place ended.
 */
export async function refundableOf(services: Services, db: Db, paymentId: string) {
  const payment = await db
    .selectFrom('payments')
    .select(['waitingAmount as waiting', 'waitingReason', 'billId'])
    .where('id', '=', paymentId)
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  const { waiting } = payment
  const [paid, back] = await Promise.all([
    billPaidBy(db, paymentId),
    payment.waitingReason === 'bill_closed' ? findLastReturn(db, paymentId) : undefined,
  ])
  const place = await placeOf(db, back?.billId ?? paid?.id ?? payment.billId)
  const policy = place?.ended ? await policyOn(db, place.closedAt ?? services.clock.now(), place) : null
  const components = place ? await refundableShare(db, place.billId) : { part: 1, whole: 1 }
  const { given: refundedByPolicy } = await db
    .selectFrom('refunds')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('byPolicy'), eb.lit(0)).as('given'))
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow()
  const returned = back && place?.ended ? Math.min(back.amount, waiting) : 0
  // Money returned from the bill of one registration does not affect money on the bill of another.
  const allocated = paid && paid.registrationId === place?.registrationId ? paid.amount : 0
  const share = policy?.share ?? 0
  return {
    ...refundable({ waiting, returned, allocated, given: Number(refundedByPolicy), components, share }),
    policy,
    billId: paid?.id,
  }
}

const findLastReturn = async (db: Db, paymentId: string) => (await lastReturn(sql`${paymentId}`).execute(db)).rows[0]

/** The registration whose bill the money paid, and whether its place was given up. */
async function placeOf(db: Db, billId: string | null) {
  if (!billId) return null
  const { status, ...place } = await db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .select(['b.id as billId', 'b.registrationId', 'b.kind', 'r.waveId', 'r.closedAt', 'r.status'])
    .where('b.id', '=', billId)
    .executeTakeFirstOrThrow()
  return { ...place, ended: status === 'withdrawn' || status === 'cancelled' }
}

/**
 * The valid bill that holds the payment and has the registration and kind the payment arrived for: at most one. Money
 * moved to other bills no longer belongs to that place.
 */
const billPaidBy = (db: Db, paymentId: string) =>
  db
    .selectFrom('payments as p')
    .innerJoin('bills as o', 'o.id', 'p.billId')
    .innerJoin('bills as b', (join) =>
      join.onRef('b.registrationId', '=', 'o.registrationId').onRef('b.kind', '=', 'o.kind'),
    )
    .innerJoin('allocations as a', (join) => join.onRef('a.billId', '=', 'b.id').onRef('a.paymentId', '=', 'p.id'))
    .select((eb) => ['b.id', 'b.registrationId', sql<number>`${eb.fn.sum('a.amount')}::bigint`.as('amount')])
    .where('p.id', '=', paymentId)
    .groupBy('b.id')
    .having((eb) => eb(eb.fn.sum('a.amount'), '>', 0))
    .executeTakeFirst()

type Question = { kind: BillKind; waveId: string }

/**
 * The policy in force on a day: the row with the earliest last day still ahead. A row for the wave wins over a row for
 * all waves.
 */
async function policyOn(db: Db, at: Date, { kind, waveId }: Question) {
  const { timeZone } = await getSettings(db)
  const today: RawBuilder<string> = sql`(${at}::timestamptz AT TIME ZONE ${timeZone})::date`
  const found = await db
    .selectFrom('refundPolicies')
    .select(['name', 'shareBps as share', 'lastDay as until'])
    .where('active', '=', true)
    .where('kind', '=', kind)
    .where('lastDay', '>=', today)
    .where((eb) => eb.or([eb('waveId', '=', waveId), eb('waveId', 'is', null)]))
    .orderBy((eb) => eb('waveId', 'is', null))
    .orderBy('lastDay')
    .executeTakeFirst()
  return found ?? null
}

/** Rupiah paid on a bill for refundable components. */
async function refundableShare(db: Db, billId: string) {
  const lines = await db
    .selectFrom('billLines as l')
    .leftJoin('feeComponents as c', 'c.id', 'l.feeComponentId')
    .select(['l.id', 'l.amount', 'l.feeComponentId as componentId', 'c.allocationPriority', 'c.refundable'])
    .where('l.billId', '=', billId)
    .execute()
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  if (total <= 0) return { part: 0, whole: 1 }
  const paid = paidPerLine(
    total,
    lines.map((line) => ({ ...line, priority: line.allocationPriority ?? 100 })),
  )
  const back = lines.reduce((sum, { id, refundable }) => sum + (refundable === false ? 0 : (paid.get(id) ?? 0)), 0)
  return { part: back, whole: total }
}

/** The refundable amount of a payment the actor may see. */
export async function readRefundable(services: Services, actor: Actor, id: string) {
  const seen = await paymentsWithBills(services.db)
    .select('p.id')
    .where('p.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!seen) throw notFound('payment')
  return refundableOf(services, services.db, id)
}

/**
 * Requests a refund, up to the amount today's policy allows; 409 `money_not_cleared` for money that its gateway denied
 * or holds, until staff have settled its alert.
 */
export async function askRefund(services: Services, actor: Actor, id: string, refundRequest: RefundRequest) {
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { registrationId, billId } = await getPayment(tx, actor, id)
    const { amount, reason, ...details } = refundRequest
    const question = questionOf({ kind: 'refund', registrationId, billId, paymentId: id, amount, details, reason })
    return askApproval(context, refund, question)
  })
}

/** Takes the money out of the books: waiting money first, then money on bills, which are reduced by as much. */
export const refund = approvalAbout(['paymentId'], {
  permission: 'pembayaran-mahasiswa-update',
  lock: lockPaymentWithBills,
  async effect({ tx, services }, { paymentId, amount, details }) {
    const { most, policy, billId } = await refundableOf(services, tx, paymentId)
    const held = await findHold(tx, paymentId)
    if (held && !held.note) throw conflict('money_not_cleared')
    const { waitingAmount } = await getPayment(tx, null, paymentId)
    const fromWaiting = Math.min(waitingAmount, amount)
    if (amount > most || (amount > fromWaiting && !billId))
      throw invalid({ amount: { code: 'above_refundable', params: { most: rupiah(most) } } })
    const paidBill =
      amount > fromWaiting && billId
        ? await tx.selectFrom('bills').select('number').where('id', '=', billId).executeTakeFirst()
        : undefined
    const { bank, accountNumber, accountHolder } = details as Account
    return {
      amount,
      ...heldEffect(held),
      fromWaiting,
      fromBills: paidBill ? [{ name: paidBill.number, amount: amount - fromWaiting }] : [],
      ...(policy && { policy: policy.name, policyPercent: policy.share / 100 }),
      payee: [bank, accountNumber, accountHolder].join(', '),
    }
  },
  async apply(context, request) {
    const { tx, services, actor } = context
    const { amount, paymentId, reason } = request
    const before = await lockPayment(tx, null, paymentId)
    const { most, waiting: byMistake, billId } = await refundableOf(services, tx, paymentId)
    if (amount > most) throw conflict('above_refundable', { most: rupiah(most) })
    const ofWaiting = Math.min(before.waitingAmount, amount)
    const number = await nextRefundNumber(context)
    if (amount > ofWaiting) {
      if (!billId) throw conflict('above_refundable', { most: rupiah(most) })
      await takeOffBills(context, paymentId, { most: amount - ofWaiting, onlyBillId: billId })
      const bill = await lockBill(tx, billId)
      const { language } = await tx
        .selectFrom('accounts')
        .select('language')
        .where('id', '=', bill.accountId)
        .executeTakeFirstOrThrow()
      await reduceBill(context, bill, amount - ofWaiting, sentences(language)('bills:line.refund', { number }))
    }
    const waiting = before.waitingAmount - ofWaiting
    await tx
      .updateTable('payments')
      .set({
        refundedAmount: before.refundedAmount + amount,
        waitingAmount: waiting,
        ...(waiting === 0 && { status: 'allocated' as const, waitingReason: null, waitingSince: null }),
      })
      .where('id', '=', paymentId)
      .execute()
    const { bank, accountNumber, accountHolder } = request.details as Account
    await tx
      .insertInto('refunds')
      .values({
        number,
        paymentId: paymentId,
        approvalRequestId: request.id,
        amount,
        byPolicy: Math.max(amount - byMistake, 0),
        bank,
        accountNumber,
        accountHolder,
        createdAt: services.clock.now(),
      })
      .execute()
    await recordAudit(tx, actor, {
      action: 'payment.refund',
      on: { payment: paymentId },
      after: { number, amount },
      reason,
    })
    if (before.billId) await tellPayerOf(context, before.billId, { amount, refund: number })
  },
})

async function nextRefundNumber({ tx, services }: Omit<Context, 'actor'>) {
  const { timeZone } = await getSettings(tx)
  const yyyy = calendarOf(timeZone).yearOf(services.clock.now())
  return nextNumber(tx, 'refund', yyyy, refundNumber, { YYYY: yyyy, YY: yyyy.slice(2) })
}

/** Records that the transfer to the payer was made. Repeating it with the same reference changes nothing. */
export async function payOutRefund(services: Services, actor: Actor, id: string, reference: string) {
  return services.db.transaction().execute(async (tx) => {
    const refund = await tx
      .selectFrom('refunds as f')
      .innerJoin('payments as p', 'p.id', 'f.paymentId')
      .leftJoin('bills as b', 'b.id', 'p.billId')
      .leftJoin('registrations as r', 'r.id', 'b.registrationId')
      .selectAll('f')
      .where('f.id', '=', id)
      .where(visibleTo(actor))
      .forUpdate('f')
      .executeTakeFirst()
    if (!refund) throw notFound('refund')
    if (refund.paidOutReference === reference) return { id }
    if (refund.paidOutAt) throw conflict('refund_paid_out')
    await tx
      .updateTable('refunds')
      .set({ paidOutAt: services.clock.now(), paidOutBy: actor.accountId, paidOutReference: reference })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'refund.pay-out',
      on: { refund: id },
      after: { number: refund.number, reference },
    })
    return { id }
  })
}
