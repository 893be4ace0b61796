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

/** A payment with the registration and kind of its bill; of an actor, only one he may see: 404 otherwise. */
export async function getPayment(db: Db, actor: Actor | null, id: string) {
  const payment = await paymentsWithBills(db)
    .selectAll('p')
    .select(['b.registrationId', 'b.kind as billKind'])
    .where('p.id', '=', id)
    .$if(actor !== null, (q) => q.where((eb) => registrationVisibleTo(actor!, eb as never)))
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  return payment
}

/** A payment with its row kept until the end of the transaction; of an actor, only one he may see: 404 otherwise. */
export async function lockPayment(tx: Tx, id: string, actor?: Actor) {
  const payment = await paymentsWithBills(tx)
    .selectAll('p')
    .select(['b.registrationId', 'b.kind as billKind'])
    .where('p.id', '=', id)
    .$if(actor !== undefined, (q) => q.where((eb) => registrationVisibleTo(actor!, eb as never)))
    .forUpdate('p')
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  return payment
}
