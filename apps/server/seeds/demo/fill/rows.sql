-- Writes the rows that follow from demo_people, demo_discounts and demo_terms: accounts, registrations, documents,
-- bills, payments, seats, scores and students. Codes (27G1D000001) and bill numbers (INV-DEMO-000001) have a form that
-- the real counters never reach; from number 1,000,000 on they are longer. Parameters are settings of the transaction
-- (pmb.*), because a script of several statements takes no bind parameters. The script writes every derived column, so
-- that a large fill gets the same rows without the triggers; pmb.triggers says whether they run.

INSERT INTO accounts (id, name, email, email_verified_at, phone, password_hash, role_id, language, consent_version, consent_at,
  referral_code, created_at)
SELECT account_id, full_name, 'camaba' || n || '@demo.test', created_at, phone, current_setting('pmb.password_hash'),
  (SELECT id FROM roles WHERE name = 'Mahasiswa'), 'id', '2026-1', created_at, referral_code, created_at - interval '1 hour'
FROM demo_people;
INSERT INTO account_visits (account_id) SELECT account_id FROM demo_people ON CONFLICT DO NOTHING;

INSERT INTO applicants (id, account_id, full_name, birth_place, birth_date, gender, nik, nisn, religion_id, ethnic_group_id,
  phone, mother_name,
  province_id, city_id, district_id, village_id, address, rt, rw, postal_code, last_education, school_id, school_type_id,
  school_major_id, graduation_year, clothes_size, created_at, updated_at)
SELECT p.applicant_id, p.account_id, p.full_name, c.name, b.birth_date, b.gender,
  -- No region has code 99, so none of these NIKs is real. A woman's NIK has her day of birth plus 40.
  '99' || lpad((p.n / 10000)::text, 4, '0')
    || lpad((extract(day FROM b.birth_date)::int + CASE b.gender WHEN 'female' THEN 40 ELSE 0 END)::text, 2, '0')
    || to_char(b.birth_date, 'MMYY') || lpad((p.n % 10000)::text, 4, '0'),
  right(extract(year FROM b.birth_date)::text, 3) || lpad(p.n::text, 7, '0'),
  p.religion_id, p.ethnic_group_id, p.phone, 'Ibu ' || p.full_name, c.province_id, c.id, d.id, v.id,
  'Jalan Rekaan No. ' || (1 + p.n % 200), lpad((1 + p.n % 12)::text, 3, '0'), lpad((1 + p.n % 9)::text, 3, '0'), '10000', 'sma',
  s.id, s.school_type_id, m.id,
  p.graduation_year, p.clothes_size, p.created_at, p.created_at
FROM demo_people p
CROSS JOIN LATERAL (SELECT p.born_from + (p.n * 17) % 900 AS birth_date,
  CASE WHEN p.n % 2 = 0 THEN 'female' ELSE 'male' END AS gender) b
JOIN villages v ON v.id = p.village_id JOIN districts d ON d.id = v.district_id JOIN cities c ON c.id = d.city_id
LEFT JOIN schools s ON s.id = p.school_id
LEFT JOIN (SELECT DISTINCT ON (school_type_id) school_type_id, id FROM school_majors ORDER BY school_type_id, name) m
  ON m.school_type_id = s.school_type_id;

INSERT INTO registrations (id, code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
  programme_id,
  donation_amount, referral_code, status, closed_from, documents_state, decision, accepted_programme_id, decision_reason,
  installment_plan_id, submitted_at, paid_at, verified_at, decided_at, confirmed_at, enrolled_at, closed_at, created_at,
    updated_at,
  search_text, search_phone)
SELECT registration_id, code, applicant_id, account_id, wave_id, track_id,
  (SELECT id FROM entry_levels WHERE code = 'BARU'), class_programme_id, programme_id, donation_amount, referral_code, status,
    closed_from,
  CASE WHEN reached IN ('verified', 'decided', 'confirmed', 'enrolled') THEN 'complete'
       WHEN reached = 'paid' THEN (ARRAY['to_review', 'missing', 'rejected'])[1 + n % 3] ELSE 'missing' END,
  decision, CASE WHEN decision = 'accepted' THEN programme_id END, decision_reason,
  (SELECT id FROM installment_plans WHERE code = plan_code),
  submitted_at, paid_at, verified_at, decided_at, confirmed_at, enrolled_at, closed_at, created_at, created_at,
  lower(concat_ws(' ', full_name, code)), phone
FROM demo_people;

