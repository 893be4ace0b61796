import { sql } from 'kysely'
import type { Tx } from '#server/platform/database.ts'
import { lockDiscounts } from './discounts.ts'
import { lockBills } from './standing-bill.ts'
import { allocatedPerBill } from './take-off-bills.ts'

/**
 * Locks for asking, deciding and replacing a bill, in the order of docs/architecture.md: registration, bills by id, virtual
 * accounts by id, payments by id, discounts by id; then the row of the request. One order, so that two transactions never
 * wait for each other.
 */
type Subject = { registrationId: string | null; billId: string | null; paymentId: string | null }

/** Locks a registration against status changes; rows that refer to the registration can still be inserted. */
async function lockRegistration(tx: Tx, id: string | null) {
  if (id) await tx.selectFrom('registrations').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Locks the registration of a bill and its bills of that kind: the bill itself and bills that replaced it. */
export async function lockBillsOfKind(tx: Tx, { registrationId, billId }: Subject): Promise<string[]> {
  await lockRegistration(tx, registrationId)
  const bills = await tx
    .selectFrom('bills as b')
    .innerJoin('bills as o', (join) =>
      join.onRef('o.registrationId', '=', 'b.registrationId').onRef('o.kind', '=', 'b.kind'),
    )
    .select('o.id')
    .where('b.id', '=', billId)
    .execute()
  const ids = bills.map(({ id }) => id)
  await lockBills(tx, ids)
  return ids
}

/** Locks the bills, their open virtual accounts and the payments on them: all that replacing a bill changes. */
export async function lockBillsWithMoney(tx: Tx, subject: Subject) {
  await lockMoneyOn(tx, await lockBillsOfKind(tx, subject))
}

/** Locks the open virtual accounts of locked bills and the payments on them. */
export async function lockMoneyOn(tx: Tx, billIds: readonly string[]) {
  await lockOpenAccounts(tx, billIds)
  await sql`SELECT id FROM payments WHERE id IN (SELECT payment_id FROM allocations WHERE bill_id = ANY(${billIds}::uuid[]))
    ORDER BY id FOR UPDATE`.execute(tx)
}

/** Locks all that replacing a bill changes and the discounts it counts; `also` are discounts given by hand or voucher. */
export async function lockForReissue(tx: Tx, subject: Subject, also: readonly string[] = []) {
  await lockBillsWithMoney(tx, subject)
  const bill = await tx
    .selectFrom('bills')
    .select(['registrationId', 'kind'])
    .where('id', '=', subject.billId)
    .executeTakeFirst()
  if (bill) await lockDiscounts(tx, { ...bill, also })
}

/**
 * Locks the bills a payment lies on and `billId`, their open virtual accounts, then the payment. Another transaction may
 * put the payment on one more bill before its lock is there; locking that bill now would break the order, so the locks go
 * back to a savepoint and are taken anew.
 */
export async function lockPaymentWithBills(tx: Tx, { registrationId, billId, paymentId }: Subject) {
  await lockRegistration(tx, registrationId)
  for (;;) {
    const before = await allocatedPerBill(tx, paymentId!)
    const billIds = [
      ...new Set([...before.keys(), ...(billId ? [billId] : []), ...(await billIdsOf(tx, registrationId))]),
    ]
    await sql`SAVEPOINT before_locks`.execute(tx)
    await lockBills(tx, billIds)
    await lockOpenAccounts(tx, billIds)
    await tx.selectFrom('payments').select('id').where('id', '=', paymentId).forUpdate().execute()
    const now = await allocatedPerBill(tx, paymentId!)
    if ([...now.keys()].every((id) => billIds.includes(id))) return
    await sql`ROLLBACK TO SAVEPOINT before_locks`.execute(tx)
  }
}

/** All bills of a registration: the bill money is meant for may have been replaced since. */
const billIdsOf = async (tx: Tx, registrationId: string | null) =>
  (await tx.selectFrom('bills').select('id').where('registrationId', '=', registrationId).execute()).map(({ id }) => id)

const lockOpenAccounts = (tx: Tx, billIds: readonly string[]) =>
  sql`SELECT id FROM virtual_accounts WHERE bill_id = ANY(${billIds}::uuid[]) AND status IN ('pending', 'active')
    ORDER BY id FOR UPDATE`.execute(tx)
