import { type RawBuilder, sql } from 'kysely'
import { emailOf, type Impossible, type InvariantsOf } from './invariant.ts'

/** Rows about a bill `b`. */
const bill = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) => sql<Impossible>`
  SELECT 'bill' AS subject_type, b.id::text, b.number AS label, (${stored})::text AS stored, (${derived})::text AS derived,
    '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
  ${rest}`

const instalment = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'installment' AS subject_type, i.id::text, b.number || ' / ' || i.position AS label, (${stored})::text AS stored,
    (${derived})::text AS derived, '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
  ${rest}`

const given = sql`(SELECT bill_id, sum(amount)::bigint AS sum FROM allocations GROUP BY 1)`
const parts = sql`(SELECT bill_id, sum(amount)::bigint AS total FROM installments GROUP BY 1)`

export const billInvariants: InvariantsOf<'bills'> = {
  /** A bill has received exactly what was allocated to it. */
  'bill-paid': () =>
    bill(
      sql`b.paid`,
      sql`coalesce(g.sum, 0)`,
      sql`FROM bills b LEFT JOIN ${given} g ON g.bill_id = b.id WHERE b.paid <> coalesce(g.sum, 0)`,
    ),

  /** A bill asks for the sum of its lines. */
  'bill-lines': () =>
    bill(
      sql`b.total`,
      sql`coalesce(l.sum, 0)`,
      sql`FROM bills b LEFT JOIN (SELECT bill_id, sum(amount)::bigint AS sum FROM bill_lines GROUP BY 1) l ON l.bill_id = b.id
        WHERE b.total <> coalesce(l.sum, 0)`,
    ),

  /**
   * The lines a bill was issued with add up to what it asked for then. Said only where lines and total agree today: else
   * the total is what is wrong.
   */
  'bill-issued': () =>
    bill(
      sql`l.issued`,
      sql`b.issued_total`,
      sql`FROM bills b JOIN (SELECT bill_id, sum(amount)::bigint AS sum,
          coalesce(sum(amount) FILTER (WHERE NOT added_later), 0)::bigint AS issued FROM bill_lines GROUP BY 1) l ON l.bill_id = b.id
        WHERE b.total = l.sum AND l.issued <> b.issued_total`,
    ),

  /** An open or paid bill has the status its money gives; a waived or guaranteed bill may have received any sum. */
  'bill-status': () => {
    const right = sql`CASE WHEN b.paid = b.total THEN 'paid' WHEN b.paid > 0 THEN 'partly_paid' ELSE 'open' END`
    return bill(
      sql`b.status`,
      sql`CASE WHEN b.status = 'cancelled' THEN 'partly_paid' ELSE ${right} END`,
      sql`FROM bills b WHERE (b.status IN ('open', 'partly_paid', 'paid') AND b.status <> ${right})
        OR (b.status = 'cancelled' AND b.paid <> 0)`,
    )
  },

  /** A paid bill has the day on which it was paid, an owed one has none. */
  'bill-paid-date': () =>
    bill(
      sql`b.status`,
      sql`CASE WHEN b.paid_at IS NULL THEN 'open' ELSE 'paid' END`,
      sql`FROM bills b WHERE (b.status = 'paid' AND b.paid_at IS NULL)
        OR (b.status IN ('open', 'partly_paid') AND b.paid_at IS NOT NULL)`,
    ),

  /** A bill is owed by whoever registered. */
  'bill-owner': () =>
    bill(
      emailOf(sql`b.account_id`),
      emailOf(sql`r.account_id`),
      sql`FROM bills b JOIN registrations r ON r.id = b.registration_id WHERE b.account_id <> r.account_id`,
    ),

  /** A registration has one bill of a kind that counts. */
  'bill-of-kind': () =>
    bill(
      sql`d.many`,
      sql`1`,
      sql`FROM (SELECT registration_id, kind, count(*) AS many, max(id::text)::uuid AS id FROM bills
          WHERE status <> 'cancelled' GROUP BY 1, 2 HAVING count(*) > 1) d JOIN bills b ON b.id = d.id`,
    ),

  /** Nobody is let off a bill whom no approved request lets off, and no sponsor vouches for more than was approved. */
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
   * What a bill became smaller by, other than a discount, was waived by approval or given back. A bill that replaced
   * another has the lines of that one, so that all of a kind of a registration count.
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

  /** A bill is promised by the day that an approved request about it, or about the one it replaced, says. */
  'bill-promise': () => {
    // A promise ends at 23.59 of the university's day, which is the same day in the western zone whatever the setting was.
    const day = sql`to_char(b.promised_until AT TIME ZONE interval '7 hours', 'YYYY-MM-DD')`
    const approved = sql`q.kind = 'promise' AND q.status = 'approved' AND o.registration_id = b.registration_id AND o.kind = b.kind`
    return bill(
      day,
      sql`CASE WHEN ${approved} THEN q.details ->> 'payBy' END`,
      sql`FROM bills b LEFT JOIN approval_requests q ON q.id = b.promise_id LEFT JOIN bills o ON o.id = q.bill_id
        WHERE b.promised_until IS NOT NULL AND NOT coalesce(${approved} AND q.details ->> 'payBy' = ${day}, false)`,
    )
  },

  /** Instalments add up to their bill. */
  'instalment-total': () =>
    bill(sql`p.total`, sql`b.total`, sql`FROM bills b JOIN ${parts} p ON p.bill_id = b.id WHERE p.total <> b.total`),

  /** An instalment has received exactly what was allocated to it. */
  'instalment-paid': () =>
    instalment(
      sql`i.paid`,
      sql`coalesce(g.sum, 0)`,
      sql`FROM installments i JOIN bills b ON b.id = i.bill_id
        LEFT JOIN (SELECT installment_id, sum(amount)::bigint AS sum FROM allocations GROUP BY 1) g ON g.installment_id = i.id
        WHERE i.paid <> coalesce(g.sum, 0)`,
    ),

  /** An instalment has the day on which it was paid if it is paid in full, and only then. */
  'instalment-paid-date': () =>
    instalment(
      sql`CASE WHEN i.paid_at IS NULL THEN 'open' ELSE 'paid' END`,
      sql`CASE WHEN i.paid < i.amount THEN 'open' ELSE 'paid' END`,
      sql`FROM installments i JOIN bills b ON b.id = i.bill_id WHERE (i.paid_at IS NOT NULL) <> (i.paid >= i.amount)`,
    ),
}
