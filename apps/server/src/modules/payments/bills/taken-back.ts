import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** A reversed payment whose bill is owed again; `reason` is the sentence the payer received. */
export type TakenBack = { amount: number; reason: string }

/** The latest reversed payment of a bill, unless the bill has received money since; `billId` is SQL for a bill id. */
export const takenBackOf = (billId: RawBuilder<unknown>) => sql<TakenBack | null>`(
  SELECT json_build_object('amount', p.amount, 'reason', q.reason) FROM payments p
  JOIN approval_requests q ON q.payment_id = p.id AND q.kind = 'reversal' AND q.status = 'approved'
  WHERE p.bill_id = ${billId} AND p.status = 'reversed' AND NOT EXISTS (
    SELECT FROM payments o WHERE o.bill_id = p.bill_id AND o.status <> 'reversed' AND o.received_at >= p.reversed_at)
  ORDER BY p.reversed_at DESC LIMIT 1)`

/** `takenBackOf` for several bills at once. */
export async function findTakenBack(db: Db, billIds: readonly string[]): Promise<Map<string, TakenBack>> {
  if (billIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; takenBack: TakenBack | null }>`
    SELECT b.id, ${takenBackOf(sql`b.id`)} AS taken_back FROM unnest(${[...billIds]}::uuid[]) AS b(id)`.execute(db)
  return new Map(rows.flatMap(({ id, takenBack }) => (takenBack ? [[id, takenBack]] : [])))
}
