import { type RawBuilder, sql } from 'kysely'

/**
 * SQL table with the open bill of a registration that is due first: its remaining rupiah and due date. No row if no
 * bill is open.
 */
export const nextBill = (registrationId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(SELECT total - paid AS remaining, due_at FROM bills
    WHERE registration_id = ${registrationId} AND status IN ('open', 'partly_paid') ORDER BY due_at, issued_at LIMIT 1)`
