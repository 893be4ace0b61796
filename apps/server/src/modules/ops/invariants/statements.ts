import { sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

export const statementInvariants: InvariantsOf<'statements'> = {
  /** A statement has as many new lines as its import counted. */
  'statement-import': () => sql<Impossible>`
    SELECT 'statement-import' AS subject_type, i.id::text, i.file_name AS label, i.lines_new::text AS stored,
      coalesce(l.many, 0)::text AS derived, '/rekonsiliasi/impor' AS path
    FROM statement_imports i
    LEFT JOIN (SELECT import_id, count(*) AS many FROM statement_lines GROUP BY 1) l ON l.import_id = i.id
    WHERE i.lines_new <> coalesce(l.many, 0)`,

  /** A payment recorded from a statement has a line of the same whole rupiah; sen may differ only with a reason. */
  'statement-payment': () => sql<Impossible>`
    SELECT 'payment' AS subject_type, p.id::text, coalesce(p.reference, p.provider_reference) AS label,
      p.amount::text AS stored, round(l.amount_sen / 100.0, 2)::text AS derived, '/pembayaran-mahasiswa/' || p.id AS path
    FROM payments p LEFT JOIN statement_lines l ON l.id::text = p.provider_reference
    WHERE p.provider = 'statement' AND (l.id IS NULL OR l.amount_sen / 100 <> p.amount
      OR (l.amount_sen % 100 <> 0 AND coalesce(l.reason, '') = ''))`,

  /** A line is matched to a payment of the same amount, unless a person gave a reason. */
  'statement-match': () => sql<Impossible>`
    SELECT 'statement-line' AS subject_type, l.id::text, concat_ws(' · ', l.day, nullif(l.reference, ''), left(l.description, 60)) AS label,
      p.amount::text AS stored, round(l.amount_sen / 100.0, 2)::text AS derived, '/rekonsiliasi/mutasi' AS path
    FROM statement_lines l JOIN payments p ON p.id = l.payment_id
    WHERE p.provider <> 'statement' AND p.amount <> l.amount_sen / 100.0
      AND NOT (l.matched_by = 'hand' AND l.settled_by IS NOT NULL AND coalesce(l.reason, '') <> '')`,

  /** The counter of a day equals its unsettled differences. */
  'reconciliation-day': () => sql<Impossible>`
    SELECT 'reconciliation-day' AS subject_type, d.id::text, a.name || ' · ' || d.day AS label,
      d.open_differences::text AS stored, coalesce(n.many, 0)::text AS derived, '/rekonsiliasi/' || d.id AS path
    FROM reconciliation_days d JOIN bank_accounts a ON a.id = d.bank_account_id
    LEFT JOIN (SELECT reconciliation_day_id, count(*) AS many FROM reconciliation_differences
      WHERE settled_at IS NULL GROUP BY 1) n ON n.reconciliation_day_id = d.id
    WHERE d.open_differences <> coalesce(n.many, 0)`,
}
