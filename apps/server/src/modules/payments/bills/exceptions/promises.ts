import { isPromiseOpen } from '#domain/payments/bills/promise.ts'
import type { Bill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { prolongVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import type { Context } from '#server/platform/use-case.ts'

type Promised = { promiseId: string; promisedUntil: Date }

/**
 * Marks a bill as promised: the bill and its unpaid instalments are due that day, and no transfer number ends before
 * it.
 */
export async function promiseToPay(context: Omit<Context, 'actor'>, billId: string, promise: Promised) {
  const { tx } = context
  const { promisedUntil } = promise
  await tx
    .updateTable('bills')
    .set((eb) => ({ ...promise, dueAt: promisedUntil, version: eb('version', '+', 1) }))
    .where('id', '=', billId)
    .execute()
  await tx
    .updateTable('installments')
    .set({ dueAt: promisedUntil })
    .where('billId', '=', billId)
    .whereRef('paid', '<', 'amount')
    .execute()
  await prolongVirtualAccounts(context, billId, promisedUntil)
}

/** A replacing bill keeps the promise of its predecessor: an open promise with its day, a broken one as a mark. */
export async function keepPromise(context: Omit<Context, 'actor'>, oldBill: Bill, newBill: Bill) {
  const { tx, services } = context
  const now = services.clock.now()
  const { promiseId, promisedUntil } = oldBill
  if (!promiseId || !promisedUntil) return
  if (isPromiseOpen(oldBill, now)) await promiseToPay(context, newBill.id, { promiseId, promisedUntil })
  else if (promisedUntil < now && oldBill.status !== 'paid')
    await tx.updateTable('bills').set({ promiseId, promisedUntil }).where('id', '=', newBill.id).execute()
}
