import { sql } from 'kysely'
import { heldReasons } from '#domain/payments/approvals/held-money.ts'
import { billTransitions } from '#domain/payments/bills/bill-status.ts'
import type { WaitingReason } from '#domain/payments/bills/payment-status.ts'
import { movedPayment, paymentMoved } from '#server/modules/payments/bills/events.ts'
import { keepPromise } from '#server/modules/payments/bills/exceptions/promises.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { fitReductions } from '#server/modules/payments/bills/prices/choose-discounts.ts'
import {
  lockDiscounts,
  quoteDiscounts,
  returnUses,
  takeDiscounts,
} from '#server/modules/payments/bills/prices/discounts.ts'
import type { NewBillLine } from '#server/modules/payments/bills/prices/lines.ts'
import type { PartDates } from '#server/modules/payments/bills/prices/prices.ts'
import { tellPayerOf } from '#server/modules/payments/bills/tell-payer.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { allocateToBill, giveReceipt } from './allocate-to-bill.ts'
import { type Bill, issueBill } from './issue-bill.ts'
import { lastReturn } from './last-return.ts'
import { returnToQueue } from './return-to-queue.ts'
import { lockBill } from './standing-bill.ts'

/** `lines` before any discount. */
type Reissue = {
  lines: NewBillLine[]
  dueAt: Date
  installmentPlanId?: string | null
  planFrom?: Date
  dates?: PartDates
  /** A discount given by hand, in addition to those the bill has. */
  alsoDiscount?: string
  /** A new agreement about the due dates replaces a promise. */
  endsPromise?: boolean
  reason: string
}

/**
 * Replaces a bill by one with other lines, as after a change of study programme. Money paid on the old bill moves to
 * the new one; money beyond the new total waits in the queue.
 */
export async function reissueBill(context: Context, billId: string, reissue: Reissue): Promise<Bill> {
  const { tx, services, actor } = context
  const oldBill = await lockBill(tx, billId)
  // A settled bill may be replaced too: its money moves to the new bill.
  if (oldBill.status === 'cancelled') throw conflict('wrong_status', { status: oldBill.status })
  await closeVirtualAccounts(context, { billId: oldBill.id }, 'replace')
  const moved = await returnToQueue(context, oldBill.id)
  const now = services.clock.now()
  await tx
    .updateTable('bills')
    .set((eb) => ({ status: billTransitions.cancel.to, closedAt: now, version: eb('version', '+', 1) }))
    .where('id', '=', oldBill.id)
    .execute()
  const { reason, lines: priced, alsoDiscount, endsPromise = false, ...rest } = reissue
  const { registrationId, kind } = oldBill
  const also = alsoDiscount ? [alsoDiscount] : []
  await lockDiscounts(tx, { registrationId, kind, also })
  const keep = await returnUses(tx, now, oldBill.id)
  const lines = fitReductions(
    await takeDiscounts(tx, now, { registrationId, kind, lines: priced, keep, newDiscountId: alsoDiscount }),
  )
  const newBill = await issueBill(context, {
    registrationId,
    accountId: oldBill.accountId,
    kind,
    lines,
    ...rest,
  })
  if (!endsPromise) await keepPromise(context, oldBill, newBill)
  if (oldBill.remindedAt)
    await tx.updateTable('bills').set({ remindedAt: oldBill.remindedAt }).where('id', '=', newBill.id).execute()
  await recordAudit(tx, actor, {
    action: 'bill.reissue',
    on: { bill: oldBill.id },
    after: { number: newBill.number },
    reason,
  })

  const perPayment = new Map<string, number>()
  for (const row of moved) perPayment.set(row.paymentId, (perPayment.get(row.paymentId) ?? 0) + row.amount)
  for (const [paymentId, amount] of perPayment)
    await allocateWaiting(context, { billId: newBill.id, paymentId, atMost: amount, restReason: 'overpaid' })
  await collectWaiting(context, newBill)
  return tx.selectFrom('bills').selectAll().where('id', '=', newBill.id).executeTakeFirstOrThrow()
}

/** The lines a replacing bill would have now, with a further discount given by hand; counts no use. */
export async function quoteReissue(
  db: Db,
  now: Date,
  oldBill: Pick<Bill, 'id' | 'registrationId' | 'kind'>,
  lines: NewBillLine[],
  alsoDiscount?: string,
): Promise<NewBillLine[]> {
  const uses = await db
    .selectFrom('discountUses')
    .select('discountId')
    .where('billId', '=', oldBill.id)
    .where('releasedAt', 'is', null)
    .execute()
  const { registrationId, kind } = oldBill
  const keep = uses.map(({ discountId }) => discountId)
  return fitReductions(
    await quoteDiscounts(db, now, { registrationId, kind, lines, keep, newDiscountId: alsoDiscount }),
  )
}

