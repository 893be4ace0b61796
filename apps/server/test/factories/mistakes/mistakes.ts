import { type RawBuilder, sql } from 'kysely'
import type { InvariantName } from '#domain/ops/invariants.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { Books } from '#server-test/factories/books.ts'
import { type Mistake, paymentOn, reversalOn, strayMoney } from './mistake.ts'
import { quietMistakes } from './quiet-mistakes.ts'

const dropConstraint = (table: string, constraint: string) =>
  sql`ALTER TABLE ${sql.table(table)} DROP CONSTRAINT ${sql.id(constraint)}`
/** Sets a limit to 0 without the trace of a later edit. */
const exhaust = (table: string, limit: string, id: string) => [
  ...(table === 'test_sessions' || table === 'programme_details'
    ? []
    : [dropConstraint(table, `${table}_${limit}_check`)]),
  sql`UPDATE ${sql.table(table)} SET ${sql.id(limit)} = 0, updated_at = '-infinity' WHERE id = ${id}`,
]
const installment = (billId: string, position: number) =>
  sql`(SELECT id FROM installments WHERE bill_id = ${billId} AND position = ${position})`
const statusOf = (billId: string, status: string) =>
  sql`UPDATE registrations SET status = ${status} WHERE id = (SELECT registration_id FROM bills WHERE id = ${billId})`
/** A room of the session of the books, with its capacity. */
const roomOf = (w: Books, capacity: number) =>
  sql`INSERT INTO test_session_rooms (test_session_id, name, capacity) VALUES (${w.session}, 'Lab 1', ${capacity})`
/** Gives everyone in the session the same place. */
const placeIn = (w: Books, seatNumber: number) =>
  sql`UPDATE test_seats SET seat_number = ${seatNumber}, room_id = (SELECT id FROM test_session_rooms WHERE test_session_id = ${w.session})
    WHERE test_session_id = ${w.session}`
const seatOf = (w: Books) => sql`(SELECT registration_id FROM test_seats WHERE test_session_id = ${w.session})`
/** Inserts an approved request about a payment. */
const approvedAbout = (kind: string, payment: RawBuilder<unknown>) =>
  sql`INSERT INTO approval_requests (kind, payment_id, amount, reason, status, requested_by, requested_at, decided_by, decided_at)
    SELECT ${kind}, p.id, p.amount, 'terlupa', 'approved', a.requested_by, now(), a.decided_by, now()
    FROM payments p, (SELECT * FROM approval_requests WHERE status = 'approved' LIMIT 1) a WHERE ${payment}`
/** Makes the bank report equal to the changed payment on a number. */
const matchReport = (accountId: string) =>
  sql`UPDATE bank_reports r SET amount = p.amount, number = p.virtual_account_number FROM payments p
    WHERE p.bank_report_id = r.id AND p.virtual_account_id = ${accountId}`
/** Adds the audit entry of the approval. */
const logApproval = (reason: string) =>
  sql`INSERT INTO audit_log (actor_id, actor_name, role_name, action, subject_type, subject_id)
    SELECT decided_by, 'Sari', 'Keuangan', 'approval.approve', 'approval', id FROM approval_requests WHERE reason = ${reason}`
/** Adds a line of -1,000 with matching total and instalments. */
const shrinkBill = (billId: string) => [
  sql`INSERT INTO bill_lines (bill_id, description, amount, added_later) VALUES (${billId}, 'Potongan', -1000, true)`,
  sql`UPDATE bills SET total = total - 1000 WHERE id = ${billId}`,
  sql`UPDATE installments SET amount = amount - 1000 WHERE id = ${installment(billId, 3)}`,
]

/** A part of the first programme for a track. */
const trackQuota = ({ programmeDetails }: AcademicFixture, trackId: string, places: number, spillTurn: number | null) =>
  sql`INSERT INTO track_quotas (programme_detail_id, track_id, places, spill_turn)
    VALUES (${programmeDetails[0]}, ${trackId}, ${places}, ${spillTurn})`

