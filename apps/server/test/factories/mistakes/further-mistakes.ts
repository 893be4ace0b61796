import { sql } from 'kysely'
import type { InvariantName } from '#domain/ops/invariants.ts'
import type { Books } from '#server-test/factories/books.ts'
import { furtherQuietMistakes } from './further-quiet-mistakes.ts'
import { type Mistake, reversalOn, strayMoney } from './mistake.ts'

/** Variants of the same mistakes, with money moved, reversed, refunded or waived; other invariants may fail too. */
export const furtherMistakes = (w: Books): Record<string, [InvariantName, ...Mistake]> => ({
  ...furtherQuietMistakes(w),
  'money of nobody pays a bill': [
    'allocation-owner',
    sql`(SELECT id FROM allocations WHERE bill_id = ${w.paid})`,
    sql`UPDATE payments SET account_id = NULL WHERE virtual_account_id = ${w.account}`,
  ],
  'less is taken back than was allocated': [
    'allocation-reversal',
    reversalOn(w.ended),
    sql`UPDATE allocations SET amount = amount + 1 WHERE id = ${reversalOn(w.ended)}`,
  ],
  'what is taken back came from another bill': [
    'allocation-reversal',
    sql`(SELECT id FROM allocations WHERE bill_id = ${w.open})`,
    sql`UPDATE allocations SET bill_id = ${w.open} WHERE id = ${reversalOn(w.ended)}`,
  ],
  'a cancelled bill keeps money': [
    'bill-status',
    w.ended,
    sql`UPDATE bills SET paid = 100000 WHERE id = ${w.ended}`,
    sql`DELETE FROM allocations WHERE id = ${reversalOn(w.ended)}`,
  ],
  'a row that took money back is gone': [
    'bill-paid',
    w.ended,
    sql`DELETE FROM allocations WHERE id = ${reversalOn(w.ended)}`,
  ],
  'moved money stays where it was as well': [
    'payment-split',
    w.found,
    sql`DELETE FROM allocations WHERE payment_id = ${w.found} AND amount < 0`,
  ],
  'money is given to a bill and goes on waiting': [
    'payment-split',
    w.found,
    sql`UPDATE payments SET status = 'waiting', waiting_amount = 250000, waiting_reason = 'overpaid' WHERE id = ${w.found}`,
  ],
  'a payment taken back still pays a bill': [
    'payment-split',
    w.counted.payment,
    sql`UPDATE payments SET status = 'reversed' WHERE id = ${w.counted.payment}`,
  ],
  'money given back is counted as there': [
    'payment-split',
    w.refunded,
    sql`UPDATE payments SET refunded_amount = 0 WHERE id = ${w.refunded}`,
  ],
  'a refund is gone from the books': [
    'payment-refunds',
    w.refunded,
    sql`DELETE FROM refunds WHERE payment_id = ${w.refunded}`,
  ],
  'money was recorded from no statement': [
    'statement-payment',
    sql`(SELECT id FROM payments WHERE provider = 'statement')`,
    sql`UPDATE payments SET provider_reference = 'gelap' WHERE provider = 'statement'`,
  ],
  'numbers of a bank pay into another account than was approved': [
    'bank-account-approval',
    w.bankAccount,
    sql`DELETE FROM bank_account_sources WHERE bank_account_id = ${w.bankAccount}`,
  ],
  'statements are read in another way than was approved': [
    'bank-account-approval',
    w.bankAccount,
    sql`UPDATE bank_accounts SET mapping = mapping || '{"decimal": "."}' WHERE id = ${w.bankAccount}`,
  ],
  'a connection is switched on and nobody approved it': [
    'connection-approval',
    w.connection,
    sql`UPDATE provider_accounts SET active = true WHERE id = ${w.connection}`,
  ],
  'the approval of a connection was about another one': [
    'connection-approval',
    w.connection,
    sql`UPDATE approval_requests SET provider_account_id = NULL WHERE provider_account_id = ${w.connection}`,
  ],
  'a connection has a key that nobody asked for': [
    'connection-key',
    `${w.connection} secretKey`,
    sql`INSERT INTO provider_secrets (provider_account_id, name, sealed, last_four, set_at)
      VALUES (${w.connection}, 'secretKey', 'x', 'x', now())`,
  ],
  'money of nobody was recorded from a statement and nobody approved it': [
    'line-approval',
    sql`(SELECT id FROM payments WHERE provider = 'statement')`,
    sql`UPDATE approval_requests SET status = 'rejected' WHERE kind = 'statement_line'`,
  ],
  'approved money of nobody has no owner': [
    'approval-done',
    sql`(SELECT id FROM approval_requests WHERE kind = 'allocation')`,
    sql`UPDATE payments SET account_id = NULL, bill_id = NULL WHERE id = ${w.found}`,
  ],
  'a line of a statement is gone': [
    'statement-import',
    w.statement,
    sql`DELETE FROM statement_lines WHERE import_id = ${w.statement} AND state = 'new'`,
  ],
  'a difference was settled and still counts': [
    'reconciliation-day',
    w.compared,
    sql`UPDATE reconciliation_differences SET settled_at = now(), settled_how = 'agrees'
      WHERE reconciliation_day_id = ${w.compared}`,
  ],
  'money waits for no reason': [
    'payment-status',
    strayMoney,
    sql`UPDATE payments SET waiting_reason = NULL WHERE id = ${strayMoney}`,
  ],
  'money waits without a clock': [
    'payment-status',
    strayMoney,
    sql`UPDATE payments SET waiting_since = NULL WHERE id = ${strayMoney}`,
  ],
  'money waits under a payment that is called allocated': [
    'payment-status',
    strayMoney,
    sql`UPDATE payments SET status = 'allocated' WHERE id = ${strayMoney}`,
  ],
  'a payment was taken back and nobody approved it': [
    'approval-effect',
    w.reversed,
    sql`UPDATE approval_requests SET status = 'rejected' WHERE id = ${w.reversal}`,
  ],
  'money was given back and nobody approved it': [
    'approval-effect',
    w.refunded,
    sql`UPDATE approval_requests SET status = 'withdrawn' WHERE id = ${w.refund}`,
  ],
  'more was given back than was approved': [
    'approval-effect',
    w.refunded,
    sql`UPDATE approval_requests SET amount = amount - 1 WHERE id = ${w.refund}`,
  ],
  'another sum was entered by hand than was approved': [
    'approval-effect',
    w.counted.payment,
    sql`UPDATE approval_requests SET amount = amount - 1 WHERE id = ${w.counted.request}`,
  ],
  'approved money was not booked': [
    'approval-done',
    w.counted.request,
    sql`UPDATE approval_requests SET payment_id = NULL WHERE id = ${w.counted.request}`,
  ],
  'an approved refund was not made': [
    'approval-done',
    w.refund,
    sql`DELETE FROM refunds WHERE approval_request_id = ${w.refund}`,
  ],
  'a sponsor vouches whom nobody approved': [
    'bill-exception',
    w.guaranteed,
    sql`UPDATE approval_requests SET status = 'rejected' WHERE bill_id = ${w.guaranteed}`,
  ],
  'a sponsor vouches for less than is open': [
    'bill-exception',
    w.guaranteed,
    sql`UPDATE approval_requests SET amount = amount - 1 WHERE bill_id = ${w.guaranteed}`,
  ],
  'more was waived than was approved': [
    'bill-reduction',
    w.waived,
    sql`UPDATE approval_requests SET amount = amount - 1 WHERE bill_id = ${w.waived} AND kind = 'waiver'`,
  ],
  'a discount was returned and stays on the bill': [
    'discount-line',
    w.cheaper,
    sql`UPDATE discount_uses SET released_at = now(), bill_id = NULL, amount = NULL WHERE bill_id = ${w.cheaper}`,
  ],
  'a discount was taken off the bill and still counts': [
    'discount-line',
    w.cheaper,
    sql`DELETE FROM bill_lines WHERE bill_id = ${w.cheaper} AND discount_id IS NOT NULL`,
  ],
  'a returned discount was not counted back': [
    'discount-uses',
    w.byHand,
    sql`UPDATE discount_uses SET released_at = now() WHERE discount_id = ${w.byHand}`,
  ],
})
