import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Rows about a payment `p`. */
const payment = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'payment' AS subject_type, p.id::text, p.provider || ' ' || p.provider_reference AS label,
    (${stored})::text AS stored, (${derived})::text AS derived,
    '/pembayaran-mahasiswa/' || p.id AS path
  FROM payments p
  ${rest}`

const allocated = sql`LEFT JOIN (SELECT payment_id, sum(amount)::bigint AS sum FROM allocations GROUP BY 1) g
  ON g.payment_id = p.id`

/** No approved request `q` about the payment `p` is the one that is meant. */
const notApproved = (meant: RawBuilder<unknown>) =>
  sql`NOT EXISTS (SELECT FROM approval_requests q WHERE q.payment_id = p.id AND q.status = 'approved' AND ${meant})`

export const paymentInvariants: InvariantsOf<'payments'> = {
  /** Every rupiah that arrived is allocated, waits or was given back; of what was taken back nothing is left. */
  'payment-split': () => {
    const whole = sql`CASE p.status WHEN 'reversed' THEN 0 ELSE p.amount END`
    const parts = sql`coalesce(g.sum, 0) + p.waiting_amount + p.refunded_amount`
    return payment(whole, parts, sql`${allocated} WHERE ${parts} <> ${whole}`)
  },

  /** The status says whether something waits, and then why and since when. */
  'payment-status': () =>
    payment(
      sql`CASE WHEN p.status <> 'waiting' OR (p.waiting_reason IS NOT NULL AND p.waiting_since IS NOT NULL) THEN p.status END`,
      sql`CASE WHEN p.waiting_amount > 0 THEN 'waiting' ELSE 'allocated' END`,
      sql`WHERE p.status = 'received' OR (p.status <> 'reversed' AND (p.status = 'waiting') <> (p.waiting_amount > 0))
        OR (p.waiting_amount > 0 AND (p.waiting_reason IS NULL OR p.waiting_since IS NULL))`,
    ),

  /** What was given back stands in refunds. */
  'payment-refunds': () =>
    payment(
      sql`p.refunded_amount`,
      sql`coalesce(f.sum, 0)`,
      sql`LEFT JOIN (SELECT payment_id, sum(amount)::bigint AS sum FROM refunds GROUP BY 1) f ON f.payment_id = p.id
        WHERE p.refunded_amount <> coalesce(f.sum, 0)`,
    ),

  /** Nothing is entered by hand, taken back or given back without approval of just that. */
  'approval-effect': () =>
    payment(
      sql`p.status`,
      sql`(SELECT q.kind || ' ' || q.status FROM approval_requests q WHERE q.payment_id = p.id
        ORDER BY q.requested_at DESC LIMIT 1)`,
      sql`WHERE (p.provider = 'manual' AND ${notApproved(sql`q.kind = 'manual_payment' AND q.amount = p.amount`)})
        OR (p.status = 'reversed' AND ${notApproved(sql`q.kind = 'reversal'`)})
        OR EXISTS (SELECT FROM refunds f WHERE f.payment_id = p.id AND ${notApproved(
          sql`q.kind = 'refund' AND q.id = f.approval_request_id AND q.amount = f.amount`,
        )})`,
    ),

  /** What was approved about a payment happened. */
  'approval-done': () => sql<Impossible>`
    SELECT 'approval' AS subject_type, q.id::text, coalesce(b.number, p.provider_reference, q.kind) AS label,
      q.status AS stored, p.status AS derived, '/persetujuan' AS path
    FROM approval_requests q LEFT JOIN payments p ON p.id = q.payment_id LEFT JOIN bills b ON b.id = q.bill_id
    WHERE q.status = 'approved' AND CASE q.kind
      WHEN 'manual_payment' THEN p.id IS NULL
      WHEN 'reversal' THEN p.status IS DISTINCT FROM 'reversed'
      WHEN 'refund' THEN NOT EXISTS (SELECT FROM refunds f WHERE f.approval_request_id = q.id)
      WHEN 'statement_line' THEN p.id IS NULL
      WHEN 'allocation' THEN p.account_id IS NULL
      WHEN 'bank_account' THEN q.bank_account_id IS NULL
      WHEN 'provider_connection' THEN q.provider_account_id IS NULL
      ELSE false END`,

  /** A payment on a number of ours carries that number. */
  'payment-number': () =>
    payment(
      sql`p.virtual_account_number`,
      sql`v.number`,
      sql`JOIN virtual_accounts v ON v.id = p.virtual_account_id
        WHERE v.number <> p.virtual_account_number OR v.provider <> p.provider`,
    ),

  /** What the bank was told to be booked is booked. */
  'report-booked': () => sql<Impossible>`
    SELECT 'bank-report' AS subject_type, r.id::text, r.provider || ' ' || to_char(r.received_at, 'YYYY-MM-DD HH24:MI:SS') AS label,
      r.outcome::text AS stored, NULL::text AS derived, '/pembayaran-mahasiswa' AS path
    FROM bank_reports r
    WHERE r.outcome = 'booked' AND NOT EXISTS (SELECT FROM payments p WHERE p.bank_report_id = r.id)`,

  /** As many receipts as numbers were taken for them: none is missing. Named are the neighbours of the first gap. */
  'receipt-gap': () => sql<Impossible>`
    SELECT 'receipt' AS subject_type, 'all' AS id, coalesce(
        (SELECT number || ' → ' || next_number FROM (
            SELECT number, n, lead(number) OVER kind AS next_number, lead(n) OVER kind AS next FROM (
              SELECT receipt_number AS number, substring(receipt_number FROM '\\d+$')::numeric AS n,
                regexp_replace(receipt_number, '\\d+$', '') AS start
              FROM payments WHERE receipt_number IS NOT NULL) numbered
            WINDOW kind AS (PARTITION BY start ORDER BY n)) neighbours
          WHERE next > n + 1 ORDER BY number LIMIT 1),
        r.last || ' → …', '…') AS label,
      r.many::text AS stored, c.taken::text AS derived, '/pembayaran-mahasiswa' AS path
    FROM (SELECT count(receipt_number) AS many, max(receipt_number) AS last FROM payments) r,
      (SELECT coalesce(sum(value), 0) AS taken FROM number_counters WHERE kind = 'receipt') c
    WHERE r.many <> c.taken`,

  /** A receipt is for money that went to a bill. */
  'receipt-without-money': () =>
    payment(
      sql`p.receipt_number`,
      sql`NULL`,
      sql`WHERE p.receipt_number IS NOT NULL AND NOT EXISTS (SELECT FROM allocations a WHERE a.payment_id = p.id)`,
    ),
}