INSERT INTO registration_choices (registration_id, position, programme_id)
SELECT registration_id, 1, programme_id FROM demo_people
UNION ALL SELECT registration_id, 2, second_programme_id FROM demo_people WHERE second_programme_id IS NOT NULL;

INSERT INTO documents (registration_id, track_file_id, name, required, accepted_types, max_mb, may_defer, status, uploaded_at,
  reviewed_at,
  reviewed_by, reject_reason, sort_order)
SELECT p.registration_id, f.id, f.name, f.required, f.accepted_types, f.max_mb, f.may_defer,
  CASE WHEN NOT f.required THEN 'empty' ELSE s.status END,
  CASE WHEN f.required AND s.status <> 'empty' THEN p.uploaded_at END,
  CASE WHEN f.required AND s.status IN ('approved', 'rejected') THEN p.reviewed_at END,
  CASE WHEN f.required AND s.status IN ('approved', 'rejected') THEN p.reviewer_id END,
  CASE WHEN f.required AND s.status = 'rejected' THEN 'Foto buram, unggah ulang yang terbaca.' END, f.sort_order
FROM demo_people p
JOIN track_files f ON f.track_id = p.track_id AND f.stage = 'registration'
CROSS JOIN LATERAL (SELECT CASE
  WHEN p.reached IN ('verified', 'decided', 'confirmed', 'enrolled') THEN 'approved'
  WHEN p.reached = 'paid' AND p.n % 3 = 0 THEN 'uploaded'
  WHEN p.reached = 'paid' AND p.n % 3 = 2 THEN CASE WHEN f.sort_order = 0 THEN 'rejected' ELSE 'uploaded' END
  ELSE 'empty' END AS status) s;

-- Enrolment documents open with the confirmation.
INSERT INTO documents (registration_id, track_file_id, name, stage, required, accepted_types, max_mb, may_defer, status,
  reviewed_at,
  reviewed_by, sort_order)
SELECT p.registration_id, f.id, f.name, f.stage, f.required, f.accepted_types, f.max_mb, f.may_defer,
  CASE WHEN f.required AND p.papers_at IS NOT NULL THEN 'approved' ELSE 'empty' END,
  CASE WHEN f.required THEN p.papers_at END, CASE WHEN f.required AND p.papers_at IS NOT NULL THEN p.reviewer_id END, f.sort_order
FROM demo_people p
JOIN track_files f ON f.track_id = p.track_id AND f.stage = 'enrolment'
WHERE p.reached IN ('confirmed', 'enrolled');

-- A closed registration keeps its paid bills; its unpaid ones are cancelled.
DROP TABLE IF EXISTS pg_temp.demo_bills;
CREATE TEMP TABLE demo_bills ON COMMIT DROP AS
SELECT p.n, p.bill_id, 'registration_fee' AS kind, 'INV-DEMO-' || pg_temp.demo_digits(p.n, 6) AS number,
  p.fee - coalesce(d.amount, 0) AS total, CASE WHEN p.reached = 'submitted' AND p.fee > 0 THEN 0
    ELSE p.fee - coalesce(d.amount, 0) END AS paid,
  p.fee_due_at AS due_at, p.submitted_at AS issued_at, CASE WHEN p.reached <> 'submitted' OR p.fee = 0 THEN coalesce(p.paid_at,
    p.submitted_at) END AS paid_at
FROM demo_people p LEFT JOIN (SELECT n, sum(amount)::bigint AS amount FROM demo_discounts WHERE NOT of_tuition
  GROUP BY 1) d USING (n)
WHERE p.reached <> 'draft';

-- Instalments are shares of the total; the last one is the rest.
DROP TABLE IF EXISTS pg_temp.demo_tuition;
CREATE TEMP TABLE demo_tuition ON COMMIT DROP AS
SELECT p.n, pg_temp.demo_uuid('demo-tuition-' || p.n) AS bill_id, t.total - coalesce(d.amount, 0) AS total
FROM demo_people p
JOIN (SELECT wave_id, programme_id, class_programme_id, sum(amount)::bigint AS total FROM tuition_fees WHERE track_id IS NULL
  GROUP BY 1, 2, 3) t USING (wave_id, programme_id, class_programme_id)
LEFT JOIN (SELECT n, sum(amount)::bigint AS amount FROM demo_discounts WHERE of_tuition GROUP BY 1) d USING (n)
WHERE p.reached IN ('confirmed', 'enrolled');
DROP TABLE IF EXISTS pg_temp.demo_installments;
CREATE TEMP TABLE demo_installments ON COMMIT DROP AS
SELECT i.n, t.bill_id, pg_temp.demo_uuid('demo-installment-' || i.n || '-' || i.position) AS id, i.position, i.due_at, i.paid_at,
  CASE WHEN i.position < i.many THEN i.part ELSE t.total - coalesce(i.earlier, 0) END AS amount
