import type { Actor } from '#server/platform/authorization.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { registrationVisibleTo } from '../visible-bills.ts'

/** Payments under the name `p` with the bill they came for and its registration. */
export const paymentsWithBills = (db: Db) =>
  db
    .selectFrom('payments as p')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')

/**
 * A payment with the registration and kind of its bill; `lock` keeps its row until the transaction ends. 404 for a payment
 * the actor may not see; without an actor every payment is found.
 */
export async function getPayment(db: Db, actor: Actor | null, id: string, { lock = false } = {}) {
  const payment = await paymentsWithBills(db)
    .selectAll('p')
    .select(['b.registrationId', 'b.kind as billKind'])
    .where('p.id', '=', id)
    .$if(actor !== null, (q) => q.where((eb) => registrationVisibleTo(actor!, eb as never)))
    .$if(lock, (q) => q.forUpdate('p'))
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  return payment
}

export const lockPayment = (tx: Tx, actor: Actor | null, id: string) => getPayment(tx, actor, id, { lock: true })
