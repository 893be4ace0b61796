import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Selects rows about a transfer number `v` of bill `b`. */
const account = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'virtual-account' AS subject_type, v.id::text, coalesce(v.number, '–') || ' (' || v.bank || ')' AS label,
    (${stored})::text AS stored, (${derived})::text AS derived,
    '/transaksi-va/' || v.id AS path
  FROM virtual_accounts v JOIN bills b ON b.id = v.bill_id
  ${rest}`

export const virtualAccountInvariants: InvariantsOf<'virtual-accounts'> = {
  /** A bill has at most one virtual account per bank that accepts money. */
  'va-one-active': () =>
    account(
      sql`d.many`,
      sql`1`,
      sql`JOIN (SELECT bill_id, bank, count(*) AS many, max(id::text)::uuid AS id FROM virtual_accounts WHERE status IN ('pending', 'active')
          GROUP BY 1, 2 HAVING count(*) > 1) d ON d.id = v.id`,
    ),

  /** A settled or cancelled bill has no virtual account that accepts money. */
  'va-bill-status': () =>
    account(
      sql`v.status`,
      sql`b.status`,
      sql`WHERE v.status IN ('pending', 'active') AND b.status NOT IN ('open', 'partly_paid')`,
    ),

  /** The instalment of a virtual account belongs to its bill, and is unpaid while the account accepts money. */
  'va-instalment': () =>
    account(
      sql`v.status`,
      sql`CASE WHEN i.bill_id <> v.bill_id THEN 'cancelled' ELSE 'paid' END`,
      sql`JOIN installments i ON i.id = v.installment_id
        WHERE i.bill_id <> v.bill_id OR (v.status = 'active' AND i.paid >= i.amount)`,
    ),

  /** Expired virtual accounts are closed within minutes; reported after a day. */
  'va-expired': ({ now }) =>
    account(
      sql`v.status`,
      sql`'expired'`,
      sql`WHERE v.status IN ('pending', 'active') AND v.expires_at < ${now}::timestamptz - interval '1 day'`,
    ),

  /** A virtual account with status `paid` has a payment. */
  'va-paid': () =>
    account(
      sql`v.status`,
      sql`NULL`,
      sql`WHERE v.status = 'paid' AND NOT EXISTS (SELECT FROM payments p WHERE p.virtual_account_id = v.id)`,
    ),

  /** Exactly the closed virtual accounts have a closing time. */
  'va-closed-date': () =>
    account(
      sql`v.status`,
      sql`CASE WHEN v.closed_at IS NULL THEN 'active' ELSE 'cancelled' END`,
      sql`WHERE (v.status IN ('pending', 'active')) <> (v.closed_at IS NULL)`,
    ),

  /**
   * A virtual account pays the bill it was issued for, according to the audit log and to every payment on it. A
   * replacing bill has the same kind.
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

  /** `received` is the sum of the payments on the virtual account. */
  'va-received': () =>
    account(
      sql`v.received`,
      sql`coalesce(d.sum, 0)`,
      sql`LEFT JOIN (SELECT virtual_account_id, sum(amount) AS sum FROM payments GROUP BY 1) d ON d.virtual_account_id = v.id
        WHERE v.received <> coalesce(d.sum, 0)`,
    ),
}
