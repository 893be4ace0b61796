import { type RawBuilder, sql } from 'kysely'
import { emailOf, type Impossible, type InvariantsOf } from './invariant.ts'

/** Selects rows about a bill `b`. */
const bill = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) => sql<Impossible>`
  SELECT 'bill' AS subject_type, b.id::text, b.number AS label, (${stored})::text AS stored, (${derived})::text AS derived,
    '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
  ${rest}`

const instalment = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'installment' AS subject_type, i.id::text, b.number || ' / ' || i.position AS label, (${stored})::text AS stored,
    (${derived})::text AS derived, '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
  ${rest}`

const allocationSums = sql`(SELECT bill_id, sum(amount)::bigint AS sum FROM allocations GROUP BY 1)`
const instalmentSums = sql`(SELECT bill_id, sum(amount)::bigint AS total FROM installments GROUP BY 1)`

export const billInvariants: InvariantsOf<'bills'> = {
  /** `paid` of a bill is the sum of its allocations. */
  'bill-paid': () =>
    bill(
      sql`b.paid`,
      sql`coalesce(g.sum, 0)`,
      sql`FROM bills b LEFT JOIN ${allocationSums} g ON g.bill_id = b.id WHERE b.paid <> coalesce(g.sum, 0)`,
    ),

  /** `total` of a bill is the sum of its lines. */
  'bill-lines': () =>
    bill(
      sql`b.total`,
      sql`coalesce(l.sum, 0)`,
      sql`FROM bills b LEFT JOIN (SELECT bill_id, sum(amount)::bigint AS sum FROM bill_lines GROUP BY 1) l ON l.bill_id = b.id
        WHERE b.total <> coalesce(l.sum, 0)`,
    ),

  /**
   * The lines at the issue of a bill add up to its total then. Only reported if lines and total agree today; otherwise
   * the total is wrong.
   */
  'bill-issued': () =>
    bill(
      sql`l.issued`,
      sql`b.issued_total`,
      sql`FROM bills b JOIN (SELECT bill_id, sum(amount)::bigint AS sum,
          coalesce(sum(amount) FILTER (WHERE NOT added_later), 0)::bigint AS issued FROM bill_lines GROUP BY 1) l ON l.bill_id = b.id
        WHERE b.total = l.sum AND l.issued <> b.issued_total`,
    ),

  /**
   * An open or paid bill has the status that follows from its payments; waived and guaranteed bills may have received
   * any sum.
   */
  'bill-status': () => {
    const derivedStatus = sql`CASE WHEN b.paid = b.total THEN 'paid' WHEN b.paid > 0 THEN 'partly_paid' ELSE 'open' END`
    return bill(
      sql`b.status`,
      sql`CASE WHEN b.status = 'cancelled' THEN 'partly_paid' ELSE ${derivedStatus} END`,
      sql`FROM bills b WHERE (b.status IN ('open', 'partly_paid', 'paid') AND b.status <> ${derivedStatus})
        OR (b.status = 'cancelled' AND b.paid <> 0)`,
    )
  },

  /** A paid bill has the day of its payment; an owed bill has none. */
  'bill-paid-date': () =>
    bill(
      sql`b.status`,
      sql`CASE WHEN b.paid_at IS NULL THEN 'open' ELSE 'paid' END`,
      sql`FROM bills b WHERE (b.status = 'paid' AND b.paid_at IS NULL)
        OR (b.status IN ('open', 'partly_paid') AND b.paid_at IS NOT NULL)`,
    ),

  /** A bill is owed by the account of its registration. */
  'bill-owner': () =>
    bill(
      emailOf(sql`b.account_id`),
      emailOf(sql`r.account_id`),
      sql`FROM bills b JOIN registrations r ON r.id = b.registration_id WHERE b.account_id <> r.account_id`,
    ),

  /** A registration has at most one bill of a kind that is not cancelled. */
  'bill-of-kind': () =>
    bill(
      sql`d.many`,
      sql`1`,
      sql`FROM (SELECT registration_id, kind, count(*) AS many, max(id::text)::uuid AS id FROM bills
          WHERE status <> 'cancelled' GROUP BY 1, 2 HAVING count(*) > 1) d JOIN bills b ON b.id = d.id`,
    ),

  /** A waived or guaranteed bill has an approved request; a guarantee covers at most the approved amount. */
  'bill-exception': () =>
    bill(
      sql`b.status`,
      sql`CASE WHEN b.paid > 0 THEN 'partly_paid' ELSE 'open' END`,
      sql`FROM bills b WHERE b.status IN ('waived', 'guaranteed') AND NOT EXISTS (SELECT FROM approval_requests q
        WHERE q.bill_id = b.id AND q.status = 'approved'
          AND q.kind = CASE b.status WHEN 'guaranteed' THEN 'guarantee' ELSE 'waiver' END
          AND (b.status = 'waived' OR q.amount >= b.total - b.paid))`,
    ),

  /**
   * Reductions of a bill, except discounts, equal its approved waivers and refunds. A replacing bill has the lines of
   * the bill it replaces, so all bills of a kind of a registration count.
   */
  'bill-reduction': () =>
    bill(
      sql`l.off`,
      sql`coalesce(w.sum, 0) + coalesce(f.sum, 0)`,
      sql`FROM bills b JOIN (SELECT bill_id, -sum(amount)::bigint AS off FROM bill_lines
          WHERE amount < 0 AND discount_id IS NULL GROUP BY 1) l ON l.bill_id = b.id
        LEFT JOIN (SELECT o.registration_id, o.kind, sum(q.amount)::bigint AS sum FROM approval_requests q
          JOIN bills o ON o.id = q.bill_id WHERE q.kind = 'waiver' AND q.status = 'approved' GROUP BY 1, 2) w
          ON w.registration_id = b.registration_id AND w.kind = b.kind
        LEFT JOIN (SELECT g.registration_id, g.kind, sum(r.amount)::bigint AS sum FROM refunds r
          JOIN (SELECT DISTINCT a.payment_id, o.registration_id, o.kind FROM allocations a JOIN bills o ON o.id = a.bill_id) g
            ON g.payment_id = r.payment_id GROUP BY 1, 2) f ON f.registration_id = b.registration_id AND f.kind = b.kind
        WHERE b.status <> 'cancelled' AND l.off > coalesce(w.sum, 0) + coalesce(f.sum, 0)`,
    ),

  /** A bill's promised day is that of an approved request about the bill or about the bill it replaced. */
  'bill-promise': () => {
    // A promise ends at 23.59 of the university's day. Every Indonesian zone has the same date in UTC+7 then.
    const day = sql`to_char(b.promised_until AT TIME ZONE interval '7 hours', 'YYYY-MM-DD')`
    const isApproved = sql`q.kind = 'promise' AND q.status = 'approved' AND o.registration_id = b.registration_id AND o.kind = b.kind`
    return bill(
      day,
      sql`CASE WHEN ${isApproved} THEN q.details ->> 'payBy' END`,
      sql`FROM bills b LEFT JOIN approval_requests q ON q.id = b.promise_id LEFT JOIN bills o ON o.id = q.bill_id
        WHERE b.promised_until IS NOT NULL AND NOT coalesce(${isApproved} AND q.details ->> 'payBy' = ${day}, false)`,
    )
  },

  /** Instalments add up to the total of their bill. */
  'instalment-total': () =>
    bill(
      sql`p.total`,
      sql`b.total`,
      sql`FROM bills b JOIN ${instalmentSums} p ON p.bill_id = b.id WHERE p.total <> b.total`,
    ),

  /** `paid` of an instalment is the sum of its allocations. */
  'instalment-paid': () =>
    instalment(
      sql`i.paid`,
      sql`coalesce(g.sum, 0)`,
      sql`FROM installments i JOIN bills b ON b.id = i.bill_id
        LEFT JOIN (SELECT installment_id, sum(amount)::bigint AS sum FROM allocations GROUP BY 1) g ON g.installment_id = i.id
        WHERE i.paid <> coalesce(g.sum, 0)`,
    ),

  /** An instalment has the day of its payment exactly if it is fully paid. */
  'instalment-paid-date': () =>
    instalment(
      sql`CASE WHEN i.paid_at IS NULL THEN 'open' ELSE 'paid' END`,
      sql`CASE WHEN i.paid < i.amount THEN 'open' ELSE 'paid' END`,
      sql`FROM installments i JOIN bills b ON b.id = i.bill_id WHERE (i.paid_at IS NOT NULL) <> (i.paid >= i.amount)`,
    ),
}
