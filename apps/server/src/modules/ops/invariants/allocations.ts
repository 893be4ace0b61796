import { type RawBuilder, sql } from 'kysely'
import { emailOf, type Impossible, type InvariantsOf } from './invariant.ts'

/** Selects rows about an allocation `a` of payment `p` to bill `b`. */
const allocation = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'allocation' AS subject_type, a.id::text, p.provider_reference || ' → ' || b.number AS label,
    (${stored})::text AS stored, (${derived})::text AS derived,
    '/pendaftaran/' || b.registration_id || '/pembayaran' AS path
  FROM allocations a JOIN payments p ON p.id = a.payment_id JOIN bills b ON b.id = a.bill_id
  ${rest}`

/** Whether allocation `a` can reverse allocation `o`. */
const isOpposite = sql`o.reversal_of IS NULL AND (a.payment_id, a.bill_id) = (o.payment_id, o.bill_id)
  AND a.installment_id IS NOT DISTINCT FROM o.installment_id`

export const allocationInvariants: InvariantsOf<'allocations'> = {
  /** Money is allocated to an instalment of its own bill; a bill with instalments has no allocation as a whole. */
  'allocation-bill': () =>
    allocation(
      sql`o.number`,
      sql`b.number`,
      sql`LEFT JOIN installments i ON i.id = a.installment_id LEFT JOIN bills o ON o.id = i.bill_id
        WHERE i.bill_id <> a.bill_id
          OR (a.installment_id IS NULL AND EXISTS (SELECT FROM installments x WHERE x.bill_id = a.bill_id))`,
    ),

  /** A bill is paid only with its owner's money: never with another account's, nor with money of an unknown payer. */
  'allocation-owner': () =>
    allocation(
      emailOf(sql`p.account_id`),
      emailOf(sql`b.account_id`),
      sql`WHERE p.account_id IS DISTINCT FROM b.account_id`,
    ),

  /** A reversing allocation is the exact opposite of the reversed one, and is never reversed itself. */
  'allocation-reversal': () =>
    allocation(
      sql`a.amount`,
      sql`CASE WHEN ${isOpposite} THEN -o.amount ELSE 0 END`,
      sql`JOIN allocations o ON o.id = a.reversal_of WHERE NOT (${isOpposite}) OR a.amount <> -o.amount`,
    ),
}