FROM (SELECT s.*, count(*) OVER (PARTITION BY n) AS many,
    sum(part) OVER (PARTITION BY n ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)::bigint AS earlier
  FROM (SELECT m.*, t.total * m.share_bps / 10000 AS part FROM demo_terms m JOIN demo_tuition t USING (n)) s) i
JOIN demo_tuition t USING (n);
ANALYZE demo_tuition, demo_installments;
INSERT INTO demo_bills
SELECT p.n, t.bill_id, 're_registration', 'INV-DEMO-R' || pg_temp.demo_digits(p.n, 6), t.total, i.paid, i.due_at,
  p.tuition_issued_at,
  CASE WHEN i.paid = t.total THEN i.paid_at END
FROM demo_people p JOIN demo_tuition t USING (n)
JOIN (SELECT n, coalesce(sum(amount) FILTER (WHERE paid_at IS NOT NULL), 0)::bigint AS paid, min(due_at) AS due_at,
  max(paid_at) AS paid_at
  FROM demo_installments GROUP BY 1) i USING (n);

ANALYZE demo_bills;
INSERT INTO bills (id, number, registration_id, account_id, kind, status, total, issued_total, paid, due_at, issued_at, paid_at,
  installment_plan_id, closed_at)
SELECT b.bill_id, b.number, p.registration_id, p.account_id, b.kind, s.status, b.total, b.total, b.paid, b.due_at, b.issued_at,
  b.paid_at,
  CASE b.kind WHEN 're_registration' THEN (SELECT id FROM installment_plans WHERE code = p.plan_code) END,
  CASE s.status WHEN 'cancelled' THEN p.closed_at END
FROM demo_bills b JOIN demo_people p USING (n)
CROSS JOIN LATERAL (SELECT CASE WHEN b.paid_at IS NOT NULL THEN 'paid' WHEN p.closed_from IS NOT NULL THEN 'cancelled'
  WHEN b.paid > 0 THEN 'partly_paid' ELSE 'open' END AS status) s;
INSERT INTO bill_lines (bill_id, description, amount)
SELECT bill_id, 'Biaya pendaftaran', fee FROM demo_people WHERE reached <> 'draft';
INSERT INTO bill_lines (bill_id, fee_component_id, description, amount, sort_order)
SELECT d.bill_id, c.id, c.name, t.amount, c.allocation_priority
FROM demo_tuition d JOIN demo_people p USING (n)
JOIN tuition_fees t ON t.programme_id = p.programme_id AND t.wave_id = p.wave_id AND t.class_programme_id = p.class_programme_id
  AND t.track_id IS NULL
JOIN fee_components c ON c.id = t.fee_component_id;
INSERT INTO bill_lines (bill_id, fee_component_id, description, amount, sort_order, discount_id)
SELECT CASE WHEN d.of_tuition THEN pg_temp.demo_uuid('demo-tuition-' || d.n) ELSE p.bill_id END, d.component_id, d.name,
  -d.amount, 90,
  d.discount_id
FROM demo_discounts d JOIN demo_people p USING (n);
INSERT INTO installments (id, bill_id, position, amount, paid, due_at, paid_at)
SELECT id, bill_id, position, amount, CASE WHEN paid_at IS NULL THEN 0 ELSE amount END, due_at, paid_at FROM demo_installments;

DROP TABLE IF EXISTS pg_temp.demo_paid;
CREATE TEMP TABLE demo_paid ON COMMIT DROP AS
SELECT paid.*, p.account_id, p.bank, p.channel, pg_temp.demo_uuid('demo-payment-' || key) AS payment_id,
  pg_temp.demo_uuid('demo-va-' || key) AS virtual_account_id, prefix || pg_temp.demo_digits(n, 10) AS number FROM (
SELECT b.n, b.bill_id, NULL::uuid AS installment_id, b.total AS amount, b.paid_at AS at, '880019' AS prefix,
  b.bill_id::text AS key
FROM demo_bills b WHERE b.kind = 'registration_fee' AND b.paid > 0
UNION ALL
-- Numbers of later instalments differ in one digit.
SELECT n, bill_id, id, amount, paid_at, '88002' || 10 - position, bill_id || CASE WHEN position > 1 THEN '-' || position
  ELSE '' END
FROM demo_installments WHERE paid_at IS NOT NULL
) paid JOIN demo_people p USING (n);
ANALYZE demo_paid;
INSERT INTO virtual_accounts (id, bill_id, installment_id, provider, bank, number, amount, received, status, expires_at,
  created_at, closed_at)