type Waiting = { id: string; receivedAt: Date; amount: number }
type Place = Pick<Bill, 'registrationId' | 'kind' | 'accountId'>

/**
 * Money that waits because a bill of this registration and kind was closed: later payments, and money that closing the
 * bill took off it. Overpayments of that bill are excluded.
 */
async function waitingBehind(db: Db, { registrationId, kind, accountId }: Place, { lock = false } = {}) {
  const { rows } = await sql<Waiting>`
    SELECT p.id, p.received_at, least(p.waiting_amount, coalesce(r.amount, p.waiting_amount)) AS amount
    FROM payments p LEFT JOIN LATERAL (${lastReturn(sql`p.id`)}) r ON true
    WHERE p.account_id = ${accountId} AND p.waiting_amount > 0 AND p.waiting_reason = 'bill_closed'
      AND coalesce(r.bill_id, p.bill_id) IN (SELECT id FROM bills WHERE registration_id = ${registrationId} AND kind = ${kind})
    ORDER BY p.id ${lock ? sql`FOR UPDATE OF p` : sql``}`.execute(db)
  return rows
}

/**
 * Whole rupiah of waiting money that a bill issued now for this registration and kind would receive, up to its total.
 */
export const sumWaitingBehind = async (db: Db, place: Place) =>
  (await waitingBehind(db, place)).reduce((sum, { amount }) => sum + amount, 0)

/**
 * Allocates the money of `waitingBehind` to the bill just issued, oldest payment first. Money beyond the total waits as
 * overpaid. The caller's transaction issued the bill, so no other transaction can hold its lock.
 */
export async function collectWaiting(context: Context, { id: billId, ...place }: Bill) {
  const { tx, actor } = context
  const found = await waitingBehind(tx, place, { lock: true })
  const oldestFirst = found.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
  const paymentIds: string[] = []
  for (const { id, amount } of oldestFirst) {
    const allocated = await allocateWaiting(context, { billId, paymentId: id, atMost: amount, restReason: 'overpaid' })
    if (allocated === 0) continue
    paymentIds.push(id)
    const after = { billId, amount: allocated }
    await recordAudit(tx, actor, { action: 'payment.allocate', on: { payment: id }, after })
    await tellPayerOf(context, billId, { amount, allocated, waiting: amount - allocated })
  }
  // Receipt numbers last: taking one blocks other transactions until the end of this one.
  for (const id of paymentIds) await giveReceipt(context, id)
}

/**
 * Reasons that the rest of a payment keeps when a part of it is allocated: the bill is closed, or staff have to check
 * the money.
 */
const lastingReasons: readonly (WaitingReason | null)[] = ['bill_closed', ...heldReasons]

type WaitingShare = { billId: string; paymentId: string; atMost: number; restReason?: WaitingReason | undefined }

/**
 * Allocates the waiting money of a payment, or a part of it, to a bill with room and returns the allocated rupiah. The
 * rest keeps waiting, with `restReason` or else its earlier reason.
 */
export async function allocateWaiting(
  context: Context,
  { billId, paymentId, atMost, restReason }: WaitingShare,
): Promise<number> {
  const { tx, services } = context
  const bill = await lockBill(tx, billId)
  const payment = await tx
    .selectFrom('payments')
    .select(['waitingAmount', 'waitingReason'])
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const amount = Math.max(Math.min(atMost, payment.waitingAmount, bill.total - bill.paid), 0)
  if (amount > 0) {
    await allocateToBill(context, { bill, paymentId, amount })
    await services.jobs.publish(tx, paymentMoved, movedPayment.parse({ paymentId }))
  }
  const waitingAmount = payment.waitingAmount - amount
  const ownReason = lastingReasons.includes(payment.waitingReason) ? payment.waitingReason : 'overpaid'
  await tx
    .updateTable('payments')
    .set({
      waitingAmount,
      status: waitingAmount > 0 ? 'waiting' : 'allocated',
      waitingReason: waitingAmount > 0 ? (restReason ?? ownReason) : null,
    })
    .where('id', '=', paymentId)
    .execute()
  return amount
}
