import { type RawBuilder, sql } from 'kysely'
import { emailOf, type Impossible, type InvariantsOf } from './invariant.ts'

/** Rows about an approval request `q`. */
const request = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'approval' AS subject_type, q.id::text, coalesce(b.number, p.provider_reference, q.kind) || ' · ' || q.kind AS label,
    (${stored})::text AS stored, (${derived})::text AS derived, '/persetujuan' AS path
  FROM approval_requests q LEFT JOIN bills b ON b.id = q.bill_id LEFT JOIN payments p ON p.id = q.payment_id
  ${rest}`

export const approvalInvariants: InvariantsOf<'approvals'> = {
  /**
   * A request is still what was asked: kind, sum, bill, person and every detail as the log of the question has them. Of
   * details the log cuts short, the end is compared.
   */
  'approval-asked': () =>
    request(
      sql`concat_ws(' · ', q.kind, q.amount, CASE WHEN d.moved THEN b.number END,
        CASE WHEN d.other THEN ${emailOf(sql`q.requested_by`)} END, d.stored)`,
      sql`concat_ws(' · ', a.after ->> 'kind', a.after ->> 'amount',
        CASE WHEN d.moved THEN (SELECT number FROM bills o WHERE o.id::text = a.after ->> 'billId') END,
        CASE WHEN d.other THEN ${emailOf(sql`coalesce(a.acting_as_id, a.actor_id)`)} END, d.asked)`,
      sql`JOIN audit_log a ON a.subject_type = 'approval' AND a.action IN ('approval.ask', 'approval.renew')
          AND a.subject_id = q.id::text
        CROSS JOIN LATERAL (
          SELECT string_agg(e.key || ' ' || coalesce(q.details ->> e.key, '–'), ', ' ORDER BY e.key) AS stored,
            string_agg(e.key || ' ' || e.value, ', ' ORDER BY e.key) AS asked,
            q.bill_id::text IS DISTINCT FROM a.after ->> 'billId' AS moved,
            q.requested_by IS DISTINCT FROM coalesce(a.acting_as_id, a.actor_id) AS other
          FROM jsonb_each_text(coalesce(a.after -> 'details', '{}')) e
          WHERE CASE WHEN e.value LIKE '••••%' THEN right(e.value, 4) IS DISTINCT FROM right(q.details ->> e.key, 4)
            ELSE e.value NOT LIKE '%••••%' AND e.value IS DISTINCT FROM q.details ->> e.key END) d
        WHERE d.asked IS NOT NULL OR d.moved OR d.other OR q.kind <> a.after ->> 'kind'
          OR q.amount <> (a.after ->> 'amount')::bigint`,
    ),

  /** Whoever the log says decided did so, within the limit of that moment; of decisions older than that, none is known. */
  'approval-decider': () =>
    request(
      sql`CASE WHEN a.by IS NOT DISTINCT FROM q.decided_by THEN q.amount::text ELSE ${emailOf(sql`q.decided_by`)} END`,
      sql`CASE WHEN a.by IS NOT DISTINCT FROM q.decided_by THEN q.decider_limit::text ELSE ${emailOf(sql`a.by`)} END`,
      sql`LEFT JOIN LATERAL (SELECT coalesce(l.acting_as_id, l.actor_id) AS by FROM audit_log l
          WHERE l.subject_type = 'approval' AND l.subject_id = q.id::text
            AND l.action = CASE q.status WHEN 'approved' THEN 'approval.approve' ELSE 'approval.reject' END
          ORDER BY l.id LIMIT 1) a ON true
        WHERE q.status IN ('approved', 'rejected') AND (a.by IS DISTINCT FROM q.decided_by
          OR (q.status = 'approved' AND q.decider_limit_known AND q.amount > q.decider_limit))`,
    ),

  /** Money goes back to whom the approved request names. */
  'refund-payee': () => sql<Impossible>`
    SELECT 'refund' AS subject_type, f.id::text, f.number AS label,
      concat_ws(' · ', f.bank, f.account_number, f.account_holder) AS stored,
      concat_ws(' · ', q.details ->> 'bank', q.details ->> 'accountNumber', q.details ->> 'accountHolder') AS derived,
      '/pembayaran-mahasiswa/' || f.payment_id AS path
    FROM refunds f JOIN approval_requests q ON q.id = f.approval_request_id
    WHERE (f.bank, f.account_number, f.account_holder)
      IS DISTINCT FROM (q.details ->> 'bank', q.details ->> 'accountNumber', q.details ->> 'accountHolder')`,
}