SELECT virtual_account_id, bill_id, installment_id, 'sandbox', bank, number, amount,
  CASE current_setting('pmb.triggers') WHEN 'off' THEN amount ELSE 0 END, 'paid', at + interval '1 day', at - interval '1 hour',
    at
FROM demo_paid;
-- Receipts are numbered in order of payment, from the same yearly counters as real receipts.
DROP TABLE IF EXISTS pg_temp.demo_receipts;
CREATE TEMP TABLE demo_receipts ON COMMIT DROP AS
SELECT payment_id, y.year, coalesce(c.value, 0) + row_number() OVER (PARTITION BY y.year ORDER BY at, payment_id) AS seq
FROM demo_paid CROSS JOIN LATERAL to_char(at AT TIME ZONE 'Asia/Jakarta', 'YYYY') AS y (year)
LEFT JOIN number_counters c ON c.kind = 'receipt' AND c.scope = y.year;
ANALYZE demo_receipts;
INSERT INTO number_counters (kind, scope, value) SELECT 'receipt', year, max(seq) FROM demo_receipts GROUP BY year
ON CONFLICT (kind, scope) DO UPDATE SET value = EXCLUDED.value;
INSERT INTO payments (id, provider, provider_reference, virtual_account_id, virtual_account_number, bill_id, account_id, amount,
  status, receipt_number, channel, paid_at, received_at, found_by_asking)
SELECT payment_id, 'sandbox', 'DEMO-' || key, virtual_account_id, number, bill_id, account_id, amount, 'allocated',
  'KW-' || year || '-' || pg_temp.demo_digits(seq, 6), channel, at, at, true
FROM demo_paid JOIN demo_receipts USING (payment_id);
INSERT INTO payment_sightings (payment_id, seen_at)
SELECT payment_id, at FROM demo_paid ON CONFLICT DO NOTHING;
INSERT INTO allocations (id, payment_id, bill_id, installment_id, amount, created_at)
SELECT pg_temp.demo_uuid('demo-allocation-' || payment_id), payment_id, bill_id, installment_id, amount, at FROM demo_paid;
INSERT INTO commission_due (registration_id)
SELECT p.registration_id FROM demo_paid JOIN demo_people p USING (n)
WHERE p.referral_code IS NOT NULL AND current_setting('pmb.triggers') = 'off';

INSERT INTO discount_uses (discount_id, voucher_id, school_agreement_id, registration_id, bill_id, amount, taken_at, released_at)
SELECT d.discount_id, d.voucher_id, d.school_agreement_id, p.registration_id, b.id, d.amount, d.taken_at,
  CASE b.status WHEN 'cancelled' THEN p.closed_at END
FROM demo_discounts d JOIN demo_people p USING (n)
JOIN bills b ON b.id = CASE WHEN d.of_tuition THEN pg_temp.demo_uuid('demo-tuition-' || d.n) ELSE p.bill_id END;
UPDATE discounts d SET uses = (SELECT count(*) FROM discount_uses u WHERE u.discount_id = d.id AND u.released_at IS NULL)
WHERE id IN (SELECT discount_id FROM demo_discounts);
UPDATE vouchers v SET uses = (SELECT count(*) FROM discount_uses u WHERE u.voucher_id = v.id AND u.released_at IS NULL)
WHERE id IN (SELECT voucher_id FROM demo_discounts);
UPDATE school_agreements a SET uses = (SELECT count(*) FROM discount_uses u WHERE u.school_agreement_id = a.id
  AND u.released_at IS NULL)
WHERE id IN (SELECT school_agreement_id FROM demo_discounts);

-- Seats in the wave's sessions, up to the capacity of each.
INSERT INTO test_seats (test_session_id, registration_id, status, booked_at, created_at)
SELECT test_session_id, registration_id, seat_status, at, at FROM (
  SELECT s.id AS test_session_id, p.registration_id, p.seat_status, p.paid_at + interval '1 hour' AS at, s.capacity,
    row_number() OVER (PARTITION BY s.id ORDER BY p.n) AS place,
    coalesce((SELECT taken FROM test_session_seats t WHERE t.test_session_id = s.id), 0) AS taken
  FROM demo_people p
  JOIN (SELECT id, wave_id, capacity, row_number() OVER (PARTITION BY wave_id ORDER BY name) - 1 AS place FROM test_sessions) s
    ON s.wave_id = p.wave_id AND s.place = p.seat_place
) drawn WHERE place + taken <= capacity;
-- Triggers look up earlier versions of every score; with outdated statistics they would read the whole table.
ANALYZE test_seats, test_score_versions;
UPDATE test_session_seats c SET taken = s.taken
FROM (SELECT test_session_id, count(*) AS taken FROM test_seats WHERE status <> 'released' GROUP BY 1) s
WHERE s.test_session_id = c.test_session_id;
UPDATE registrations r SET tested_at = CASE WHEN p.of_season THEN (e.date + e.start_time) AT TIME ZONE 'Asia/Jakarta'
  ELSE r.paid_at + interval '1 day' END
