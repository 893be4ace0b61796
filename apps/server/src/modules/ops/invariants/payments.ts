import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Selects rows about a payment `p`. */
const payment = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'payment' AS subject_type, p.id::text, p.provider || ' ' || p.provider_reference AS label,
    (${stored})::text AS stored, (${derived})::text AS derived,
    '/pembayaran-mahasiswa/' || p.id AS path
  FROM payments p
  ${rest}`

const joinAllocationSums = sql`LEFT JOIN (SELECT payment_id, sum(amount)::bigint AS sum FROM allocations GROUP BY 1) g
  ON g.payment_id = p.id`

/** True if no approved request `q` about payment `p` meets the condition. */
const notApproved = (condition: RawBuilder<unknown>) =>
  sql`NOT EXISTS (SELECT FROM approval_requests q WHERE q.payment_id = p.id AND q.status = 'approved' AND ${condition})`

export const paymentInvariants: InvariantsOf<'payments'> = {
  /** A payment's amount is allocated, waiting or refunded; a reversed payment has none of these. */
  'payment-split': () => {
    const whole = sql`CASE p.status WHEN 'reversed' THEN 0 ELSE p.amount END`
    const parts = sql`coalesce(g.sum, 0) + p.waiting_amount + p.refunded_amount`
    return payment(whole, parts, sql`${joinAllocationSums} WHERE ${parts} <> ${whole}`)
  },

  /** The status is `waiting` exactly if money waits, with reason and time. */
  'payment-status': () =>
    payment(
      sql`CASE WHEN p.status <> 'waiting' OR (p.waiting_reason IS NOT NULL AND p.waiting_since IS NOT NULL) THEN p.status END`,
      sql`CASE WHEN p.waiting_amount > 0 THEN 'waiting' ELSE 'allocated' END`,
      sql`WHERE p.status = 'received' OR (p.status <> 'reversed' AND (p.status = 'waiting') <> (p.waiting_amount > 0))
        OR (p.waiting_amount > 0 AND (p.waiting_reason IS NULL OR p.waiting_since IS NULL))`,
    ),

  /**
   * No money waits for a closed bill while the replacing bill can take it. The closed bill is the cancelled bill that
   * last released the money, or else the bill it was paid for.
   */
  'payment-successor': () =>
    payment(
      sql`p.waiting_amount`,
      sql`greatest(p.waiting_amount - (s.total - s.paid), 0)`,
      sql`JOIN bills c ON c.id = coalesce((SELECT a.bill_id FROM allocations a JOIN bills d ON d.id = a.bill_id
          WHERE a.payment_id = p.id AND a.amount < 0 AND d.status = 'cancelled'
          ORDER BY a.created_at DESC, a.bill_id DESC LIMIT 1), p.bill_id)
        JOIN bills s ON s.registration_id = c.registration_id AND s.kind = c.kind
        WHERE p.waiting_amount > 0 AND p.waiting_reason = 'bill_closed' AND s.status IN ('open', 'partly_paid')
          AND s.paid < s.total`,
    ),

  /** The refunded amount is the sum of the refunds. */
  'payment-refunds': () =>
    payment(
      sql`p.refunded_amount`,
      sql`coalesce(f.sum, 0)`,
      sql`LEFT JOIN (SELECT payment_id, sum(amount)::bigint AS sum FROM refunds GROUP BY 1) f ON f.payment_id = p.id
        WHERE p.refunded_amount <> coalesce(f.sum, 0)`,
    ),

  /**
   * No transfer counts twice: of two valid payments with one reference, neither is manual or from a statement, unless
   * the statement has a line for each or the requester declared the two payments different.
   */
  'payment-twice': () => {
    const key = sql`reference_key(p.reference)`
    const hasLine = (id: RawBuilder<unknown>) => sql`EXISTS (SELECT FROM statement_lines l WHERE l.payment_id = ${id})`
    return payment(
      sql`p.reference`,
      sql`(SELECT receipt_number FROM payments WHERE id = o.id)`,
      sql`CROSS JOIN LATERAL (
          SELECT id FROM payments WHERE reference IS NOT NULL AND reference_key(reference) = ${key}
          UNION SELECT id FROM payments WHERE reference_key(provider_reference) = ${key}) n
        JOIN payments o ON o.id = n.id AND o.id <> p.id AND o.status <> 'reversed'
          AND (o.provider NOT IN ('manual', 'statement') OR (o.received_at, o.id) < (p.received_at, p.id))
        WHERE p.provider IN ('manual', 'statement') AND p.status <> 'reversed' AND p.reference IS NOT NULL
          AND NOT (${hasLine(sql`p.id`)} AND ${hasLine(sql`o.id`)})
          AND NOT EXISTS (SELECT FROM approval_requests q WHERE q.id IN (p.approval_request_id, o.approval_request_id)
            AND (q.details -> 'another' -> 'seen') ?| ARRAY[p.id::text, o.id::text,
              p.approval_request_id::text, o.approval_request_id::text])`,
    )
  },

  /** Every manual payment, reversal and refund has an approved request of its own. */
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

  /** An approved request about a payment was carried out. */
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
      WHEN 'held_amount' THEN NOT EXISTS (SELECT FROM payment_alerts l WHERE l.id = q.payment_alert_id
        AND l.settled_at IS NOT NULL AND (q.details ->> 'decision' = 'dismiss' OR EXISTS
          (SELECT FROM payments x WHERE x.id = l.payment_id AND x.approval_request_id = q.id)))
      ELSE false END`,

  /** A payment on a virtual account has its number and provider. */
  'payment-number': () =>
    payment(
      sql`p.virtual_account_number`,
      sql`v.number`,
      sql`JOIN virtual_accounts v ON v.id = p.virtual_account_id
        WHERE v.number <> p.virtual_account_number OR v.provider <> p.provider`,
    ),

  /** A payment of a bank has a report with equal data, or was found by asking the bank. */
  'payment-source': () =>
    payment(
      sql`CASE WHEN r.id IS NOT NULL THEN concat_ws(' ', r.provider, r.reference, r.number, r.amount, r.outcome) END`,
      sql`concat_ws(' ', p.provider, p.provider_reference, p.virtual_account_number, p.amount, 'booked')`,
      sql`LEFT JOIN bank_reports r ON r.id = p.bank_report_id
        WHERE p.provider NOT IN ('manual', 'statement') AND CASE WHEN r.id IS NULL THEN NOT p.found_by_asking ELSE
          r.provider <> p.provider OR r.reference <> p.provider_reference OR r.number <> p.virtual_account_number
            OR r.amount <> p.amount OR r.outcome <> 'booked' END`,
    ),

  /**
   * A payment's time is the one logged at booking; it is neither after its arrival nor before its number existed.
   * Banks' clocks may differ by up to an hour.
   */
  'payment-time': ({ settings }) => {
    const time = (at: RawBuilder<unknown>) =>
      sql`to_char(${at} AT TIME ZONE ${settings.timeZone}::text, 'YYYY-MM-DD HH24:MI:SS.MS')`
    return payment(
      time(sql`p.paid_at`),
      time(sql`CASE WHEN a.paid_at <> p.paid_at THEN a.paid_at
        WHEN p.paid_at > p.received_at THEN p.received_at ELSE v.created_at END`),
      sql`LEFT JOIN virtual_accounts v ON v.id = p.virtual_account_id
        LEFT JOIN (SELECT subject_id, (after ->> 'paidAt')::timestamptz AS paid_at FROM audit_log
          WHERE action = 'payment.book' AND subject_type = 'payment') a ON a.subject_id = p.id::text
        WHERE a.paid_at <> p.paid_at OR p.paid_at > p.received_at + interval '1 hour'
          OR p.paid_at < v.created_at - interval '1 hour'`,
    )
  },

  /** Every report answered as booked has a payment. */
  'report-booked': () => sql<Impossible>`
    SELECT 'bank-report' AS subject_type, r.id::text, r.provider || ' ' || to_char(r.received_at, 'YYYY-MM-DD HH24:MI:SS') AS label,
      r.outcome::text AS stored, NULL::text AS derived, '/pembayaran-mahasiswa' AS path
    FROM bank_reports r
    WHERE r.outcome = 'booked' AND NOT EXISTS (SELECT FROM payments p WHERE p.bank_report_id = r.id)`,

  /**
   * An amount above its connection's maximum stays unsettled until two people book or dismiss it. Until then no total
   * contains it.
   */
  'amount-held': () => sql<Impossible>`
    SELECT 'payment-alert' AS subject_type, l.id::text, l.provider || ' ' || l.provider_reference AS label,
      coalesce(l.amount::text, l.told ->> 'amountTold') AS stored, NULL::text AS derived, '/uang-menunggu' AS path
    FROM payment_alerts l WHERE l.kind = 'above_maximum' AND l.settled_at IS NULL`,

  /**
   * The count of receipts equals the numbers taken, minus those skipped by a restore. The label has the numbers before
   * and after the first other gap.
   */
  'receipt-gap': () => sql<Impossible>`
    SELECT 'receipt' AS subject_type, 'all' AS id, coalesce(
        (SELECT number || ' → ' || next_number FROM (
            SELECT number, start, n, lead(number) OVER kind AS next_number, lead(n) OVER kind AS next FROM (
              SELECT receipt_number AS number, substring(receipt_number FROM '\\d+$')::numeric AS n,
                regexp_replace(receipt_number, '\\d+$', '') AS start
              FROM payments WHERE receipt_number IS NOT NULL) numbered
            WINDOW kind AS (PARTITION BY start ORDER BY n)) neighbours
          WHERE next > n + 1 + coalesce((SELECT sum(g.last_number - g.first_number + 1) FROM number_gaps g
            WHERE g.kind = 'receipt' AND g.first_number > n AND g.last_number < next AND start LIKE '%' || right(g.scope, 2) || '%'), 0)
          ORDER BY number LIMIT 1),
        r.last || ' → …', '…') AS label,
      r.many::text AS stored, (c.taken - g.lost)::text AS derived, '/pembayaran-mahasiswa' AS path
    FROM (SELECT count(receipt_number) AS many, max(receipt_number) AS last FROM payments) r,
      (SELECT coalesce(sum(value), 0) AS taken FROM number_counters WHERE kind = 'receipt') c,
      (SELECT coalesce(sum(last_number - first_number + 1), 0) AS lost FROM number_gaps WHERE kind = 'receipt') g
    WHERE r.many <> c.taken - g.lost`,

  /** Every receipt has money allocated to a bill. */
  'receipt-without-money': () =>
    payment(
      sql`p.receipt_number`,
      sql`NULL`,
      sql`WHERE p.receipt_number IS NOT NULL AND NOT EXISTS (SELECT FROM allocations a WHERE a.payment_id = p.id)`,
    ),
}