/** A verified candidate waiting at rank 1 of a reserve list, and a bill's confirmed applicant at rank 2. */
const reserveList = (billId: string, confirmedStatus: string) => [
  sql`WITH run AS (
      INSERT INTO selection_runs (wave_id, name, status, rules, created_at)
      SELECT id, 'Seleksi', 'computed', '{}', now() FROM waves LIMIT 1 RETURNING id
    ), candidate AS (
      INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
        programme_id, status, verified_at)
      SELECT 'CADANGAN', gen_random_uuid(), account_id, wave_id, track_id, entry_level_id, class_programme_id,
        programme_id, 'verified', now() - interval '1 day'
      FROM registrations WHERE id = (SELECT registration_id FROM bills WHERE id = ${billId}) RETURNING *
    )
    INSERT INTO reserve_places (selection_run_id, registration_id, programme_id, class_programme_id, track_id, rank,
      status, offered_at, due_at)
    SELECT run.id, k.id, c.programme_id, c.class_programme_id, c.track_id, k.rank, k.status, now(), now()
    FROM run, candidate c, LATERAL (VALUES (c.id, 1, 'waiting'),
      ((SELECT registration_id FROM bills WHERE id = ${billId}), 2, ${confirmedStatus})) k (id, rank, status)`,
  sql`SELECT fill_registration_steps()`,
]
const reservePlace = (rank: number) => sql`(SELECT id FROM reserve_places WHERE rank = ${rank})`

const letter = (number: string, sequence: number) => sql`
  WITH counter AS (INSERT INTO number_counters (kind, scope, value) VALUES ('letter', 'TWICE', 2) ON CONFLICT DO NOTHING)
  INSERT INTO letters (id, letter_kind_id, letter_template_id, registration_id, language, number, number_scope, sequence,
    facts, issued_at, state)
  SELECT gen_random_uuid(), t.letter_kind_id, t.id, r.id, 'id', ${number}, 'TWICE', ${sequence}, '{}', now(), 'replaced'
  FROM (SELECT * FROM letter_templates LIMIT 1) t, (SELECT id FROM registrations LIMIT 1) r`

/** An affiliate with commission entries on the registration of a bill. */
const commission = (billId: string, entry: RawBuilder<unknown>) => [
  sql`INSERT INTO affiliates (code, name, phone) VALUES ('SALAH', 'Afiliator', '+628110000000')`,
  sql`INSERT INTO commission_rules (id, affiliate_id, stage, version, amount, reason, created_at, approved_at)
    SELECT gen_random_uuid(), id, 'paid', 1, 100, 'contoh', now(), now() FROM affiliates WHERE code = 'SALAH'`,
  sql`INSERT INTO commission_entries (affiliate_id, rule_id, registration_id, created_at, stage, kind, amount, base, cause, cause_id)
    SELECT c.affiliate_id, c.id, b.registration_id, now(), e.* FROM commission_rules c, bills b, (VALUES ${entry}) e
    WHERE b.id = ${billId}`,
]
/** A stored day before the first registration, with a row in one or both history tables. */
const keptDay = (count: number, rupiah: number, stage: string, inDetail = true) => [
  sql`INSERT INTO season_days (day, ends_at, last_step, kept_at) VALUES ('2000-01-01', '2000-01-02', 0, now())`,
  ...(inDetail
    ? [
        sql`INSERT INTO season_daily (kept_on, day, step_day, academic_year, wave_id, days_to_close, track_id, class_programme_id,
            stage, count, rupiah)
          SELECT '2000-01-01', '2000-01-01', '2000-01-01', '1999/2000', wave_id, 0, track_id, class_programme_id, ${stage}, ${count}, ${rupiah}
          FROM registrations LIMIT 1`,
      ]
    : []),
  sql`INSERT INTO season_sums (kept_on, day, step_day, academic_year, wave_id, stage, count, rupiah)
    SELECT '2000-01-01', '2000-01-01', '2000-01-01', '1999/2000', wave_id, ${stage}, ${count}, ${rupiah} FROM registrations LIMIT 1`,
]
const registrationOf = (billId: string) => sql`(SELECT registration_id FROM bills WHERE id = ${billId})`
const salah = sql`(SELECT id FROM affiliates WHERE code = 'SALAH')`

