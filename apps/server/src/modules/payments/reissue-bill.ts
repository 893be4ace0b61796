import { billTransitions } from '#domain/payments/bill-status.ts'
import { fitReductions } from '#domain/payments/discounts.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { allocateToBill } from './book-payment.ts'
import { lockDiscounts, quoteDiscounts, returnUses, takeDiscounts } from './discounts.ts'
import { type Bill, issueBill, type NewBillLine } from './issue-bill.ts'
import type { PartDates } from './prices.ts'
import { keepPromise } from './promises.ts'
import { returnToQueue } from './return-to-queue.ts'
import { closeVirtualAccounts } from './virtual-accounts.ts'

/** `lines` before any discount. */
type Reissue = {
  lines: NewBillLine[]
  dueAt: Date
  installmentPlanId?: string | null
  planFrom?: Date
  dates?: PartDates
  /** A discount given by hand, besides those the bill has. */
  alsoDiscount?: string
  /** Another agreement about when to pay takes the place of a promise. */
  endsPromise?: boolean
  reason: string
}

/**
 * Replaces a bill by one with other lines, as after a change of study programme. What was paid on the old one moves to
 * the new one; more than the new one asks for waits in the queue.
 */
export async function reissueBill(
  tx: Tx,
  services: Services,
  actor: Actor,
  billId: string,
  wanted: Reissue,
): Promise<Bill> {
  const old = await tx.selectFrom('bills').selectAll().where('id', '=', billId).forUpdate().executeTakeFirst()
  if (!old) throw notFound('bill')
  // A settled bill may be replaced as well: its money goes along.
  if (old.status === 'cancelled') throw conflict('wrong_status', { status: old.status })
  await closeVirtualAccounts(tx, services, { billId: old.id }, 'replace')
  const moved = await returnToQueue(tx, services, actor, old.id)
  await tx
    .updateTable('bills')
    .set((eb) => ({ status: billTransitions.cancel.to, version: eb('version', '+', 1) }))
    .where('id', '=', old.id)
    .execute()
  const now = services.clock.now()
  const { reason, lines: priced, alsoDiscount, endsPromise = false, ...rest } = wanted
  const { registrationId, kind } = old
  const also = alsoDiscount ? [alsoDiscount] : []
  await lockDiscounts(tx, { registrationId, kind, also })
  const keep = [...(await returnUses(tx, now, old.id)), ...also]
  const lines = fitReductions(await takeDiscounts(tx, now, { registrationId, kind, lines: priced, keep }))
  const made = await issueBill(tx, services, actor, {
    registrationId,
    accountId: old.accountId,
    kind,
    lines,
    ...rest,
  })
  if (!endsPromise) await keepPromise(tx, services, old, made)
  await recordAudit(tx, actor, 'bill.reissue', { type: 'bill', id: old.id }, { after: { number: made.number }, reason })

  const perPayment = new Map<string, number>()
  for (const row of moved) perPayment.set(row.paymentId, (perPayment.get(row.paymentId) ?? 0) + row.amount)
  for (const [paymentId, amount] of perPayment) await allocateWaiting(tx, services, actor, made.id, paymentId, amount)
  return tx.selectFrom('bills').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
}

/** The lines a bill would have if it were replaced now, with a discount given by hand as well; takes nothing. */
export async function quoteReissue(
  db: Db,
  now: Date,
  old: Pick<Bill, 'id' | 'registrationId' | 'kind'>,
  lines: NewBillLine[],
  alsoDiscount?: string,
): Promise<NewBillLine[]> {
  const uses = await db
    .selectFrom('discountUses')
    .select('discountId')
    .where('billId', '=', old.id)
    .where('releasedAt', 'is', null)
    .execute()
  const { registrationId, kind } = old
  const keep = uses.map(({ discountId }) => discountId)
  if (alsoDiscount) keep.push(alsoDiscount)
  return fitReductions(await quoteDiscounts(db, now, { registrationId, kind, lines, keep }))
}

/** Gives (a part of) the waiting money of a payment to a bill that has room; what does not fit keeps waiting. */
export async function allocateWaiting(
  tx: Tx,
  services: Services,
  actor: Actor,
  billId: string,
  paymentId: string,
  wanted: number,
) {
  const bill = await tx.selectFrom('bills').selectAll().where('id', '=', billId).forUpdate().executeTakeFirstOrThrow()
  const payment = await tx
    .selectFrom('payments')
    .select(['waitingAmount'])
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const amount = Math.min(wanted, payment.waitingAmount, bill.total - bill.paid)
  if (amount > 0) await allocateToBill(tx, services, actor, { bill, paymentId, amount })
  const waitingAmount = payment.waitingAmount - Math.max(amount, 0)
  await tx
    .updateTable('payments')
    .set({
      waitingAmount,
      status: waitingAmount > 0 ? 'waiting' : 'allocated',
      waitingReason: waitingAmount > 0 ? 'overpaid' : null,
    })
    .where('id', '=', paymentId)
    .execute()
}
