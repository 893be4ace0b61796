import { type RawBuilder, sql } from 'kysely'

/** `amount` in whole rupiah: the part of a payment that was on the bill when the bill was closed. */
export type LastReturn = { billId: string; amount: number }

/**
 * The cancelled bill that last returned a payment's money, as a query; no row for a payment that was never on such a
 * bill.
 */
export const lastReturn = (paymentId: RawBuilder<unknown>) => sql<LastReturn>`
  SELECT a.bill_id, sum(-a.amount)::bigint AS amount FROM allocations a JOIN bills c ON c.id = a.bill_id
  WHERE a.payment_id = ${paymentId} AND a.amount < 0 AND c.status = 'cancelled'
  GROUP BY a.bill_id, a.created_at ORDER BY a.created_at DESC, a.bill_id DESC LIMIT 1`