/** One mistake per invariant, made as the owner past every guard, after which only that record is wrong. */
export const mistakes = (w: Books, academic: AcademicFixture): Record<InvariantName, Mistake> => ({
  ...quietMistakes(w),
  'season-count': ['1999/2000 paid', ...keptDay(1, 0, 'paid')],
  'season-money': ['1999/2000 received', ...keptDay(1, 500_000, 'received')],
  'season-sums': ['1999/2000 paid', ...keptDay(1, 0, 'paid', false)],
  'fact-registration': [
    registrationOf(w.open),
    sql`UPDATE registration_facts SET created_at = created_at - interval '1 second' WHERE id = ${registrationOf(w.open)}`,
  ],
  'fact-place': [
    registrationOf(w.parts),
    sql`DELETE FROM paid_places WHERE bill_id = ${w.parts}`,
    sql`INSERT INTO paid_places VALUES (${w.parts}, ${registrationOf(w.parts)}, now())`,
  ],
  'fact-payment': [
    sql`(SELECT id FROM payment_facts ORDER BY id LIMIT 1)`,
    sql`UPDATE payment_facts SET amount = amount + 1 WHERE id = (SELECT id FROM payment_facts ORDER BY id LIMIT 1)`,
  ],
  'fact-money': [
    registrationOf(w.open),
    sql`UPDATE money_facts SET amount = amount + 1 WHERE bill_id = ${w.open} AND kind = 'billed'`,
  ],
  'commission-sum': [
    sql`(SELECT registration_id FROM bills WHERE id = ${w.open})`,
    ...commission(w.open, sql`('paid', 'clawback', -1, NULL::bigint, 'step', '1')`),
  ],
  'commission-payout': [
    salah,
    ...commission(w.open, sql`('paid', 'earned', 100, 0, 'step', '1')`),
    sql`INSERT INTO commission_entries (affiliate_id, stage, kind, amount, cause, cause_id, created_at)
      VALUES (${salah}, 'none', 'paid', -100, 'payout', 'hilang', now())`,
  ],
  'commission-rule': [salah, ...commission(w.open, sql`('paid', 'earned', 90, 0, 'step', '1')`)],
  'bill-paid': [w.open, sql`UPDATE bills SET paid = 1, status = 'partly_paid' WHERE id = ${w.open}`],
  'bill-lines': [w.open, sql`UPDATE bill_lines SET amount = amount + 1 WHERE bill_id = ${w.open}`],
  'bill-status': [w.parts, sql`UPDATE bills SET status = 'open' WHERE id = ${w.parts}`],
  'bill-paid-date': [w.paid, sql`UPDATE bills SET paid_at = NULL WHERE id = ${w.paid}`],
  'bill-owner': [
    w.open,
    sql`UPDATE bills SET account_id = (SELECT account_id FROM bills WHERE id = ${w.paid}) WHERE id = ${w.open}`,
  ],
  'bill-of-kind': [
    sql`(SELECT max(id::text) FROM bills WHERE number = 'TWICE' OR id = ${w.paid})`,
    sql`DROP INDEX bills_one_of_kind`,
    sql`INSERT INTO bills (number, registration_id, account_id, kind, total, status, issued_at, paid_at)
      SELECT 'TWICE', registration_id, account_id, kind, 0, 'paid', now(), now() FROM bills WHERE id = ${w.paid}`,
  ],
  'bill-exception': [w.cheaper, sql`UPDATE bills SET status = 'waived' WHERE id = ${w.cheaper}`],
  'bill-reduction': [w.cheaper, ...shrinkBill(w.cheaper)],
  'bill-promise': [
    w.promised,
    sql`UPDATE bills SET promised_until = promised_until + interval '1 day' WHERE id = ${w.promised}`,
  ],
  'instalment-total': [w.parts, sql`UPDATE installments SET amount = amount + 1 WHERE id = ${installment(w.parts, 3)}`],
  'instalment-paid': [
    installment(w.parts, 2),
    sql`UPDATE installments SET paid = 1 WHERE id = ${installment(w.parts, 2)}`,
  ],
  'instalment-paid-date': [
    installment(w.parts, 1),
    sql`UPDATE installments SET paid_at = NULL WHERE id = ${installment(w.parts, 1)}`,
  ],
  'allocation-bill': [
    sql`(SELECT id FROM allocations WHERE bill_id = ${w.parts})`,
    sql`UPDATE allocations SET installment_id = NULL WHERE bill_id = ${w.parts}`,
    sql`UPDATE installments SET paid = 0, paid_at = NULL WHERE bill_id = ${w.parts}`,
  ],
  'allocation-owner': [
    sql`(SELECT id FROM allocations WHERE bill_id = ${w.paid})`,
    sql`UPDATE payments SET account_id = (SELECT account_id FROM bills WHERE id = ${w.open})
      WHERE virtual_account_id = ${w.account}`,
  ],
  'allocation-reversal': [
    reversalOn(w.ended),
    sql`UPDATE allocations SET reversal_of = (SELECT id FROM allocations WHERE bill_id = ${w.paid})
      WHERE id = ${reversalOn(w.ended)}`,
  ],
  'payment-split': [
    paymentOn(w.account),
    sql`UPDATE payments SET amount = amount + 1 WHERE virtual_account_id = ${w.account}`,
    sql`UPDATE virtual_accounts SET received = received + 1 WHERE id = ${w.account}`,
    matchReport(w.account),
  ],
  'payment-status': [
    paymentOn(w.account),
    sql`UPDATE payments SET status = 'waiting' WHERE virtual_account_id = ${w.account}`,
  ],
  'payment-successor': [
    sql`(SELECT id FROM payments WHERE bill_id = ${w.ended})`,
    sql`WITH made AS (
        INSERT INTO bills (number, registration_id, account_id, kind, total, status, issued_at)
        SELECT 'NEXT', registration_id, account_id, kind, total, 'open', now() FROM bills WHERE id = ${w.ended} RETURNING id, total)
      INSERT INTO bill_lines (bill_id, description, amount) SELECT id, 'Biaya pendaftaran', total FROM made`,
  ],
  'payment-refunds': [
    paymentOn(w.account),
    sql`UPDATE payments SET amount = amount + 1, refunded_amount = 1 WHERE virtual_account_id = ${w.account}`,
    sql`UPDATE virtual_accounts SET received = received + 1 WHERE id = ${w.account}`,
    matchReport(w.account),
  ],
  'payment-twice': [
    sql`(SELECT id FROM payments WHERE reference = 'STR-1')`,
    sql`UPDATE payments SET reference = 'str 1' WHERE virtual_account_id = ${w.account}`,
  ],
  'approval-effect': [
    sql`(SELECT id FROM payments WHERE provider_reference = 'gelap')`,
    sql`INSERT INTO payments (provider, provider_reference, amount, status, waiting_amount, waiting_reason, waiting_since, paid_at, received_at)
      VALUES ('manual', 'gelap', 1000, 'waiting', 1000, 'unknown_number', now(), now(), now())`,
  ],
  'approval-done': [
    sql`(SELECT id FROM approval_requests WHERE reason = 'terlupa')`,
    approvedAbout('reversal', sql`p.virtual_account_id = ${w.account}`),
    logApproval('terlupa'),
  ],
  'payment-number': [
    paymentOn(w.account),
    sql`UPDATE payments SET virtual_account_number = '1' WHERE virtual_account_id = ${w.account}`,
    matchReport(w.account),
  ],
  'report-booked': [
    sql`(SELECT id FROM bank_reports WHERE body = 'lost')`,
    sql`INSERT INTO bank_reports (provider, body, headers, received_at, outcome)
      VALUES ('sandbox', 'lost', '{}', now(), 'booked')`,
  ],
  'amount-held': [
    sql`(SELECT id FROM payment_alerts WHERE provider_reference = 'ABSURD')`,
    sql`INSERT INTO payment_alerts (kind, provider, provider_reference, amount, told, raised_at)
      VALUES ('above_maximum', 'sandbox', 'ABSURD', 9000000000, '{}', now())`,
  ],
  'letter-number': [
    sql`(SELECT max(id::text) FROM letters WHERE number = 'TWICE')`,
    sql`DROP INDEX letters_number`,
    ...[1, 2].map((sequence) => letter('TWICE', sequence)),
    sql`UPDATE letters l SET hash = letter_hash(to_jsonb(l), to_jsonb(t), l.issued_at) FROM letter_templates t
      WHERE t.id = l.letter_template_id`,
  ],
  'letter-hash': [sql`(SELECT id FROM letters WHERE number = 'CHANGED')`, letter('CHANGED', 1)],
  'receipt-gap': ['all', sql`UPDATE number_counters SET value = value + 1 WHERE kind = 'receipt'`],
  'receipt-without-money': [
    strayMoney,
    sql`UPDATE payments SET receipt_number = 'KW-9' WHERE id = ${strayMoney}`,
    sql`UPDATE number_counters SET value = value + 1 WHERE kind = 'receipt'`,
  ],
  'va-one-active': [
    sql`(SELECT max(id::text) FROM virtual_accounts WHERE bill_id = ${w.open})`,
    sql`DROP INDEX virtual_accounts_one_open`,
    sql`INSERT INTO virtual_accounts (bill_id, provider, bank, number, amount, expires_at)
      SELECT bill_id, provider, bank, '9900100000', amount, expires_at FROM virtual_accounts WHERE id = ${w.openAccount}`,
  ],
  'va-bill-status': [
    w.account,
    sql`UPDATE virtual_accounts SET status = 'active', closed_at = NULL WHERE id = ${w.account}`,
  ],
  'va-instalment': [
    w.openAccount,
    sql`UPDATE virtual_accounts SET installment_id = ${installment(w.parts, 3)} WHERE id = ${w.openAccount}`,
  ],
  'va-expired': [
    w.openAccount,
    sql`UPDATE virtual_accounts SET expires_at = now() - interval '25 hours' WHERE id = ${w.openAccount}`,
  ],
  'va-paid': [
    w.openAccount,
    sql`UPDATE virtual_accounts SET status = 'paid', closed_at = now() WHERE id = ${w.openAccount}`,
  ],
  'va-received': [w.openAccount, sql`UPDATE virtual_accounts SET received = received + 1 WHERE id = ${w.openAccount}`],
  'va-closed-date': [w.openAccount, sql`UPDATE virtual_accounts SET closed_at = now() WHERE id = ${w.openAccount}`],
  'statement-import': [
    w.statement,
    sql`UPDATE statement_imports SET lines = lines + 1, lines_new = lines_new + 1 WHERE id = ${w.statement}`,
  ],
  'statement-payment': [
    sql`(SELECT id FROM payments WHERE provider = 'statement')`,
    sql`UPDATE payments SET amount = amount + 1, waiting_amount = waiting_amount + 1 WHERE provider = 'statement'`,
  ],
  'reconciliation-day': [
    w.compared,
    sql`UPDATE reconciliation_days SET open_differences = open_differences + 1 WHERE id = ${w.compared}`,
  ],
  'line-approval': [
    sql`(SELECT id FROM payments WHERE provider = 'statement')`,
    sql`UPDATE payments SET approval_request_id = NULL WHERE provider = 'statement'`,
  ],
  'bank-account-approval': [w.bankAccount, sql`UPDATE bank_accounts SET number = '1234' WHERE id = ${w.bankAccount}`],
  'connection-approval': [
    w.connection,
    sql`UPDATE provider_accounts SET base_url = 'https://elsewhere.example.com' WHERE id = ${w.connection}`,
  ],
  'connection-key': [
    `${w.connection} callbackToken`,
    sql`UPDATE provider_secrets SET sealed = 'other' WHERE provider_account_id = ${w.connection}`,
  ],
  'discount-uses': [w.discount, sql`UPDATE discounts SET uses = uses + 1 WHERE id = ${w.discount}`],
  'discount-limit': [w.discount, ...exhaust('discounts', 'max_uses', w.discount)],
  'voucher-uses': [w.voucher, sql`UPDATE vouchers SET uses = uses + 1 WHERE id = ${w.voucher}`],
  'voucher-limit': [w.voucher, ...exhaust('vouchers', 'max_uses', w.voucher)],
  'agreement-uses': [w.agreement, sql`UPDATE school_agreements SET uses = 1 WHERE id = ${w.agreement}`],
  'agreement-quota': [
    w.agreement,
    sql`UPDATE discount_uses SET school_agreement_id = ${w.agreement} WHERE voucher_id = ${w.voucher}`,
    sql`UPDATE school_agreements SET uses = 1 WHERE id = ${w.agreement}`,
    ...exhaust('school_agreements', 'quota', w.agreement),
  ],
  'discount-line': [
    w.open,
    sql`UPDATE discount_uses SET bill_id = ${w.open}, amount = 1000 WHERE voucher_id = ${w.voucher}`,
  ],
  'discount-owner': [
    w.cheaper,
    sql`UPDATE discount_uses SET registration_id = (SELECT registration_id FROM bills WHERE id = ${w.open})
      WHERE bill_id = ${w.cheaper}`,
  ],
  'seat-count': [w.session, sql`UPDATE test_session_seats SET taken = 2 WHERE test_session_id = ${w.session}`],
  'seat-capacity': [w.session, ...exhaust('test_sessions', 'capacity', w.session)],
  'seat-one': [
    seatOf(w),
    sql`DROP INDEX test_seats_one`,
    sql`INSERT INTO test_seats (test_session_id, registration_id, status)
      SELECT ${academic.testSession}, registration_id, status FROM test_seats`,
    sql`UPDATE test_session_seats SET taken = 1 WHERE test_session_id = ${academic.testSession}`,
  ],
  'seat-registration': [
    sql`(SELECT id FROM test_seats)`,
    sql`UPDATE registrations SET status = 'withdrawn' WHERE id = ${seatOf(w)}`,
  ],
  'seat-cancelled': [
    sql`(SELECT id FROM test_seats)`,
    sql`UPDATE test_sessions SET cancelled_at = now(), cancel_reason = 'planted', active = false WHERE id = ${w.session}`,
  ],
  'seat-offer': [
    seatOf(w),
    sql`INSERT INTO test_waiting_places (test_session_id, registration_id, status, joined_at, offered_at, offered_until)
      VALUES (${w.session}, ${seatOf(w)}, 'offered', now(), now(), now() + interval '1 day')`,
    sql`UPDATE test_session_seats SET taken = taken + 1 WHERE test_session_id = ${w.session}`,
  ],
  'seat-order': [
    seatOf(w),
    sql`INSERT INTO test_waiting_places (test_session_id, registration_id, joined_at)
      VALUES (${academic.testSession}, ${seatOf(w)}, now())`,
    sql`INSERT INTO test_waiting_places (test_session_id, registration_id, status, joined_at, offered_at, offered_until)
      SELECT ${academic.testSession}, registration_id, 'offered', now(), now() + interval '1 hour', now() + interval '1 day'
      FROM bills WHERE id = ${w.open}`,
    sql`UPDATE test_session_seats SET taken = 1 WHERE test_session_id = ${academic.testSession}`,
  ],
  'seat-attendance': [
    sql`(SELECT id FROM test_seats)`,
    sql`INSERT INTO test_scans (id, test_session_id, registration_id, kind, outcome, at, device_at, device_id, device_name, received_at)
      VALUES (gen_random_uuid(), ${w.session}, ${seatOf(w)}, 'arrive', 'recorded', now(), now(), gen_random_uuid(), 'HP 1', now())`,
  ],
  'jacket-stock': ['M', sql`UPDATE jacket_stock SET on_hand = on_hand + 1 WHERE size = 'M'`],
  'jacket-hand-out': [
    sql`(SELECT id FROM jacket_hand_outs)`,
    sql`INSERT INTO jacket_hand_outs (registration_id, size, handed_at, note)
      VALUES (${w.enrolled}, 'M', now(), 'tanpa mutasi')`,
  ],
  'room-sum': [w.session, roomOf(w, 1)],
  'place-room': [sql`(SELECT id FROM test_seats)`, roomOf(w, 2), placeIn(w, 3)],
  'place-one': [
    w.session,
    roomOf(w, 2),
    sql`DROP INDEX test_seats_place`,
    sql`INSERT INTO test_seats (test_session_id, registration_id, status)
      SELECT ${w.session}, registration_id, 'booked' FROM bills WHERE id = ${w.open}`,
    sql`UPDATE test_session_seats SET taken = 2 WHERE test_session_id = ${w.session}`,
    placeIn(w, 1),
  ],
  'programme-capacity': [
    academic.programmeDetails[0],
    ...exhaust('programme_details', 'capacity', academic.programmeDetails[0]),
  ],
  'track-division': [
    academic.programmeDetails[0],
    trackQuota(academic, academic.tracks.regular, 100_000, 1),
    trackQuota(academic, academic.tracks.achievement, 1, 2),
  ],
  'track-capacity': [
    academic.programmeDetails[0],
    trackQuota(academic, academic.tracks.regular, 1, null),
    sql`UPDATE programme_details SET updated_at = '-infinity' WHERE id = ${academic.programmeDetails[0]}`,
  ],
  'registration-fee': [sql`(SELECT registration_id FROM bills WHERE id = ${w.open})`, statusOf(w.open, 'paid')],
  'registration-closed': [sql`(SELECT registration_id FROM bills WHERE id = ${w.open})`, statusOf(w.open, 'cancelled')],
  'registration-student': [w.enrolled, sql`DELETE FROM students WHERE id = ${w.student}`],
  'student-unlock': [
    w.unpaid,
    sql`INSERT INTO students (registration_id, account_id, programme_id, npm, issued_at)
      SELECT id, account_id, accepted_programme_id, '2600002', now() FROM registrations WHERE id = ${w.unpaid}`,
    sql`UPDATE registrations SET status = 'enrolled' WHERE id = ${w.unpaid}`,
  ],
  'student-programme': [
    w.enrolled,
    sql`UPDATE students SET programme_id = ${academic.programmes[1]} WHERE id = ${w.student}`,
  ],
  'student-number-again': [
    w.enrolled,
    sql`INSERT INTO withdrawn_student_numbers (npm, registration_id, programme_id, issued_at, withdrawn_at, withdrawn_by, reason)
      SELECT npm, registration_id, programme_id, issued_at, issued_at, account_id, 'planted' FROM students WHERE id = ${w.student}`,
  ],
  'student-card': [
    w.enrolled,
    sql`INSERT INTO student_card_prints (layout, printed_at, printed_by) SELECT 'card', now(), account_id FROM students WHERE id = ${w.student}`,
    sql`INSERT INTO student_cards (npm, copy, registration_id, print_id)
      SELECT s.npm, 2, s.registration_id, p.id FROM students s, student_card_prints p WHERE s.id = ${w.student}`,
  ],
  'reserve-order': [reservePlace(1), ...reserveList(w.parts, 'taken')],
  'reserve-offer': [
    reservePlace(2),
    ...reserveList(w.parts, 'offered'),
    sql`UPDATE reserve_places SET status = 'closed' WHERE rank = 1`,
  ],
  'registration-steps': [
    w.enrolled,
    sql`UPDATE registrations SET created_at = created_at - interval '1 day' WHERE id = ${w.enrolled}`,
  ],
})