FROM demo_people p JOIN test_seats s ON s.registration_id = p.registration_id AND s.status = 'attended'
JOIN test_sessions e ON e.id = s.test_session_id
WHERE r.id = p.registration_id AND r.tested_at IS NULL;
INSERT INTO test_scores (registration_id, test_id, score, recorded_at)
SELECT p.registration_id, t.id, CASE t.code WHEN 'TPA' THEN p.score ELSE p.interview_score END,
  CASE WHEN p.of_season THEN r.tested_at + interval '5 hours' ELSE p.now END
FROM demo_people p JOIN test_seats s ON s.registration_id = p.registration_id AND s.status = 'attended'
JOIN registrations r ON r.id = p.registration_id CROSS JOIN tests t
WHERE t.code IN ('TPA', 'WWC')
  -- Scores of the selection's candidates come from a file.
  AND NOT (p.of_season AND p.wave_code = 'G1' AND r.status = 'verified' AND t.code = 'TPA');
INSERT INTO test_score_versions (registration_id, test_id, version, score, parts, recorded_at)
SELECT s.registration_id, s.test_id, s.version, s.score, s.parts, s.recorded_at
FROM demo_people p JOIN test_scores s USING (registration_id)
ON CONFLICT DO NOTHING;

-- Students of a season are numbered in order of enrolment, from the counters of real students.
INSERT INTO students (registration_id, account_id, programme_id, npm, number_scope, number_value, issued_at)
SELECT registration_id, account_id, programme_id, start || '9' || pg_temp.demo_digits(running + coalesce(taken, 0), 5), NULL,
  NULL,
  now - interval '1 day'
FROM (SELECT p.*, substr(academic_year, 3, 2) || npm_code AS start, row_number() OVER (PARTITION BY programme_id
  ORDER BY n) AS running
  FROM demo_people p JOIN study_programmes sp ON sp.id = p.programme_id WHERE NOT of_season AND enrolled_at IS NOT NULL) p
LEFT JOIN (SELECT programme_id, count(*) AS taken FROM students WHERE number_scope IS NULL GROUP BY 1) s USING (programme_id)
UNION ALL
SELECT registration_id, account_id, programme_id, start || pg_temp.demo_digits(running + coalesce(c.value, 0), 4), start || '#',
  running + coalesce(c.value, 0), enrolled_at
FROM (SELECT p.*, substr(academic_year, 3, 2) || npm_code AS start,
    row_number() OVER (PARTITION BY programme_id, academic_year ORDER BY enrolled_at, n) AS running
  FROM demo_people p JOIN study_programmes sp ON sp.id = p.programme_id WHERE of_season AND enrolled_at IS NOT NULL) p
LEFT JOIN number_counters c ON c.kind = 'student' AND c.scope = p.start || '#';
INSERT INTO number_counters (kind, scope, value)
SELECT 'student', number_scope, max(number_value) FROM students WHERE number_scope IS NOT NULL GROUP BY 2
ON CONFLICT (kind, scope) DO UPDATE SET value = greatest(number_counters.value, EXCLUDED.value);

INSERT INTO result_publications (wave_id, track_id, publish_at, announced_at)
SELECT w.id, t.id, current_setting('pmb.now')::timestamptz - interval '3 days',
  current_setting('pmb.now')::timestamptz - interval '3 days'
FROM waves w CROSS JOIN tracks t WHERE w.code = 'G1' AND t.code IN ('REG', 'PRES', 'BEA', 'PIN')
ON CONFLICT DO NOTHING;

INSERT INTO messages (account_id, channel, event, language, subject, body, status, created_at, sent_at)
SELECT account_id, 'inbox', 'demo.welcome', 'id', 'Selamat datang di PMB Online', 'Ini akun contoh. Datanya rekaan.', 'sent',
  created_at, created_at
FROM demo_people;

INSERT INTO registration_steps (registration_id, step, at)
SELECT k.registration_id, k.step, k.at FROM demo_people p JOIN standing_registration_steps k USING (registration_id);
