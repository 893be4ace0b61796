-- Fills the demo university with invented applicants numbered pmb.from … pmb.from + pmb.count - 1, in every status, with
-- their documents, bills, payments, seats and scores. Their codes (27G1D000001) and bill numbers (INV-DEMO-000001) have a
-- form that the counters of real ones never reach; from number 1,000,000 on they are longer. Parameters are settings of the
-- transaction (pmb.*), because a script of several statements takes no bind parameters. The script writes every derived
-- column, so that a large fill gets the same rows without the triggers; pmb.triggers says whether they run.

-- Makes the same id from the same name each time, in the form of a random UUID (version 4).
CREATE OR REPLACE FUNCTION pg_temp.demo_uuid(name text) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT overlay(overlay(md5(name) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid $$;

-- Writes a number with at least as many digits as given; lpad alone cuts a longer number off.
CREATE OR REPLACE FUNCTION pg_temp.demo_digits(number bigint, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT lpad(number::text, greatest(digits, length(number::text)), '0') $$;

DROP TABLE IF EXISTS pg_temp.demo_people;
CREATE TEMP TABLE demo_people ON COMMIT DROP AS
WITH given AS (
  SELECT current_setting('pmb.from')::int AS first, current_setting('pmb.count')::int AS many,
         current_setting('pmb.now')::timestamptz AS now
), lists AS MATERIALIZED (
  SELECT
    ARRAY['Ayu','Bima','Citra','Dewi','Eka','Fajar','Gita','Hadi','Indah','Joko','Kartika','Lestari','Made','Nanda','Oka',
          'Putri','Rizky','Sari','Teguh','Utami','Vina','Wahyu','Yoga','Zahra'] AS first_names,
    ARRAY['Percontohan','Contoh','Teladan','Peraga','Rekaan','Khayali','Misalnya','Umpama','Demo','Simulasi','Uji','Coba'] AS last_names,
    ARRAY['paid','verified','verified','accepted','accepted','accepted','not_accepted','not_accepted','confirmed','confirmed',
          'enrolled','enrolled','enrolled','enrolled','enrolled','enrolled','withdrawn','cancelled','expired','verified'] AS first_wave,
    ARRAY['draft','draft','draft','submitted','submitted','submitted','submitted','paid','paid','paid',
          'paid','paid','verified','verified','verified','verified','withdrawn','draft','submitted','paid'] AS second_wave,
    (SELECT array_agg(p.id ORDER BY p.npm_code) FROM study_programmes p JOIN programme_details d ON d.programme_id = p.id
       JOIN waves w ON w.id = d.wave_id AND w.code = 'G1' JOIN class_programmes c ON c.id = d.class_programme_id AND c.code = 'PAGI') AS programmes,
    (SELECT array_agg(id ORDER BY code) FROM tracks WHERE code IN ('REG', 'PRES', 'BEA', 'PIN')) AS tracks,
    (SELECT array_agg(code ORDER BY code) FROM tracks WHERE code IN ('REG', 'PRES', 'BEA', 'PIN')) AS track_codes,
    (SELECT array_agg(id) FROM (SELECT id FROM villages ORDER BY md5(code) LIMIT 2000) v) AS villages,
    (SELECT array_agg(id) FROM (SELECT id FROM schools ORDER BY md5(npsn) LIMIT 2000) s) AS schools,
    (SELECT array_agg(id ORDER BY code) FROM religions) AS religions,
    (SELECT array_agg(id ORDER BY code) FROM class_programmes WHERE code IN ('PAGI', 'MALAM')) AS classes
), drawn AS (
  SELECT n,
    CASE WHEN n % 3 = 0 THEN 'G2' ELSE 'G1' END AS wave_code,
    CASE WHEN n % 3 = 0 THEN second_wave[1 + (n / 3) % 20] ELSE first_wave[1 + (n / 3 * 2 + n % 3) % 20] END AS state,
    CASE (n * 13) % 10 WHEN 6 THEN 2 WHEN 7 THEN 2 WHEN 8 THEN 1 WHEN 9 THEN 3 ELSE 4 END AS track_place,
    1 + (n * 7) % cardinality(programmes) AS programme_place,
    lists.*, given.now
  FROM given CROSS JOIN lists, LATERAL generate_series(first, first + many - 1) n
)
SELECT n,
  pg_temp.demo_uuid('demo-account-' || n) AS account_id,
  pg_temp.demo_uuid('demo-applicant-' || n) AS applicant_id,
  pg_temp.demo_uuid('demo-registration-' || n) AS registration_id,
  pg_temp.demo_uuid('demo-bill-' || n) AS bill_id,
  first_names[1 + n % 24] || ' ' || last_names[1 + (n / 24) % 12] || ' ' || n AS full_name,
  substr(w.academic_year, 3, 2) || w.code || 'D' || pg_temp.demo_digits(n, 6) AS code,
  '+62812' || pg_temp.demo_digits(n, 8) AS phone,
  state,
  CASE WHEN state IN ('accepted', 'not_accepted') THEN 'decided' ELSE state END AS status,
  CASE WHEN state IN ('accepted', 'confirmed', 'enrolled') THEN 'accepted' WHEN state = 'not_accepted' THEN 'not_accepted' END AS decision,
  -- The stage up to which bill, documents and seat exist; a closed registration keeps those of its earlier status.
  CASE state WHEN 'withdrawn' THEN 'submitted' WHEN 'cancelled' THEN 'paid' WHEN 'expired' THEN 'draft'
    WHEN 'accepted' THEN 'decided' WHEN 'not_accepted' THEN 'decided' ELSE state END AS reached,
  w.id AS wave_id, w.code AS wave_code, w.academic_year,
  tracks[track_place] AS track_id, track_codes[track_place] AS track_code,
  t.has_test, t.free_of_fee, t.asks_donation,
  classes[CASE WHEN n % 6 = 0 THEN 1 ELSE 2 END] AS class_programme_id,
  programmes[programme_place] AS programme_id,
  CASE WHEN t.max_choices > 1 THEN programmes[1 + (programme_place + 2) % cardinality(programmes)] END AS second_programme_id,
  villages[1 + n % cardinality(villages)] AS village_id,
  schools[1 + (n * 11) % greatest(cardinality(schools), 1)] AS school_id,
  religions[1 + n % cardinality(religions)] AS religion_id,
  CASE WHEN w.code = 'G1' THEN now - interval '99 days' + interval '1 minute' * ((n::bigint * 7919) % 127000)
       ELSE now - interval '9 days' + interval '1 minute' * ((n::bigint * 7919) % 11000) END AS created_at,
  CASE WHEN t.free_of_fee THEN 0 ELSE f.amount END AS fee,
  now
FROM drawn
JOIN waves w ON w.code = wave_code
JOIN tracks t ON t.id = tracks[track_place]
JOIN registration_fees f ON f.wave_id = w.id AND f.track_id IS NULL AND f.entry_level_id IS NULL AND f.class_programme_id IS NULL
WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = pg_temp.demo_uuid('demo-account-' || n));
CREATE INDEX ON demo_people (n);
ANALYZE demo_people (n, account_id, registration_id, state, reached, wave_id, track_id, programme_id);

INSERT INTO accounts (id, name, email, email_verified_at, phone, password_hash, role_id, language, consent_version, consent_at, created_at)
SELECT account_id, full_name, 'camaba' || n || '@demo.test', created_at, phone, current_setting('pmb.password_hash'),
  (SELECT id FROM roles WHERE name = 'Mahasiswa'), 'id', '2026-1', created_at, created_at - interval '1 hour'
FROM demo_people;
INSERT INTO account_visits (account_id) SELECT account_id FROM demo_people ON CONFLICT DO NOTHING;

INSERT INTO applicants (id, account_id, full_name, birth_place, birth_date, gender, nik, nisn, religion_id, phone, mother_name,
  province_id, city_id, district_id, village_id, address, rt, rw, postal_code, last_education, school_id, school_type_id,
  school_major_id, graduation_year, clothes_size, created_at, updated_at)
SELECT p.applicant_id, p.account_id, p.full_name, c.name, b.birth_date, b.gender,
  -- No region has code 99, so no NIK here is a real one. The NIK of a woman holds her day of birth plus 40.
  '99' || lpad((p.n / 10000)::text, 4, '0')
    || lpad((extract(day FROM b.birth_date)::int + CASE b.gender WHEN 'female' THEN 40 ELSE 0 END)::text, 2, '0')
    || to_char(b.birth_date, 'MMYY') || lpad((p.n % 10000)::text, 4, '0'),
  right(extract(year FROM b.birth_date)::text, 3) || lpad(p.n::text, 7, '0'),
  p.religion_id, p.phone, 'Ibu ' || p.full_name, c.province_id, c.id, d.id, v.id,
  'Jalan Rekaan No. ' || (1 + p.n % 200), lpad((1 + p.n % 12)::text, 3, '0'), lpad((1 + p.n % 9)::text, 3, '0'), '10000', 'sma',
  s.id, s.school_type_id, m.id,
  extract(year FROM p.now)::int, (ARRAY['S','M','L','XL'])[1 + p.n % 4], p.created_at, p.created_at
FROM demo_people p
CROSS JOIN LATERAL (SELECT date '2006-01-01' + (p.n * 17) % 900 AS birth_date,
  CASE WHEN p.n % 2 = 0 THEN 'female' ELSE 'male' END AS gender) b
JOIN villages v ON v.id = p.village_id JOIN districts d ON d.id = v.district_id JOIN cities c ON c.id = d.city_id
LEFT JOIN schools s ON s.id = p.school_id
LEFT JOIN (SELECT DISTINCT ON (school_type_id) school_type_id, id FROM school_majors ORDER BY school_type_id, name) m
  ON m.school_type_id = s.school_type_id;

INSERT INTO registrations (id, code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id, programme_id,
  donation_amount, status, closed_from, documents_state, decision, accepted_programme_id, decision_reason, installment_plan_id,
  submitted_at, paid_at, verified_at, decided_at, confirmed_at, enrolled_at, closed_at, created_at, updated_at, search_text,
  search_phone)
SELECT registration_id, code, applicant_id, account_id, wave_id, track_id,
  (SELECT id FROM entry_levels WHERE code = 'BARU'), class_programme_id, programme_id,
  CASE WHEN asks_donation AND reached <> 'draft' THEN 500000 * (n % 3) END, status,
  CASE WHEN state IN ('withdrawn', 'cancelled', 'expired') THEN reached END,
  CASE WHEN reached IN ('verified', 'decided', 'confirmed', 'enrolled') THEN 'complete'
       WHEN reached = 'paid' THEN (ARRAY['to_review', 'missing', 'rejected'])[1 + n % 3] ELSE 'missing' END,
  decision, CASE WHEN decision = 'accepted' THEN programme_id END,
  CASE WHEN decision = 'not_accepted' THEN 'Nilai tes belum mencapai batas kelulusan.' END,
  CASE WHEN reached IN ('confirmed', 'enrolled') THEN (SELECT id FROM installment_plans WHERE code = 'CICIL3') END,
  CASE WHEN reached <> 'draft' THEN created_at + interval '2 hours' END,
  CASE WHEN reached IN ('paid', 'verified', 'decided', 'confirmed', 'enrolled') THEN created_at + interval '5 hours' END,
  CASE WHEN reached IN ('verified', 'decided', 'confirmed', 'enrolled') THEN created_at + interval '1 day' END,
  CASE WHEN reached IN ('decided', 'confirmed', 'enrolled') THEN greatest(now - interval '4 days', created_at + interval '26 hours') END,
  CASE WHEN reached IN ('confirmed', 'enrolled') THEN greatest(now - interval '2 days', created_at + interval '28 hours') END,
  CASE WHEN reached = 'enrolled' THEN greatest(now - interval '1 day', created_at + interval '30 hours') END,
  CASE WHEN state IN ('withdrawn', 'cancelled', 'expired') THEN least(created_at + interval '8 days', now - interval '1 hour') END,
  created_at, created_at, lower(concat_ws(' ', full_name, code)), phone
FROM demo_people;

INSERT INTO registration_choices (registration_id, position, programme_id)
SELECT registration_id, 1, programme_id FROM demo_people
UNION ALL SELECT registration_id, 2, second_programme_id FROM demo_people WHERE second_programme_id IS NOT NULL;

INSERT INTO documents (registration_id, track_file_id, name, required, accepted_types, max_mb, may_defer, status, uploaded_at, reviewed_at,
  reject_reason, sort_order)
SELECT p.registration_id, f.id, f.name, f.required, f.accepted_types, f.max_mb, f.may_defer,
  CASE WHEN NOT f.required THEN 'empty' ELSE s.status END,
  CASE WHEN f.required AND s.status <> 'empty' THEN p.created_at + interval '8 hours' END,
  CASE WHEN f.required AND s.status IN ('approved', 'rejected') THEN p.created_at + interval '1 day' END,
  CASE WHEN f.required AND s.status = 'rejected' THEN 'Foto buram, unggah ulang yang terbaca.' END, f.sort_order
FROM demo_people p
JOIN track_files f ON f.track_id = p.track_id AND f.stage = 'registration'
CROSS JOIN LATERAL (SELECT CASE
  WHEN p.reached IN ('verified', 'decided', 'confirmed', 'enrolled') THEN 'approved'
  WHEN p.reached = 'paid' AND p.n % 3 = 0 THEN 'uploaded'
  WHEN p.reached = 'paid' AND p.n % 3 = 2 THEN CASE WHEN f.sort_order = 0 THEN 'rejected' ELSE 'uploaded' END
  ELSE 'empty' END AS status) s;

-- Documents to enrol open with the confirmation; half of the students had theirs approved.
INSERT INTO documents (registration_id, track_file_id, name, stage, required, accepted_types, max_mb, may_defer, status, reviewed_at,
  sort_order)
SELECT p.registration_id, f.id, f.name, f.stage, f.required, f.accepted_types, f.max_mb, f.may_defer,
  CASE WHEN f.required AND p.reached = 'enrolled' AND p.n % 2 = 0 THEN 'approved' ELSE 'empty' END,
  CASE WHEN f.required AND p.reached = 'enrolled' AND p.n % 2 = 0 THEN now END, f.sort_order
FROM demo_people p
JOIN track_files f ON f.track_id = p.track_id AND f.stage = 'enrolment'
WHERE p.reached IN ('confirmed', 'enrolled');

INSERT INTO bills (id, number, registration_id, account_id, kind, status, total, issued_total, paid, due_at, issued_at, paid_at)
SELECT bill_id, 'INV-DEMO-' || pg_temp.demo_digits(n, 6), registration_id, account_id, 'registration_fee',
  CASE WHEN reached <> 'submitted' OR fee = 0 THEN 'paid' WHEN state = 'withdrawn' THEN 'cancelled' ELSE 'open' END,
  fee, fee, CASE WHEN reached = 'submitted' THEN 0 ELSE fee END,
  (date_trunc('day', now AT TIME ZONE 'Asia/Jakarta') + interval '7 days 23:59') AT TIME ZONE 'Asia/Jakarta', created_at + interval '2 hours',
  CASE WHEN reached <> 'submitted' OR fee = 0 THEN created_at + interval '5 hours' END
FROM demo_people WHERE reached <> 'draft';
INSERT INTO bill_lines (bill_id, description, amount)
SELECT bill_id, 'Biaya pendaftaran', fee FROM demo_people WHERE reached <> 'draft';

-- The first instalment of enrolled applicants is paid, that of confirmed applicants is open.
DROP TABLE IF EXISTS pg_temp.demo_tuition;
CREATE TEMP TABLE demo_tuition ON COMMIT DROP AS
SELECT p.n, p.registration_id, p.account_id, pg_temp.demo_uuid('demo-tuition-' || p.n) AS bill_id, p.reached, p.now, sum(t.amount)::bigint AS total
FROM demo_people p
JOIN tuition_fees t ON t.programme_id = p.programme_id AND t.wave_id = p.wave_id AND t.class_programme_id = p.class_programme_id AND t.track_id IS NULL
WHERE p.reached IN ('confirmed', 'enrolled') GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO bills (id, number, registration_id, account_id, kind, status, total, issued_total, paid, due_at, issued_at, installment_plan_id)
SELECT bill_id, 'INV-DEMO-R' || pg_temp.demo_digits(n, 6), registration_id, account_id, 're_registration',
  CASE reached WHEN 'enrolled' THEN 'partly_paid' ELSE 'open' END, total, total, CASE reached WHEN 'enrolled' THEN total / 2 ELSE 0 END,
  (date_trunc('day', now AT TIME ZONE 'Asia/Jakarta') + interval '12 days 23:59') AT TIME ZONE 'Asia/Jakarta', now - interval '2 days', (SELECT id FROM installment_plans WHERE code = 'CICIL3')
FROM demo_tuition;
INSERT INTO bill_lines (bill_id, fee_component_id, description, amount, sort_order)
SELECT d.bill_id, c.id, c.name, t.amount, c.allocation_priority
FROM demo_tuition d JOIN demo_people p USING (n)
JOIN tuition_fees t ON t.programme_id = p.programme_id AND t.wave_id = p.wave_id AND t.class_programme_id = p.class_programme_id AND t.track_id IS NULL
JOIN fee_components c ON c.id = t.fee_component_id;
INSERT INTO installments (id, bill_id, position, amount, paid, due_at, paid_at)
SELECT pg_temp.demo_uuid('demo-installment-' || d.n || '-' || i.position), d.bill_id, i.position,
  CASE i.position WHEN 1 THEN d.total / 2 WHEN 2 THEN d.total / 4 ELSE d.total - d.total / 2 - d.total / 4 END,
  CASE WHEN i.position = 1 AND d.reached = 'enrolled' THEN d.total / 2 ELSE 0 END,
  (date_trunc('day', d.now AT TIME ZONE 'Asia/Jakarta') + interval '1 day' * i.days + interval '23:59') AT TIME ZONE 'Asia/Jakarta',
  CASE WHEN i.position = 1 AND d.reached = 'enrolled' THEN d.now - interval '1 day' END
FROM demo_tuition d CROSS JOIN (VALUES (1, 12), (2, 73), (3, 133)) i (position, days);

DROP TABLE IF EXISTS pg_temp.demo_paid;
CREATE TEMP TABLE demo_paid ON COMMIT DROP AS
SELECT *, pg_temp.demo_uuid('demo-payment-' || bill_id) AS payment_id, pg_temp.demo_uuid('demo-va-' || bill_id) AS virtual_account_id,
  prefix || '9' || pg_temp.demo_digits(n, 10) AS number FROM (
SELECT n, account_id, bill_id, NULL::uuid AS installment_id, fee AS amount, created_at + interval '5 hours' AS at, '88001' AS prefix
FROM demo_people WHERE reached IN ('paid', 'verified', 'decided', 'confirmed', 'enrolled') AND fee > 0
UNION ALL
SELECT n, account_id, bill_id, pg_temp.demo_uuid('demo-installment-' || n || '-1'), total / 2, now - interval '1 day', '88002'
FROM demo_tuition WHERE reached = 'enrolled'
) paid;
INSERT INTO virtual_accounts (id, bill_id, installment_id, provider, bank, number, amount, received, status, expires_at, created_at, closed_at)
SELECT virtual_account_id, bill_id, installment_id, 'sandbox', 'sandbox-a', number, amount,
  CASE current_setting('pmb.triggers') WHEN 'off' THEN amount ELSE 0 END, 'paid', at + interval '1 day', at - interval '1 hour', at
FROM demo_paid;
-- Receipts get numbers in order of payment, from the same counter per year as real receipts.
DROP TABLE IF EXISTS pg_temp.demo_receipts;
CREATE TEMP TABLE demo_receipts ON COMMIT DROP AS
SELECT bill_id, y.year, coalesce(c.value, 0) + row_number() OVER (PARTITION BY y.year ORDER BY at, bill_id) AS seq
FROM demo_paid CROSS JOIN LATERAL to_char(at AT TIME ZONE 'Asia/Jakarta', 'YYYY') AS y (year)
LEFT JOIN number_counters c ON c.kind = 'receipt' AND c.scope = y.year;
INSERT INTO number_counters (kind, scope, value) SELECT 'receipt', year, max(seq) FROM demo_receipts GROUP BY year
ON CONFLICT (kind, scope) DO UPDATE SET value = EXCLUDED.value;
INSERT INTO payments (id, provider, provider_reference, virtual_account_id, virtual_account_number, bill_id, account_id, amount,
  status, receipt_number, channel, paid_at, received_at, found_by_asking)
SELECT payment_id, 'sandbox', 'DEMO-' || bill_id, virtual_account_id, number, bill_id, account_id, amount, 'allocated',
  'KW-' || year || '-' || pg_temp.demo_digits(seq, 6), 'mobile', at, at, true
FROM demo_paid JOIN demo_receipts USING (bill_id);
INSERT INTO payment_sightings (payment_id, seen_at)
SELECT payment_id, at FROM demo_paid ON CONFLICT DO NOTHING;
INSERT INTO allocations (payment_id, bill_id, installment_id, amount, created_at)
SELECT payment_id, bill_id, installment_id, amount, at FROM demo_paid;

-- Seats in the three sessions of the wave, up to the capacity of each.
INSERT INTO test_seats (test_session_id, registration_id, status, booked_at, created_at)
SELECT test_session_id, registration_id, status, at, at FROM (
  SELECT s.id AS test_session_id, p.registration_id, CASE WHEN p.wave_code = 'G1' THEN 'attended' ELSE 'booked' END AS status,
    p.created_at + interval '6 hours' AS at, s.capacity, row_number() OVER (PARTITION BY s.id ORDER BY p.n) AS place,
    coalesce((SELECT taken FROM test_session_seats t WHERE t.test_session_id = s.id), 0) AS taken
  FROM demo_people p
  JOIN LATERAL (SELECT id, capacity, row_number() OVER (ORDER BY date, start_time) - 1 AS place FROM test_sessions WHERE wave_id = p.wave_id) s
    ON s.place = p.n % 3
  WHERE p.has_test AND p.reached IN ('paid', 'verified', 'decided', 'confirmed', 'enrolled')
    AND (p.wave_code = 'G1' OR p.n % 5 < 3)
) drawn WHERE place + taken <= capacity;
UPDATE test_session_seats c SET taken = s.taken
FROM (SELECT test_session_id, count(*) AS taken FROM test_seats WHERE status <> 'released' GROUP BY 1) s
WHERE s.test_session_id = c.test_session_id;
UPDATE registrations r SET tested_at = r.paid_at + interval '1 day'
FROM demo_people p JOIN test_seats s ON s.registration_id = p.registration_id AND s.status = 'attended'
WHERE r.id = p.registration_id AND r.tested_at IS NULL;
INSERT INTO test_scores (registration_id, test_id, score, recorded_at)
SELECT p.registration_id, t.id, CASE WHEN p.decision = 'not_accepted' THEN 30 + p.n % 20 ELSE 60 + p.n % 40 END, p.now
FROM demo_people p JOIN test_seats s ON s.registration_id = p.registration_id AND s.status = 'attended' CROSS JOIN tests t
WHERE t.code IN ('TPA', 'WWC');
INSERT INTO test_score_versions (registration_id, test_id, version, score, parts, recorded_at)
SELECT s.registration_id, s.test_id, s.version, s.score, s.parts, s.recorded_at
FROM demo_people p JOIN test_scores s USING (registration_id)
ON CONFLICT DO NOTHING;

INSERT INTO students (registration_id, account_id, programme_id, npm, issued_at)
SELECT registration_id, account_id, programme_id, substr(academic_year, 3, 2) || npm_code
    || '9' || pg_temp.demo_digits(row_number() OVER (PARTITION BY programme_id ORDER BY n) + coalesce(taken, 0), 5), now - interval '1 day'
FROM demo_people p JOIN study_programmes sp ON sp.id = p.programme_id
LEFT JOIN (SELECT programme_id, count(*) AS taken FROM students GROUP BY 1) s USING (programme_id)
WHERE p.reached = 'enrolled';

INSERT INTO result_publications (wave_id, track_id, publish_at, announced_at)
SELECT w.id, t.id, current_setting('pmb.now')::timestamptz - interval '3 days', current_setting('pmb.now')::timestamptz - interval '3 days'
FROM waves w CROSS JOIN tracks t WHERE w.code = 'G1' AND t.code IN ('REG', 'PRES', 'BEA', 'PIN')
ON CONFLICT DO NOTHING;

INSERT INTO messages (account_id, channel, event, language, subject, body, status, created_at, sent_at)
SELECT account_id, 'inbox', 'demo.welcome', 'id', 'Selamat datang di PMB Online', 'Ini akun contoh. Datanya rekaan.', 'sent', created_at, created_at
FROM demo_people;

INSERT INTO registration_steps (registration_id, step, at)
SELECT k.registration_id, k.step, k.at FROM demo_people p JOIN standing_registration_steps k USING (registration_id);
