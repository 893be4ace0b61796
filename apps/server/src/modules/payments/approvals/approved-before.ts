import { sql } from 'kysely'
import { approvalKinds, limitSpans } from '#domain/payments/approvals/approvals.ts'

const kindsWithin = (span: 'bill' | 'registration') => sql`${approvalKinds.filter((kind) => limitSpans[kind] === span)}`

/**
 * Rupiah approved before a request `q`, of the same kind and within the scope of that kind, whichever accounts asked
 * and decided. For money without a payer, only approvals about the same payment add up. Payments entered and reversed
 * again do not count.
 */
export const approvedBefore = sql<number>`(
  SELECT coalesce(sum(e.amount), 0)::bigint FROM approval_requests e
  WHERE e.kind = q.kind AND e.status = 'approved' AND e.id <> q.id
    AND (q.decided_at IS NULL OR (e.decided_at, e.id) < (q.decided_at, q.id))
    AND (e.registration_id = q.registration_id OR (q.registration_id IS NULL AND e.payment_id = q.payment_id))
    AND (q.kind = ANY(${kindsWithin('registration')}::text[]) OR (q.kind = ANY(${kindsWithin('bill')}::text[])
      AND (SELECT kind FROM bills WHERE id = e.bill_id) = (SELECT kind FROM bills WHERE id = q.bill_id)))
    AND NOT (e.kind = 'manual_payment' AND EXISTS (
      SELECT FROM payments p WHERE p.id = e.payment_id AND p.status = 'reversed')))`
