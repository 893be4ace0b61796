import { isPromiseOpen } from '#domain/payments/bills/promise.ts'
import type { Bill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { prolongVirtualAccounts } from '#server/modules/payments/bills/numbers/virtual-accounts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

type Promised = { promiseId: string; promisedUntil: Date }

/**
 * Marks a bill as promised: the bill and its unpaid instalments are due that day, and no transfer number ends before
 * it.
 */
export async function promiseToPay(tx: Tx, services: Services, billId: string, promise: Promised) {
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
  await prolongVirtualAccounts(tx, services, billId, promisedUntil)
}

/** A replacing bill keeps the promise of its predecessor: an open promise with its day, a broken one as a mark. */
export async function keepPromise(tx: Tx, services: Services, oldBill: Bill, newBill: Bill) {
  const { promiseId, promisedUntil } = oldBill
  const now = services.clock.now()
  if (!promiseId || !promisedUntil) return
  if (isPromiseOpen(oldBill, now)) await promiseToPay(tx, services, newBill.id, { promiseId, promisedUntil })
  else if (promisedUntil < now && oldBill.status !== 'paid')
    await tx.updateTable('bills').set({ promiseId, promisedUntil }).where('id', '=', newBill.id).execute()
}
