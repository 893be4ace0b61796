import { type RawBuilder, sql } from 'kysely'
import { lockDiscounts } from '#server/modules/payments/bills/prices/discounts.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { lockBills, lockBillsOfEachKind } from './standing-bill.ts'

/**
 * Subject of a request or of replacing a bill. Locks follow the order of docs/money.md to prevent deadlocks:
 * registration, bills by id, virtual accounts by id, payments by id, discounts by id, then the row of the request.
 */
type Subject = { registrationId: string | null; billId: string | null; paymentId: string | null }

/** Locks a registration against status changes; rows that reference it can still be inserted. */
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

/** Locks the bills, their open virtual accounts and the payments on them: every row that replacing a bill changes. */
export async function lockBillsWithMoney(tx: Tx, subject: Subject) {
  await lockMoneyOn(tx, await lockBillsOfKind(tx, subject))
}

/** Locks the open virtual accounts of locked bills, then the payments on them and those of `also`. */
export async function lockMoneyOn(
  tx: Tx,
  billIds: readonly string[],
  also: RawBuilder<unknown> = sql`SELECT NULL::uuid`,
) {
  if (billIds.length > 0)
    await sql`SELECT id FROM virtual_accounts WHERE bill_id = ANY(${billIds}::uuid[]) AND status IN ('pending', 'active')
      ORDER BY id FOR UPDATE`.execute(tx)
  // For an empty array PostgreSQL would plan the statement each time.
  if (billIds.length === 0) await sql`SELECT id FROM payments WHERE id IN (${also}) ORDER BY id FOR UPDATE`.execute(tx)
  else
    await sql`SELECT id FROM payments WHERE id IN (
      SELECT payment_id FROM allocations WHERE bill_id = ANY(${billIds}::uuid[]) UNION ${also})
    ORDER BY id FOR UPDATE`.execute(tx)
}

/**
 * Locks every row that replacing a bill changes, and the discounts it counts. `also` holds discounts given by hand or
 * by voucher.
 */
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
 * Locks the rows that issuing a bill changes, before its discounts and its number: the bills of the registration, their
 * money, and the account's payments that wait because a bill was closed. Returns the bills, one of each kind.
 */
export async function lockForIssue(tx: Tx, registrationId: string, accountId: string) {
  const bills = await lockBillsOfEachKind(tx, registrationId)
  const waiting = sql`SELECT id FROM payments
    WHERE account_id = ${accountId} AND waiting_amount > 0 AND waiting_reason = 'bill_closed'`
  await lockMoneyOn(
    tx,
    bills.map(({ id }) => id),
    waiting,
  )
  return bills
}

/**
 * Locks `billId`, all bills of `registrationId` and of the registrations whose bills hold the payment, the money on
 * them, and the payment. All bills, because taking money off a bill of an ended registration cancels that
 * registration's owed bills. Until the payment is locked, another transaction may allocate it to a bill of a further
 * registration. Locking that bill then would break the order, so the locks roll back to a savepoint and start again.
 */
export async function lockPaymentWithBills(tx: Tx, subject: Subject) {
  await lockRegistration(tx, subject.registrationId)
  for (;;) {
    const billIds = await billIdsAround(tx, subject)
    await sql`SAVEPOINT before_locks`.execute(tx)
    await lockBills(tx, billIds)
    await lockMoneyOn(tx, billIds, sql`SELECT ${subject.paymentId}::uuid`)
    const now = await billIdsAround(tx, subject)
    if (now.every((id) => billIds.includes(id))) return
    await sql`ROLLBACK TO SAVEPOINT before_locks`.execute(tx)
  }
}

/** Includes all bills of a registration, because the requested bill may have been replaced since. */
async function billIdsAround(tx: Tx, { registrationId, billId, paymentId }: Subject): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM bills WHERE id = ${billId}
    UNION SELECT id FROM bills WHERE registration_id = ${registrationId}
    UNION SELECT b.id FROM bills b WHERE b.registration_id IN (
      SELECT o.registration_id FROM allocations a JOIN bills o ON o.id = a.bill_id WHERE a.payment_id = ${paymentId}
      GROUP BY o.id HAVING sum(a.amount) <> 0)`.execute(tx)
  return rows.map(({ id }) => id)
}
