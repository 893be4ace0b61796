import { sql } from 'kysely'
import { type BillKind, billKinds, billTransitions, isOwed } from '#domain/payments/bills/bill-status.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { lockDiscounts, releaseKept, returnUses } from '#server/modules/payments/bills/prices/discounts.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Context } from '#server/platform/use-case.ts'
import { lockMoneyOn } from './lock-subject.ts'
import { returnToQueue } from './return-to-queue.ts'
import { lockBillsOfEachKind } from './standing-bill.ts'

/**
 * Cancels the unpaid bills of a registration and closes their bank transfer numbers. Money already paid on such a bill
 * returns to the waiting queue; a bill paid in full stays unchanged.
 */
export async function cancelBills(
  context: Context,
  registrationId: string,
  reason: string,
  kind?: BillKind,
): Promise<void> {
  const { tx, services, actor } = context
  const bills = await lockBillsOfEachKind(tx, registrationId)
  const owed = bills.filter((bill) => isOwed(bill.status) && (!kind || bill.kind === kind))
  await lockMoneyOn(
    tx,
    owed.map(({ id }) => id),
  )
  for (const one of billKinds) await lockDiscounts(tx, { registrationId, kind: one })
  for (const { id, status, paid } of owed) {
    await closeVirtualAccounts(context, { billId: id }, 'cancel')
    await returnToQueue(context, id)
    await tx
      .updateTable('bills')
      .set((eb) => ({
        status: billTransitions.cancel.to,
        closedAt: services.clock.now(),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .where('status', 'in', [...billTransitions.cancel.from])
      .execute()
    await returnUses(tx, services.clock.now(), id)
    await recordAudit(tx, actor, { action: 'bill.cancel', on: { bill: id }, before: { id, status, paid }, reason })
  }
  // Without a kind, the registration itself has ended.
  if (!kind) await releaseKept(tx, services.clock.now(), registrationId)
}

/**
 * Cancels those of the given bills whose registration has ended, after money was taken off them. Nothing is owed for
 * such a bill, so its remaining money waits. The caller holds the locks of the bills.
 */
export async function cancelBillsOfEnded(context: Context, billIds: readonly string[]) {
  const { tx } = context
  const ended = await tx
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .select('r.id')
    .distinct()
    .where('b.id', '=', sql<string>`ANY(${billIds}::uuid[])`)
    .where('r.status', 'in', ['withdrawn', 'cancelled', 'expired'])
    .orderBy('r.id')
    .execute()
  for (const { id } of ended) await cancelBills(context, id, 'registration_ended')
}
