import { type BillKind, billKinds, billTransitions } from '#domain/payments/bill-status.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { lockMoneyOn } from './desk/lock-subject.ts'
import { lockDiscounts, releaseKept, returnUses } from './discounts.ts'
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
  const bills = await tx
    .selectFrom('bills')
    .select(['id', 'kind', 'status', 'paid'])
    .where('registrationId', '=', registrationId)
    .where('status', 'in', [...billTransitions.cancel.from])
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind!))
    .orderBy('id')
    .forUpdate()
    .execute()
  await lockMoneyOn(
    tx,
    bills.map(({ id }) => id),
  )
  for (const one of billKinds) await lockDiscounts(tx, { registrationId, kind: one })
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
