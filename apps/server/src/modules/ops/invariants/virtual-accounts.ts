import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Rows about a transfer number `v` of the bill `b`. */
const account = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'virtual-account' AS subject_type, v.id::text, coalesce(v.number, '–') || ' (' || v.bank || ')' AS label,
    (${stored})::text AS stored, (${derived})::text AS derived,
    '/transaksi-va/' || v.id AS path
  FROM virtual_accounts v JOIN bills b ON b.id = v.bill_id
  ${rest}`

export const virtualAccountInvariants: InvariantsOf<'virtual-accounts'> = {
  /** A bill has one number at a bank that takes money. */
  'va-one-active': () =>
    account(
      sql`d.many`,
      sql`1`,
      sql`JOIN (SELECT bill_id, bank, count(*) AS many, max(id::text)::uuid AS id FROM virtual_accounts WHERE status IN ('pending', 'active')
          GROUP BY 1, 2 HAVING count(*) > 1) d ON d.id = v.id`,
    ),

  /** Only what is owed can be paid: a settled or cancelled bill has no number that takes money. */
  'va-bill-status': () =>
    account(
      sql`v.status`,
      sql`b.status`,
      sql`WHERE v.status IN ('pending', 'active') AND b.status NOT IN ('open', 'partly_paid')`,
    ),

  /** The instalment of a number belongs to its bill, and is owed while the number takes money. */
  'va-instalment': () =>
    account(
      sql`v.status`,
      sql`CASE WHEN i.bill_id <> v.bill_id THEN 'cancelled' ELSE 'paid' END`,
      sql`JOIN installments i ON i.id = v.installment_id
        WHERE i.bill_id <> v.bill_id OR (v.status = 'active' AND i.paid >= i.amount)`,
    ),

  /** A number whose time is over is closed within minutes; a day later nobody can have done it. */
  'va-expired': ({ now }) =>
    account(
      sql`v.status`,
      sql`'expired'`,
      sql`WHERE v.status IN ('pending', 'active') AND v.expires_at < ${now}::timestamptz - interval '1 day'`,
    ),

  /** Money came in on a number that is called paid. */
  'va-paid': () =>
    account(
      sql`v.status`,
      sql`NULL`,
      sql`WHERE v.status = 'paid' AND NOT EXISTS (SELECT FROM payments p WHERE p.virtual_account_id = v.id)`,
    ),

  /** A number that takes no more money has the moment since when, and only that one. */
  'va-closed-date': () =>
    account(
      sql`v.status`,
      sql`CASE WHEN v.closed_at IS NULL THEN 'active' ELSE 'cancelled' END`,
      sql`WHERE (v.status IN ('pending', 'active')) <> (v.closed_at IS NULL)`,
    ),

  /**
   * A number pays into the bill it was issued for: the log of the issue says which, and so does every payment on it. A bill
   * that was made anew is another one of the same kind.
   */
  'va-bill': () =>
    account(
      sql`concat_ws(' ', b.number, v.number)`,
      sql`CASE WHEN a.bill <> b.number OR a.number <> v.number THEN concat_ws(' ', a.bill, coalesce(a.number, v.number)) ELSE p.bill END`,
      sql`LEFT JOIN (SELECT subject_id, after ->> 'bill' AS bill, after ->> 'number' AS number FROM audit_log
          WHERE action = 'virtual-account.issue' AND subject_type = 'virtual-account') a ON a.subject_id = v.id::text
        LEFT JOIN (SELECT y.virtual_account_id, o.registration_id, o.kind, min(o.number) AS bill
          FROM payments y JOIN bills o ON o.id = y.bill_id GROUP BY 1, 2, 3) p
          ON p.virtual_account_id = v.id AND (p.registration_id, p.kind) IS DISTINCT FROM (b.registration_id, b.kind)
        WHERE a.bill <> b.number OR a.number <> v.number OR p.bill IS NOT NULL`,
    ),

  /** What is written as received is what the payments on it add up to. */
  'va-received': () =>
    account(
      sql`v.received`,
      sql`coalesce(d.sum, 0)`,
      sql`LEFT JOIN (SELECT virtual_account_id, sum(amount) AS sum FROM payments GROUP BY 1) d ON d.virtual_account_id = v.id
        WHERE v.received <> coalesce(d.sum, 0)`,
    ),
}
