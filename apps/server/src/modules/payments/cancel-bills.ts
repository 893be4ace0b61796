import { sql } from 'kysely'
import { type BillKind, billTransitions } from '#domain/payments/bill-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { releaseKept, returnUses } from './discounts.ts'
import { returnToQueue } from './return-to-queue.ts'
import { closeVirtualAccounts } from './virtual-accounts.ts'

/**
 * Cancels what a registration still owes and closes its bank transfer numbers. Money already paid on such a bill goes
 * back to the waiting queue; a bill that is paid in full stays as it is.
 */
export async function cancelBills(
  tx: Tx,
  services: Services,
  actor: Actor,
  registrationId: string,
  reason: string,
  kind?: BillKind,
): Promise<void> {
  await lockBillsOf(tx, registrationId)
  const bills = await standingBills(tx, registrationId)
    .where('status', 'in', [...billTransitions.cancel.from])
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind!))
    .execute()
  for (const bill of bills) {
    await returnToQueue(tx, services, actor, bill.id)
    await tx
      .updateTable('bills')
      .set((eb) => ({ status: billTransitions.cancel.to, version: eb('version', '+', 1) }))
      .where('id', '=', bill.id)
      .where('status', 'in', [...billTransitions.cancel.from])
      .execute()
    await returnUses(tx, services.clock.now(), bill.id)
    await closeVirtualAccounts(tx, services, { billId: bill.id }, 'cancel')
    await recordAudit(tx, actor, 'bill.cancel', { type: 'bill', id: bill.id }, { before: bill, reason })
  }
  // Of every kind: the registration itself has ended.
  if (!kind) await releaseKept(tx, services.clock.now(), registrationId)
}

const standingBills = (tx: Tx, registrationId: string) =>
  tx
    .selectFrom('bills')
    .select(['id', 'status', 'paid'])
    .where('registrationId', '=', registrationId)
    .where('status', '<>', 'cancelled')
    .orderBy('id')

/**
 * Locks every bill of a registration that is not cancelled. A paid bill counts too: who holds it may be about to make it
 * owed again. A bill that was replaced while this waited is gone and its successor not locked yet, hence the second look.
 */
async function lockBillsOf(tx: Tx, registrationId: string) {
  for (;;) {
    const locked = await standingBills(tx, registrationId).forUpdate().execute()
    const standing = await standingBills(tx, registrationId).execute()
    if (standing.every(({ id }) => locked.some((bill) => bill.id === id))) return
  }
}

/**
 * Of bills that money was taken off, cancels those whose registration has ended: nothing is owed for it, so the rest of
 * the money waits. The caller holds the locks of the bills.
 */
export async function cancelBillsOfEnded(tx: Tx, services: Services, actor: Actor, billIds: readonly string[]) {
  const ended = await tx
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .select('r.id')
    .distinct()
    .where('b.id', '=', sql<string>`ANY(${billIds}::uuid[])`)
    .where('r.status', 'in', ['withdrawn', 'cancelled', 'expired'])
    .orderBy('r.id')
    .execute()
  for (const { id } of ended) await cancelBills(tx, services, actor, id, 'registration_ended')
}
