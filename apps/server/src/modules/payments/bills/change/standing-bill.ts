import crypto from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

type Bill = Selectable<Database['bills']>

/** All columns by name, because a statement with `*` is planned again each time. */
export const billColumns = [
  ...(['id', 'number', 'registrationId', 'accountId', 'kind', 'status', 'total', 'paid', 'issuedTotal'] as const),
  ...(['dueAt', 'issuedAt', 'paidAt', 'closedAt', 'remindedAt', 'installmentPlanId'] as const),
  ...(['promiseId', 'promisedUntil', 'version'] as const),
] satisfies (keyof Bill)[]

/**
 * Locks a bill until the transaction ends; transactions that move its money wait here. A cancelled bill is returned
 * without a lock: it never changes, and a transaction that holds its successor must not wait for it. NO KEY, so that
 * other transactions can still insert rows that reference a replaced bill. 404 if there is none.
 */
export async function lockBill(tx: Tx, id: string): Promise<Bill> {
  const query = tx.selectFrom('bills').select(billColumns).where('id', '=', id)
  const locked = await query.where('status', '<>', 'cancelled').forNoKeyUpdate().executeTakeFirst()
  return locked ?? query.executeTakeFirstOrThrow(() => notFound('bill'))
}

/** Locks several bills in id order; cancelled bills are not locked. */
export const lockBills = (tx: Tx, ids: readonly (string | null | undefined)[]) =>
  tx
    .selectFrom('bills')
    .select('id')
    .where('id', '=', sql<string>`ANY(${ids.filter((id) => typeof id === 'string')}::uuid[])`)
    .where('status', '<>', 'cancelled')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/**
 * Locks the bill that now takes the money for a bill: the bill itself, or the bill that replaced it. A bill cancelled
 * without replacement is returned unchanged.
 */
export async function lockStandingBill(tx: Tx, billId: string): Promise<Bill | undefined> {
  const bill = await lockBill(tx, billId)
  return bill.status === 'cancelled' ? lockBillOfKind(tx, bill.registrationId, bill.kind) : bill
}

/**
 * Locks the registration's valid bill of a kind, else the last cancelled one, which issuing the next bill locks too. If
 * the bill is replaced while this waits for its lock, goes on to the successor, whose id is greater (`idAfter`), so the
 * locks still come in id order.
 */
export async function lockBillOfKind(tx: Tx, registrationId: string, kind: BillKind): Promise<Bill | undefined> {
  const ofKind = sql`FROM bills WHERE registration_id = ${registrationId} AND kind = ${kind}`
  for (let earlierId: string | undefined; ; ) {
    const bill = await tx
      .selectFrom('bills')
      .select(billColumns)
      .where(
        'id',
        '=',
        sql<string>`coalesce((SELECT id ${ofKind} AND status <> 'cancelled'), (SELECT id ${ofKind} ORDER BY id DESC LIMIT 1))`,
      )
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (bill?.status !== 'cancelled' || bill.id === earlierId) return bill
    earlierId = bill.id
  }
}

/** Locks the bill that `lockBillOfKind` finds for each kind of bill the registration ever had, in id order. */
export async function lockBillsOfEachKind(tx: Tx, registrationId: string): Promise<Bill[]> {
  const { rows } = await sql<{ kind: BillKind }>`SELECT kind FROM (
      SELECT DISTINCT ON (kind) kind, id FROM bills WHERE registration_id = ${registrationId}
      ORDER BY kind, status = 'cancelled', id DESC) b
    ORDER BY id`.execute(tx)
  const bills: Bill[] = []
  for (const { kind } of rows) bills.push((await lockBillOfKind(tx, registrationId, kind))!)
  return bills
}

/** Hexadecimal digits before the version of a UUID, which PostgreSQL compares first: 48 bits. */
const leadingDigits = 12
const lastLeading = 2 ** 48 - 1

/**
 * A random id that PostgreSQL sorts after the given id. Each new bill gets an id after every earlier bill of its
 * registration and kind, so a transaction that follows a replaced bill to its successor locks in id order.
 */
export function idAfter(id: string): string {
  const leading = Math.min(Number.parseInt(id.replaceAll('-', '').slice(0, leadingDigits), 16) + 1, lastLeading)
  const [, , ...rest] = crypto.randomUUID().split('-')
  const digits = leading.toString(16).padStart(leadingDigits, '0')
  return [digits.slice(0, 8), digits.slice(8), ...rest].join('-')
}
