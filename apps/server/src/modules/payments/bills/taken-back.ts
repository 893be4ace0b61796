import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** A reversed payment whose bill is owed again; `reason` is the sentence the payer received. */
export type TakenBack = { amount: number; reason: string }

/** The latest reversed payment of each bill, unless the bill has received money since. */
export async function findTakenBack(db: Db, billIds: readonly string[]): Promise<Map<string, TakenBack>> {
  if (billIds.length === 0) return new Map()
  const { rows } = await sql<TakenBack & { billId: string }>`
    SELECT DISTINCT ON (p.bill_id) p.bill_id, p.amount, q.reason FROM payments p
    JOIN approval_requests q ON q.payment_id = p.id AND q.kind = 'reversal' AND q.status = 'approved'
    WHERE p.bill_id = ANY(${[...billIds]}::uuid[]) AND p.status = 'reversed' AND NOT EXISTS (
      SELECT FROM payments o WHERE o.bill_id = p.bill_id AND o.status <> 'reversed' AND o.received_at >= p.reversed_at)
    ORDER BY p.bill_id, p.reversed_at DESC`.execute(db)
  return new Map(rows.map(({ billId, amount, reason }) => [billId, { amount, reason }]))
}
