import { sql } from 'kysely'
import type { InvariantName } from '#domain/ops/invariants.ts'
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

/** More mistakes of this kind; other invariants may fail too. */
export const furtherQuietMistakes = (w: Books): Record<string, [InvariantName, ...Mistake]> => ({
  'a line of a bill gave way to a cheaper one': [
    'bill-issued',
    w.open,
    sql`INSERT INTO bill_lines (bill_id, description, amount) SELECT bill_id, description, amount - 1000 FROM bill_lines WHERE bill_id = ${w.open}`,
    sql`DELETE FROM bill_lines l USING bills b WHERE b.id = l.bill_id AND b.id = ${w.open} AND l.amount = b.total`,
    sql`UPDATE bills SET total = total - 1000 WHERE id = ${w.open}`,
  ],
  'a bill has a discount more than when it was issued': [
    'bill-issued',
    w.open,
    sql`INSERT INTO bill_lines (bill_id, description, amount, discount_id) VALUES (${w.open}, 'Potongan', -1000, ${w.discount})`,
    sql`UPDATE bills SET total = total - 1000 WHERE id = ${w.open}`,
  ],
  'a discount by hand was never asked for': [
    'discount-approval',
    w.open,
    sql`INSERT INTO discount_uses (discount_id, registration_id, bill_id, amount, taken_at)
      SELECT ${w.byHand}, registration_id, id, 1000, now() FROM bills WHERE id = ${w.open}`,
  ],
  'more of a discount by hand was given than approved': [
    'discount-approval',
    w.cheaper,
    sql`UPDATE discount_uses SET amount = amount + 500000 WHERE bill_id = ${w.cheaper}`,
  ],
  'another discount was approved than was given': [
    'discount-approval',
    w.cheaper,
    sql`UPDATE approval_requests SET details = jsonb_set(details, '{discountId}', to_jsonb(${w.discount}::text)) WHERE id = ${discountFor(w.cheaper)}`,
  ],
  'a refund goes to another person': [
    'refund-payee',
    sql`(SELECT id FROM refunds WHERE payment_id = ${w.refunded})`,
    sql`UPDATE refunds SET account_holder = 'Orang Lain' WHERE payment_id = ${w.refunded}`,
  ],
  'a refund and its request go to another account': [
    'approval-asked',
    w.refund,
    sql`UPDATE refunds SET account_number = '9876543210' WHERE payment_id = ${w.refunded}`,
    sql`UPDATE approval_requests SET details = jsonb_set(details, '{accountNumber}', '"9876543210"') WHERE id = ${w.refund}`,
  ],
  'a refund and its request go to another bank': [
    'approval-asked',
    w.refund,
    sql`UPDATE refunds SET bank = 'Bank Lain' WHERE payment_id = ${w.refunded}`,
    sql`UPDATE approval_requests SET details = jsonb_set(details, '{bank}', '"Bank Lain"') WHERE id = ${w.refund}`,
  ],
  'a request was asked by somebody else': [
    'approval-asked',
    w.refund,
    sql`UPDATE approval_requests SET requested_by = ${stranger(w)} WHERE id = ${w.refund}`,
  ],
  'a request is about another bill': [
    'approval-asked',
    waiverOf(w.open),
    sql`UPDATE approval_requests SET bill_id = ${w.open} WHERE id = ${waiverOf(w.waived)}`,
  ],
  'a decision is above the limit of who decided': [
    'approval-decider',
    w.refund,
    sql`UPDATE approval_requests SET decider_limit = amount - 1 WHERE id = ${w.refund}`,
  ],
  'a request was approved without anybody doing it': [
    'approval-decider',
    sql`(SELECT id FROM approval_requests WHERE reason = 'terlupa')`,
    sql`INSERT INTO approval_requests (kind, bill_id, amount, reason, status, requested_by, requested_at, decided_by, decided_at)
      SELECT 'waiver', ${w.open}, 1000, 'terlupa', 'approved', requested_by, now(), decided_by, now()
      FROM approval_requests WHERE id = ${w.refund}`,
  ],
  'a rejected request is called approved': [
    'approval-decider',
    w.refund,
    sql`UPDATE approval_requests SET status = 'rejected' WHERE id = ${w.refund}`,
  ],
  'money of a bank that no report tells of pays a bill': [
    'payment-source',
    sql`(SELECT id FROM payments WHERE provider_reference = 'gelap')`,
    sql`INSERT INTO payments (provider, provider_reference, account_id, bill_id, amount, status, paid_at, received_at)
      SELECT 'sandbox', 'gelap', account_id, id, total, 'allocated', now(), now() FROM bills WHERE id = ${w.open}`,
    sql`INSERT INTO allocations (payment_id, bill_id, amount, created_at)
      SELECT p.id, p.bill_id, p.amount, now() FROM payments p WHERE provider_reference = 'gelap'`,
    sql`UPDATE bills SET paid = total, status = 'paid', paid_at = now() WHERE id = ${w.open}`,
  ],
  'the report of a payment is another one': [
    'payment-source',
    paymentOn(w.account),
    sql`UPDATE payments SET bank_report_id = (SELECT bank_report_id FROM payments WHERE virtual_account_number = '990019999999999')
      WHERE virtual_account_id = ${w.account}`,
  ],
  'the bank reported another sum': [
    'payment-source',
    paymentOn(w.account),
    sql`UPDATE bank_reports SET amount = amount - 1000 WHERE id = (SELECT bank_report_id FROM payments WHERE virtual_account_id = ${w.account})`,
  ],
  'the report of a payment was not genuine': [
    'payment-source',
    paymentOn(w.account),
    sql`UPDATE bank_reports SET outcome = 'wrong_signature' WHERE id = (SELECT bank_report_id FROM payments WHERE virtual_account_id = ${w.account})`,
  ],
  'a payment was made tomorrow': [
    'payment-time',
    paymentOn(w.account),
    sql`UPDATE payments SET paid_at = now() + interval '1 day' WHERE virtual_account_id = ${w.account}`,
  ],
  'cash was paid on another day than was approved': [
    'payment-time',
    w.counted.payment,
    sql`UPDATE payments SET paid_at = paid_at - interval '40 days' WHERE id = ${w.counted.payment}`,
  ],
  'a payment is a few minutes older than it was booked': [
    'payment-time',
    paymentOn(w.account),
    sql`UPDATE payments SET paid_at = paid_at - interval '5 minutes' WHERE virtual_account_id = ${w.account}`,
  ],
  'a number was paid and then moved to another bill': [
    'va-bill',
    w.account,
    sql`UPDATE virtual_accounts SET bill_id = ${w.open} WHERE id = ${w.account}`,
  ],
  'a number was moved that the log does not know': [
    'va-bill',
    w.account,
    sql`UPDATE virtual_accounts SET bill_id = ${w.open} WHERE id = ${w.account}`,
    sql`DELETE FROM audit_log WHERE action = 'virtual-account.issue'`,
  ],
  'two bills have changed their numbers': [
    'va-bill',
    w.openAccount,
    sql`UPDATE virtual_accounts SET number = '1' WHERE id = ${w.openAccount}`,
    sql`UPDATE virtual_accounts SET number = '990010000000099' WHERE id = ${w.account}`,
    sql`UPDATE virtual_accounts SET number = (SELECT virtual_account_number FROM payments WHERE virtual_account_id = ${w.account})
      WHERE id = ${w.openAccount}`,
  ],
  'a line of a statement was matched by its reference with another sum': [
    'statement-match',
    matchedBy('reference'),
    match(paymentOn(w.account), 'reference'),
  ],
  'a matched line stands for another payment': [
    'statement-match',
    matchedBy('recorded'),
    sql`UPDATE statement_lines SET payment_id = ${paymentOn(w.account)} WHERE matched_by = 'recorded'`,
  ],
  'the counter of transfer numbers went back': [
    'counter-behind',
    sql`'virtual-account sandbox-a'`,
    behind('virtual-account'),
  ],
  'the counter of receipts went back': ['counter-behind', counter('receipt'), behind('receipt')],
  'the counter of refunds went back': ['counter-behind', counter('refund'), behind('refund')],
  'a counter is gone': [
    'counter-behind',
    sql`'virtual-account sandbox-a'`,
    sql`DELETE FROM number_counters WHERE kind = 'virtual-account'`,
  ],
  'a card was printed of a number that was taken back': [
    'student-card',
    w.enrolled,
    sql`INSERT INTO withdrawn_student_numbers (npm, registration_id, programme_id, issued_at, withdrawn_at, withdrawn_by, reason)
      SELECT 'DITARIK', registration_id, programme_id, issued_at, issued_at, account_id, 'planted' FROM students WHERE id = ${w.student}`,
    sql`INSERT INTO student_card_prints (layout, printed_at, printed_by)
      SELECT 'card', issued_at + interval '1 day', account_id FROM students WHERE id = ${w.student}`,
    sql`INSERT INTO student_cards (npm, copy, registration_id, print_id)
      SELECT 'DITARIK', 1, s.registration_id, p.id FROM students s, student_card_prints p WHERE s.id = ${w.student}`,
  ],
  'a card bears the number of somebody else': [
    'student-card',
    w.unpaid,
    sql`INSERT INTO student_card_prints (layout, printed_at, printed_by) SELECT 'card', now(), account_id FROM students WHERE id = ${w.student}`,
    sql`INSERT INTO student_cards (npm, copy, registration_id, print_id)
      SELECT s.npm, 1, ${w.unpaid}, p.id FROM students s, student_card_prints p WHERE s.id = ${w.student}`,
  ],
  'the counter of student numbers is behind the last one': [
    'counter-behind',
    sql`(SELECT 'student ' || left(npm, length(npm) - 4) || '#' FROM students WHERE id = ${w.student})`,
    sql`UPDATE students s SET npm = substr(w.academic_year, 3, 2) || p.npm_code || '0007' FROM registrations r JOIN waves w ON w.id = r.wave_id,
      study_programmes p WHERE r.id = s.registration_id AND p.id = s.programme_id AND s.id = ${w.student}`,
  ],
  'the counter of registrations is behind the last one': [
    'counter-behind',
    sql`(SELECT 'registration ' || left(code, length(code) - 5) || '#' FROM registrations WHERE id = ${w.unpaid})`,
    sql`UPDATE registrations r SET code = to_char(r.created_at AT TIME ZONE 'Asia/Jakarta', 'YY') || w.code || '00007' FROM waves w
      WHERE w.id = r.wave_id AND r.id = ${w.unpaid}`,
  ],
  'a number left out by a restore was given': [
    'counter-behind',
    sql`(SELECT kind || ' ' || scope FROM number_counters WHERE kind = 'bill')`,
    sql`INSERT INTO restores (backup_at, restored_at) VALUES (now(), now())`,
    sql`INSERT INTO number_gaps (restore_id, kind, scope, first_number, last_number, wanted, lost_at)
      SELECT r.id, c.kind, c.scope, c.value + 1, c.value + 100, 100, now() FROM restores r, number_counters c WHERE c.kind = 'bill'`,
  ],
})
