import { billTransitions, isOwed } from '#domain/payments/bills/bill-status.ts'
import { billSettled } from '#server/modules/payments/bills/events.ts'
import { closeVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { Bill } from './issue-bill.ts'

/**
 * Reduces a locked bill by unpaid whole rupiah: adds a negative line with the reason and shrinks the instalments from
 * the last. Numbers that ask for the old sum are replaced. A bill with nothing left to pay is settled.
 */
export async function reduceBill(
  context: Omit<Context, 'actor'>,
  bill: Pick<Bill, 'id' | 'registrationId' | 'kind' | 'status' | 'total' | 'paid'>,
  amount: number,
  description: string,
): Promise<void> {
  const { tx, services } = context
  const remaining = bill.total - bill.paid
  if (amount > remaining) throw conflict('above_rest_of_bill', { rest: remaining })
  const { last } = await tx
    .selectFrom('billLines')
    .select((eb) => eb.fn.coalesce(eb.fn.max('sortOrder'), eb.lit(0)).as('last'))
    .where('billId', '=', bill.id)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('billLines')
    .values({
      billId: bill.id,
      description,
      amount: -amount,
      addedLater: true,
      addedAt: services.clock.now(),
      sortOrder: last + 1,
    })
    .execute()
  const parts = await tx
    .selectFrom('installments')
    .select(['id', 'amount', 'paid'])
    .where('billId', '=', bill.id)
    .orderBy('position', 'desc')
    .execute()
  const now = services.clock.now()
  let leftToTake = parts.length > 0 ? amount : 0
  for (const part of parts) {
    const off = Math.min(leftToTake, part.amount - part.paid)
    if (off <= 0) continue
    leftToTake -= off
    const whole = part.amount - off === part.paid
    await tx
      .updateTable('installments')
      .set({ amount: part.amount - off, ...(whole && { paidAt: now }) })
      .where('id', '=', part.id)
      .execute()
  }
  const total = bill.total - amount
  const settled = isOwed(bill.status) && bill.paid >= total
  await tx
    .updateTable('bills')
    .set((eb) => ({
      total,
      ...(settled && { status: billTransitions.settle.to, paidAt: now }),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', bill.id)
    .execute()
  await closeVirtualAccounts(context, { billId: bill.id }, settled ? 'cancel' : 'replace')
  const { id: billId, registrationId, kind } = bill
  await services.jobs.publish(
    tx,
    settled ? 'bill.settled' : 'bill.progressed',
    billSettled.parse({ billId, registrationId, kind }),
  )
}
