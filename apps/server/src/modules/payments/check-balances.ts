import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'

export type BalanceProblem = { what: string; id: string; stored: number; derived: number }

/** Derives every balance again from the allocations; an empty answer means that the books are right. */
export async function checkBalances(db: Db): Promise<BalanceProblem[]> {
  const { rows } = await sql<BalanceProblem>`
    WITH given AS (
      SELECT bill_id, installment_id, payment_id, amount FROM allocations
    )
    SELECT 'bill.paid' AS what, b.id::text, b.paid AS stored, coalesce(g.sum, 0)::bigint AS derived
      FROM bills b LEFT JOIN (SELECT bill_id, sum(amount)::bigint AS sum FROM given GROUP BY 1) g ON g.bill_id = b.id
      WHERE b.paid <> coalesce(g.sum, 0)
    UNION ALL
    SELECT 'bill.status', b.id::text, b.paid, b.total FROM bills b
      WHERE (b.status = 'paid' AND b.paid <> b.total) OR (b.status = 'open' AND b.paid <> 0)
         OR (b.status = 'partly_paid' AND (b.paid = 0 OR b.paid >= b.total)) OR (b.status = 'cancelled' AND b.paid <> 0)
    UNION ALL
    SELECT 'bill.lines', b.id::text, b.total, coalesce(l.sum, 0)::bigint
      FROM bills b LEFT JOIN (SELECT bill_id, sum(amount)::bigint AS sum FROM bill_lines GROUP BY 1) l ON l.bill_id = b.id
      WHERE b.total <> coalesce(l.sum, 0)
    UNION ALL
    SELECT 'bill.installments', b.id::text, b.total, i.sum
      FROM bills b JOIN (SELECT bill_id, sum(amount)::bigint AS sum FROM installments GROUP BY 1) i ON i.bill_id = b.id
      WHERE b.total <> i.sum
    UNION ALL
    SELECT 'installment.paid', i.id::text, i.paid, coalesce(g.sum, 0)::bigint
      FROM installments i
      LEFT JOIN (SELECT installment_id, sum(amount)::bigint AS sum FROM given GROUP BY 1) g ON g.installment_id = i.id
      WHERE i.paid <> coalesce(g.sum, 0)
    UNION ALL
    SELECT 'payment.allocated', p.id::text, p.amount - p.waiting_amount - p.refunded_amount, coalesce(g.sum, 0)::bigint
      FROM payments p LEFT JOIN (SELECT payment_id, sum(amount)::bigint AS sum FROM given GROUP BY 1) g ON g.payment_id = p.id
      WHERE p.status <> 'reversed' AND p.amount - p.waiting_amount - p.refunded_amount <> coalesce(g.sum, 0)
    UNION ALL
    SELECT 'payment.status', p.id::text, p.waiting_amount, p.amount FROM payments p
      WHERE p.status = 'received' OR (p.status = 'waiting') <> (p.waiting_amount > 0 AND p.status <> 'reversed')
         OR (p.waiting_amount > 0 AND p.waiting_reason IS NULL)`.execute(db)
  return rows
}
