import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

type Names = { subject: string; id: RawBuilder<unknown>; label: RawBuilder<unknown>; path: RawBuilder<unknown> }

/** Rows `r` with `kept` and `approved` values as JSON, where the two differ: only the fields that do are told. */
const differing = ({ subject, id, label, path }: Names, rows: RawBuilder<unknown>) => sql<Impossible>`
  SELECT ${sql.lit(subject)} AS subject_type, (${id})::text AS id, ${label} AS label, d.stored, d.derived, ${path} AS path
  FROM (${rows}) r CROSS JOIN LATERAL (
    SELECT string_agg(k.key || ': ' || coalesce(k.value, '-'), ', ' ORDER BY k.key) AS stored,
      string_agg(k.key || ': ' || coalesce(a.value, '-'), ', ' ORDER BY k.key) FILTER (WHERE a.key IS NOT NULL) AS derived
    FROM jsonb_each_text(r.kept) k LEFT JOIN jsonb_each_text(r.approved) a ON a.key = k.key
    WHERE k.value IS DISTINCT FROM a.value) d
  WHERE d.stored IS NOT NULL`

/** What was approved for a row last; nothing for a row from before requests were needed. */
const approvedFor = (kind: string, subject: RawBuilder<unknown>) => sql`
  (SELECT CASE WHEN q.kind = ${sql.lit(kind)} AND q.status = 'approved' AND ${subject} THEN q.details ELSE '{}' END
    FROM approval_requests q WHERE q.id = x.approval_request_id)`

export const approvalInvariants: InvariantsOf<'approvals'> = {
  /**
   * Money recorded from a statement has an approved request. Before requests were needed, `statement-line.record` was
   * logged for every such payment.
   */
  'line-approval': () => sql<Impossible>`
    SELECT 'payment' AS subject_type, p.id::text, coalesce(p.reference, p.provider_reference) AS label,
      p.status AS stored, NULL AS derived, '/pembayaran-mahasiswa/' || p.id AS path
    FROM payments p WHERE p.provider = 'statement'
      AND NOT EXISTS (SELECT FROM approval_requests q WHERE q.id = p.approval_request_id AND q.payment_id = p.id
        AND q.kind = 'statement_line' AND q.status = 'approved')
      AND NOT (p.approval_request_id IS NULL AND EXISTS (SELECT FROM audit_log l WHERE l.subject_type = 'statement-line'
        AND l.subject_id = p.provider_reference AND l.action = 'statement-line.record'))`,

  /** An account of the university is what was approved. */
  'bank-account-approval': () =>
    differing(
      { subject: 'bank-account', id: sql`r.id`, label: sql`r.name`, path: sql`'/rekonsiliasi/impor'` },
      sql`SELECT x.id, x.name, ${approvedFor('bank_account', sql`q.bank_account_id = x.id`)} AS approved,
          jsonb_build_object('name', x.name, 'bank', x.bank, 'number', x.number, 'holder', x.holder, 'mapping', x.mapping,
            'takesTransfers', x.takes_transfers, 'active', x.active, 'sources',
            (SELECT coalesce(jsonb_agg(s.bank ORDER BY s.bank COLLATE "C"), '[]') FROM bank_account_sources s
              WHERE s.bank_account_id = x.id)) AS kept
        FROM bank_accounts x WHERE x.approval_request_id IS NOT NULL`,
    ),

  /** Address, settings and state of a connection to a bank are what was approved. */
  'connection-approval': () =>
    differing(
      { subject: 'provider', id: sql`r.id`, label: sql`r.name`, path: sql`'/settings/providers/' || r.id || '/view'` },
      sql`SELECT x.id, x.name, ${approvedFor('provider_connection', sql`q.provider_account_id = x.id`)} AS approved,
          jsonb_build_object('code', x.code, 'kind', x.kind, 'active', x.active, 'baseUrl', x.base_url,
            'snap', CASE x.kind WHEN 'snap' THEN x.settings END) AS kept
        FROM provider_accounts x WHERE x.approval_request_id IS NOT NULL`,
    ),

  /** A key of a connection is the box that was approved; which key lies in the box nobody reads here. */
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
