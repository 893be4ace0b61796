import { type RawBuilder, sql } from 'kysely'
import { usualMaximumAmount } from '#domain/payments/providers/provider-kinds.ts'
import { emailOf, type Impossible, type InvariantsOf } from './invariant.ts'

/** Selects rows about an approval request `q`. */
const request = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'approval' AS subject_type, q.id::text, coalesce(b.number, p.provider_reference, q.kind) || ' · ' || q.kind AS label,
    (${stored})::text AS stored, (${derived})::text AS derived, '/persetujuan' AS path
  FROM approval_requests q LEFT JOIN bills b ON b.id = q.bill_id LEFT JOIN payments p ON p.id = q.payment_id
  ${rest}`

type Names = { subject: string; id: RawBuilder<unknown>; label: RawBuilder<unknown>; path: RawBuilder<unknown> }

/** Rows `r` whose JSON values `kept` and `approved` differ; lists only the differing fields. */
const findDifferences = ({ subject, id, label, path }: Names, rows: RawBuilder<unknown>) => sql<Impossible>`
  SELECT ${sql.lit(subject)} AS subject_type, (${id})::text AS id, ${label} AS label, d.stored, d.derived, ${path} AS path
  FROM (${rows}) r CROSS JOIN LATERAL (
    SELECT string_agg(k.key || ': ' || coalesce(k.value, '-'), ', ' ORDER BY k.key) AS stored,
      string_agg(k.key || ': ' || coalesce(a.value, '-'), ', ' ORDER BY k.key) FILTER (WHERE a.key IS NOT NULL) AS derived
    FROM jsonb_each_text(r.kept) k LEFT JOIN jsonb_each_text(r.approved) a ON a.key = k.key
    WHERE k.value IS DISTINCT FROM a.value) d
  WHERE d.stored IS NOT NULL`

/** Last approved details of a row; null for rows older than approvals. */
const approvedFor = (kind: string, subject: RawBuilder<unknown>) => sql`
  (SELECT CASE WHEN q.kind = ${sql.lit(kind)} AND q.status = 'approved' AND ${subject} THEN q.details ELSE '{}' END
    FROM approval_requests q WHERE q.id = x.approval_request_id)`

/**
 * Rupiah approved before a request `q` about a bill `b` that count towards the same limit: of its kind, for bills of
 * one kind of the registration, or for the whole registration. Manual payments reversed later are left out.
 */
const approvedBefore = sql`(
  SELECT coalesce(sum(e.amount), 0)::bigint FROM approval_requests e
  LEFT JOIN bills o ON o.id = e.bill_id LEFT JOIN payments y ON y.id = e.payment_id
  WHERE e.kind = q.kind AND e.registration_id = q.registration_id AND e.status = 'approved'
    AND (e.decided_at, e.id) < (q.decided_at, q.id) AND NOT (e.kind = 'manual_payment' AND y.status = 'reversed')
    AND CASE WHEN q.kind IN ('manual_payment', 'reversal', 'refund', 'allocation') THEN true ELSE o.kind = b.kind END)`

export const approvalInvariants: InvariantsOf<'approvals'> = {
  /**
   * A request still has the kind, sum, bill, subject and details that the audit log has from its creation. Masked
   * details are compared by their last characters.
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

  /**
   * The decision was made by the account in the audit log, within its limit at that time, which includes earlier
   * approvals. Older decisions have no known limit.
   */
  'approval-decider': () =>
    request(
      sql`CASE WHEN a.by IS NOT DISTINCT FROM q.decided_by THEN (q.amount + ${approvedBefore})::text ELSE ${emailOf(sql`q.decided_by`)} END`,
      sql`CASE WHEN a.by IS NOT DISTINCT FROM q.decided_by THEN q.decider_limit::text ELSE ${emailOf(sql`a.by`)} END`,
      sql`LEFT JOIN LATERAL (SELECT coalesce(l.acting_as_id, l.actor_id) AS by FROM audit_log l
          WHERE l.subject_type = 'approval' AND l.subject_id = q.id::text
            AND l.action = CASE q.status WHEN 'approved' THEN 'approval.approve' ELSE 'approval.reject' END
          ORDER BY l.id LIMIT 1) a ON true
        WHERE q.status IN ('approved', 'rejected') AND (a.by IS DISTINCT FROM q.decided_by
          OR (q.status = 'approved' AND q.decider_limit_known AND q.amount + ${approvedBefore} > q.decider_limit))`,
    ),

  /** A refund goes to the account named in the approved request. */
  'refund-payee': () => sql<Impossible>`
    SELECT 'refund' AS subject_type, f.id::text, f.number AS label,
      concat_ws(' · ', f.bank, f.account_number, f.account_holder) AS stored,
      concat_ws(' · ', q.details ->> 'bank', q.details ->> 'accountNumber', q.details ->> 'accountHolder') AS derived,
      '/pembayaran-mahasiswa/' || f.payment_id AS path
    FROM refunds f JOIN approval_requests q ON q.id = f.approval_request_id
    WHERE (f.bank, f.account_number, f.account_holder)
      IS DISTINCT FROM (q.details ->> 'bank', q.details ->> 'accountNumber', q.details ->> 'accountHolder')`,

  /**
   * A payment recorded from a statement has an approved request, or, from before requests were needed, an audit entry
   * `statement-line.record`.
   */
  'line-approval': () => sql<Impossible>`
    SELECT 'payment' AS subject_type, p.id::text, coalesce(p.reference, p.provider_reference) AS label,
      p.status AS stored, NULL AS derived, '/pembayaran-mahasiswa/' || p.id AS path
    FROM payments p WHERE p.provider = 'statement'
      AND NOT EXISTS (SELECT FROM approval_requests q WHERE q.id = p.approval_request_id AND q.payment_id = p.id
        AND q.kind = 'statement_line' AND q.status = 'approved')
      AND NOT (p.approval_request_id IS NULL AND EXISTS (SELECT FROM audit_log l WHERE l.subject_type = 'statement-line'
        AND l.subject_id = p.provider_reference AND l.action = 'statement-line.record'))`,

  /** A bank account of the university equals the approved one. */
  'bank-account-approval': () =>
    findDifferences(
      { subject: 'bank-account', id: sql`r.id`, label: sql`r.name`, path: sql`'/rekonsiliasi/impor'` },
      sql`SELECT x.id, x.name, ${approvedFor('bank_account', sql`q.bank_account_id = x.id`)} AS approved,
          jsonb_build_object('name', x.name, 'bank', x.bank, 'number', x.number, 'holder', x.holder, 'mapping', x.mapping,
            'takesTransfers', x.takes_transfers, 'active', x.active, 'sources',
            (SELECT coalesce(jsonb_agg(s.bank ORDER BY s.bank COLLATE "C"), '[]') FROM bank_account_sources s
              WHERE s.bank_account_id = x.id)) AS kept
        FROM bank_accounts x WHERE x.approval_request_id IS NOT NULL`,
    ),

  /** Address, settings and state of a bank connection equal the approved ones. */
  'connection-approval': () =>
    findDifferences(
      { subject: 'provider', id: sql`r.id`, label: sql`r.name`, path: sql`'/settings/providers/' || r.id || '/view'` },
      // Approvals older than the maximum amount get the usual maximum.
      sql`SELECT x.id, x.name, jsonb_build_object('maximumAmount', ${sql.lit(usualMaximumAmount)}::bigint)
            || ${approvedFor('provider_connection', sql`q.provider_account_id = x.id`)} AS approved,
          jsonb_build_object('code', x.code, 'kind', x.kind, 'active', x.active, 'baseUrl', x.base_url,
            'maximumAmount', x.maximum_amount, 'snap', CASE x.kind WHEN 'snap' THEN x.settings END) AS kept
        FROM provider_accounts x WHERE x.approval_request_id IS NOT NULL`,
    ),

  /** A connection's sealed secret equals the approved one; the check does not unseal it. */
  'connection-key': () => sql<Impossible>`
    SELECT 'provider' AS subject_type, x.id || ' ' || s.name AS id, x.name || ' · ' || s.name AS label, b.stored, b.approved AS derived,
      '/settings/providers/' || x.id || '/view' AS path
    FROM provider_secrets s JOIN provider_accounts x ON x.id = s.provider_account_id
      LEFT JOIN approval_requests q ON q.id = s.approval_request_id AND q.status = 'approved' AND q.provider_account_id = x.id
      CROSS JOIN LATERAL (SELECT left(encode(sha256(convert_to(s.sealed, 'UTF8')), 'hex'), 16) AS stored,
        q.details -> 'boxes' ->> s.name AS approved) b
    WHERE b.stored IS DISTINCT FROM b.approved AND (s.approval_request_id IS NOT NULL
      OR EXISTS (SELECT FROM approval_requests n WHERE n.provider_account_id = x.id AND n.details ->> 'action' = 'add'))`,
}
