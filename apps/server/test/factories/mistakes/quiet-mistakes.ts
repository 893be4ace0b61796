import { sql } from 'kysely'
import type { Books } from '#server-test/factories/books.ts'
import {
  behind,
  counter,
  discountFor,
  type Mistake,
  match,
  matchedBy,
  paymentOn,
  stranger,
  waiverOf,
} from './mistake.ts'

const billOf = (registrationId: string) => sql`(SELECT id FROM bills WHERE registration_id = ${registrationId})`
const madeUp = (reference: string) =>
  sql`INSERT INTO payments (provider, provider_reference, amount, status, waiting_amount, waiting_reason, waiting_since, paid_at, received_at)
    VALUES ('sandbox', ${reference}, 1000, 'waiting', 1000, 'unknown_number', now(), now(), now())`
const takeLine = (billId: string) => [
  sql`UPDATE bill_lines SET amount = amount - 1000 WHERE bill_id = ${billId}`,
  sql`UPDATE bills SET total = total - 1000 WHERE id = ${billId}`,
]

type Quiet =
  | 'bill-issued'
  | 'approval-asked'
  | 'approval-decider'
  | 'refund-payee'
  | 'payment-source'
  | 'payment-time'
  | 'va-bill'
  | 'statement-match'
  | 'discount-approval'
  | 'counter-behind'

/** Mistakes that leave every sum right. */
export const quietMistakes = (w: Books) =>
  ({
    'bill-issued': [w.open, ...takeLine(w.open)],
    'approval-asked': [
      waiverOf(w.waived),
      sql`UPDATE approval_requests SET amount = amount + 1 WHERE id = ${waiverOf(w.waived)}`,
    ],
    'approval-decider': [
      waiverOf(w.waived),
      sql`UPDATE approval_requests SET decided_by = ${stranger(w)} WHERE id = ${waiverOf(w.waived)}`,
    ],
    'refund-payee': [
      sql`(SELECT id FROM refunds WHERE payment_id = ${w.refunded})`,
      sql`UPDATE refunds SET account_number = '9876543210' WHERE payment_id = ${w.refunded}`,
    ],
    'payment-source': [sql`(SELECT id FROM payments WHERE provider_reference = 'gelap')`, madeUp('gelap')],
    'payment-time': [
      paymentOn(w.account),
      sql`UPDATE payments SET paid_at = paid_at - interval '1 year' WHERE virtual_account_id = ${w.account}`,
    ],
    'va-bill': [
      w.openAccount,
      sql`UPDATE virtual_accounts SET bill_id = ${billOf(w.unpaid)} WHERE id = ${w.openAccount}`,
    ],
    'statement-match': [matchedBy('hand'), match(paymentOn(w.account), 'hand')],
    'discount-approval': [
      w.cheaper,
      sql`UPDATE approval_requests SET status = 'withdrawn' WHERE id = ${discountFor(w.cheaper)}`,
    ],
    'counter-behind': [counter('bill'), behind('bill')],
  }) satisfies Record<Quiet, Mistake>
