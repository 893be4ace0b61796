import crypto from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { BillKind } from '#domain/payments/bill-status.ts'
import type { Database, Tx } from '#server/platform/database.ts'

type Bill = Selectable<Database['bills']>

/**
 * Locks the bill that money for a bill goes to now: the bill itself, or the one that replaced it since. A bill that was
 * cancelled and not replaced comes back as it is.
 */
export async function lockStandingBill(tx: Tx, billId: string): Promise<Bill | undefined> {
  const bill = await tx.selectFrom('bills').selectAll().where('id', '=', billId).forUpdate().executeTakeFirst()
  return bill?.status === 'cancelled' ? lockBillOfKind(tx, bill.registrationId, bill.kind) : bill
}

/**
 * Locks the bill of a kind that counts for a registration, else the last cancelled one, which whoever issues the next one
 * locks too. A bill replaced while this waits for its lock leads to its successor, whose id is greater (`idAfter`), so the
 * locks still come in the order of ids.
 */
export async function lockBillOfKind(tx: Tx, registrationId: string, kind: BillKind): Promise<Bill | undefined> {
  const ofKind = sql`FROM bills WHERE registration_id = ${registrationId} AND kind = ${kind}`
  for (let before: string | undefined; ; ) {
    const bill = await tx
      .selectFrom('bills')
      .selectAll()
      .where(
        'id',
        '=',
        sql<string>`coalesce((SELECT id ${ofKind} AND status <> 'cancelled'), (SELECT id ${ofKind} ORDER BY id DESC LIMIT 1))`,
      )
      .forUpdate()
      .executeTakeFirst()
    if (bill?.status !== 'cancelled' || bill.id === before) return bill
    before = bill.id
  }
}

/** Hexadecimal digits before the version of a UUID, which PostgreSQL compares first: 48 bits. */
const leadingDigits = 12
const lastLeading = 2 ** 48 - 1

/**
 * A random id that PostgreSQL sorts behind another one. A bill gets one behind every earlier bill of its registration and
 * kind: who holds a replaced bill and goes on to its successor never locks against the order of ids.
 */
export function idAfter(id: string): string {
  const leading = Math.min(Number.parseInt(id.replaceAll('-', '').slice(0, leadingDigits), 16) + 1, lastLeading)
  const [, , ...rest] = crypto.randomUUID().split('-')
  const digits = leading.toString(16).padStart(leadingDigits, '0')
  return [digits.slice(0, 8), digits.slice(8), ...rest].join('-')
}
