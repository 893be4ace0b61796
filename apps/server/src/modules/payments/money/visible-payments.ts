import type { Actor } from '#server/platform/access/authorization.ts'
import { hiddenFrom, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { AppError, notFound } from '#server/platform/errors.ts'

/** Payments `p` with the bill they arrived for and its registration. */
export const paymentsWithBills = (db: Db) =>
  db
    .selectFrom('payments as p')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')

/**
 * A payment with the registration and kind of its bill; `lock` holds its row until the transaction ends. 404 if the
 * actor may not see it; without an actor every payment is found.
 */
export async function getPayment(db: Db, actor: Actor | null, id: string, { lock = false } = {}) {
  const payment = await paymentsWithBills(db)
    .selectAll('p')
    .select(['b.registrationId', 'b.kind as billKind'])
    .where('p.id', '=', id)
    .$call((q) => (actor === null ? q : q.where(visibleTo(actor))))
    .$if(lock, (q) => q.forUpdate('p'))
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  return payment
}

export const lockPayment = (tx: Tx, actor: Actor | null, id: string) => getPayment(tx, actor, id, { lock: true })

/**
 * Throws 403 if the payment is on a bill of a registration the actor may not see: taking it off would change a debt
 * outside the actor's rows. The caller holds the lock of the payment.
 */
export async function requireBillsWithin(tx: Tx, actor: Actor, paymentId: string) {
  const outside = await tx
    .selectFrom('allocations as a')
    .innerJoin('bills as b', 'b.id', 'a.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .select('a.billId')
    .where('a.paymentId', '=', paymentId)
    .where(hiddenFrom(actor))
    .groupBy('a.billId')
    .having((eb) => eb(eb.fn.sum('a.amount'), '<>', 0))
    .limit(1)
    .executeTakeFirst()
  if (outside) throw new AppError(403, 'money_outside_rows')
}
