import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

type Owner = {
  type: string
  table: RawBuilder<unknown>
  label: RawBuilder<unknown>
  path: RawBuilder<unknown>
  /** Column of `discount_uses` with the owner's id. */
  use: RawBuilder<unknown>
  limit: RawBuilder<unknown>
}

/** Selects rows about an owner `x` with `u.many` current uses, on any bill. */
const owners = ({ type, table, label, path, use }: Owner, stored: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT ${type} AS subject_type, x.id::text, ${label} AS label, ${stored}, ${path} AS path
  FROM ${table} x LEFT JOIN (SELECT ${use} AS id, count(*) AS many, max(taken_at) AS last FROM discount_uses
    WHERE released_at IS NULL GROUP BY 1) u ON u.id = x.id
  WHERE ${rest}`

const countDiffers = (owner: Owner) =>
  owners(owner, sql`x.uses::text AS stored, coalesce(u.many, 0)::text AS derived`, sql`x.uses <> coalesce(u.many, 0)`)

/** Only reported if the last use is newer than the limit: lowering a limit does not break earlier uses. */
const beyondLimit = (owner: Owner) =>
  owners(
    owner,
    sql`u.many::text AS stored, x.${owner.limit}::text AS derived`,
    sql`u.many > x.${owner.limit} AND u.last >= x.updated_at`,
  )

const discount: Owner = {
  type: 'diskon',
  table: sql`discounts`,
  label: sql`x.name`,
  path: sql`'/master/diskon/view/' || x.id`,
  use: sql`discount_id`,
  limit: sql`max_uses`,
}
const voucher: Owner = {
  type: 'voucher',
  table: sql`vouchers`,
  label: sql`x.code`,
  path: sql`'/master/diskon/view/' || x.discount_id`,
  use: sql`voucher_id`,
  limit: sql`max_uses`,
}
const agreement: Owner = {
  type: 'sma-mou',
  table: sql`school_agreements`,
  label: sql`x.number`,
  path: sql`'/master/sma-mou/' || x.id`,
  use: sql`school_agreement_id`,
  limit: sql`quota`,
}

export const discountInvariants: InvariantsOf<'discounts'> = {
  /** The counter of a discount equals its current uses. */
  'discount-uses': () => countDiffers(discount),
  /** A discount has no more uses than its limit. */
  'discount-limit': () => beyondLimit(discount),
  'voucher-uses': () => countDiffers(voucher),
  'voucher-limit': () => beyondLimit(voucher),
  'agreement-uses': () => countDiffers(agreement),
  'agreement-quota': () => beyondLimit(agreement),

  /** A use of a discount and its bill belong to the same registration. */
  'discount-owner': () => sql<Impossible>`
    SELECT 'bill' AS subject_type, b.id::text, b.number || ' · ' || d.name AS label, r.code AS stored, o.code AS derived,
      '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
    FROM discount_uses u JOIN bills b ON b.id = u.bill_id JOIN discounts d ON d.id = u.discount_id
    JOIN registrations r ON r.id = u.registration_id JOIN registrations o ON o.id = b.registration_id
    WHERE u.registration_id <> b.registration_id`,

  /**
   * A discount given by staff has an approved request for that discount and registration, and at most the approved
   * amount on a bill. One rupiah of tolerance covers requests from before the common rounding.
   */
  'discount-approval': () => sql<Impossible>`
    SELECT 'bill' AS subject_type, b.id::text, b.number || ' · ' || d.name AS label, u.amount::text AS stored,
      q.amount::text AS derived, '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
    FROM discount_uses u JOIN discounts d ON d.id = u.discount_id AND d.condition IN ('manual', 'sibling')
    JOIN bills b ON b.id = u.bill_id AND b.status <> 'cancelled'
    LEFT JOIN LATERAL (SELECT r.amount, r.decided_at FROM approval_requests r JOIN bills o ON o.id = r.bill_id
      WHERE r.status = 'approved' AND r.details ->> 'discountId' = d.id::text
        AND o.registration_id = b.registration_id AND o.kind = b.kind ORDER BY r.decided_at DESC LIMIT 1) q ON true
    WHERE u.released_at IS NULL AND u.taken_at >= d.updated_at AND (q.amount IS NULL OR u.amount > q.amount + 1)`,

  /** Every use of a discount has a line of the same amount on its bill and vice versa; cancelled bills have no uses. */
  'discount-line': () => sql<Impossible>`
    SELECT 'bill' AS subject_type, b.id::text, b.number || ' · ' || d.name AS label, coalesce(-l.sum, 0)::text AS stored,
      coalesce(u.sum, 0)::text AS derived, '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
    FROM (SELECT i.bill_id, i.discount_id, sum(i.amount)::bigint AS sum FROM bill_lines i
            JOIN bills c ON c.id = i.bill_id AND c.status <> 'cancelled' WHERE i.discount_id IS NOT NULL GROUP BY 1, 2) l
    FULL JOIN (SELECT bill_id, discount_id, sum(amount)::bigint AS sum FROM discount_uses
            WHERE released_at IS NULL AND bill_id IS NOT NULL GROUP BY 1, 2) u USING (bill_id, discount_id)
    JOIN bills b ON b.id = bill_id JOIN discounts d ON d.id = discount_id
    WHERE coalesce(-l.sum, 0) <> coalesce(u.sum, 0)`,
}
