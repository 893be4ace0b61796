import { type RawBuilder, sql } from 'kysely'
import { emailOf, type Impossible, type InvariantsOf } from './invariant.ts'

/** Rows about an allocation `a` of the payment `p` to the bill `b`. */
const allocation = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'allocation' AS subject_type, a.id::text, p.provider_reference || ' → ' || b.number AS label,
    (${stored})::text AS stored, (${derived})::text AS derived,
    '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
  FROM allocations a JOIN payments p ON p.id = a.payment_id JOIN bills b ON b.id = a.bill_id
  ${rest}`

/** There is something of `o` that `a` can take back. */
const opposite = sql`o.reversal_of IS NULL AND (a.payment_id, a.bill_id) = (o.payment_id, o.bill_id)
  AND a.installment_id IS NOT DISTINCT FROM o.installment_id`

export const allocationInvariants: InvariantsOf<'allocations'> = {
  /** Money goes to an instalment of the bill it goes to, and to no bill as a whole that has instalments. */
  'allocation-bill': () =>
    allocation(
      sql`o.number`,
      sql`b.number`,
      sql`LEFT JOIN installments i ON i.id = a.installment_id LEFT JOIN bills o ON o.id = i.bill_id
        WHERE i.bill_id <> a.bill_id
          OR (a.installment_id IS NULL AND EXISTS (SELECT FROM installments x WHERE x.bill_id = a.bill_id))`,
    ),

  /** A bill is paid with money of whoever owes it: never with that of another, nor with money nobody knows. */
  'allocation-owner': () =>
    allocation(
      emailOf(sql`p.account_id`),
      emailOf(sql`b.account_id`),
      sql`WHERE p.account_id IS DISTINCT FROM b.account_id`,
    ),

  /** What takes an allocation back is its exact opposite, and is not taken back itself. */
  'allocation-reversal': () =>
    allocation(
      sql`a.amount`,
      sql`CASE WHEN ${opposite} THEN -o.amount ELSE 0 END`,
      sql`JOIN allocations o ON o.id = a.reversal_of WHERE NOT (${opposite}) OR a.amount <> -o.amount`,
    ),
}
