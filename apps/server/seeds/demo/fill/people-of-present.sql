-- Invents applicants pmb.from … pmb.from + pmb.count - 1 of both waves around now, in every status: who they are, how
-- far they came and when. rows.sql writes the rows that follow from this.
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
       JOIN waves w ON w.id = d.wave_id AND w.code = 'G1' JOIN class_programmes c ON c.id = d.class_programme_id
         AND c.code = 'PAGI') AS programmes,
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
), who AS (
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
    CASE WHEN state IN ('accepted', 'confirmed', 'enrolled') THEN 'accepted' WHEN state = 'not_accepted'
      THEN 'not_accepted' END AS decision,
    -- Stage up to which bill, documents and seat exist; a closed registration keeps those of its earlier status.
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
  JOIN registration_fees f ON f.wave_id = w.id AND f.track_id IS NULL AND f.entry_level_id IS NULL
    AND f.class_programme_id IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = pg_temp.demo_uuid('demo-account-' || n))
)
SELECT who.*, false AS of_season,
  date '2006-01-01' AS born_from, extract(year FROM now)::int AS graduation_year, NULL::uuid AS ethnic_group_id,
  NULL::text AS referral_code, (ARRAY['S','M','L','XL'])[1 + n % 4] AS clothes_size,
  CASE WHEN asks_donation AND reached <> 'draft' THEN 500000 * (n % 3) END AS donation_amount,
  CASE WHEN state IN ('withdrawn', 'cancelled', 'expired') THEN reached END AS closed_from,
  CASE WHEN decision = 'not_accepted' THEN 'Nilai tes belum mencapai batas kelulusan.' END AS decision_reason,
  CASE WHEN reached IN ('confirmed', 'enrolled') THEN 'CICIL3' END AS plan_code,
  CASE WHEN reached <> 'draft' THEN created_at + interval '2 hours' END AS submitted_at,
  CASE WHEN reached IN ('paid', 'verified', 'decided', 'confirmed', 'enrolled') THEN created_at
    + interval '5 hours' END AS paid_at,
  created_at + interval '8 hours' AS uploaded_at, created_at + interval '1 day' AS reviewed_at, NULL::uuid AS reviewer_id,
  CASE WHEN reached IN ('verified', 'decided', 'confirmed', 'enrolled') THEN created_at + interval '1 day' END AS verified_at,
  CASE WHEN reached IN ('decided', 'confirmed', 'enrolled') THEN greatest(now - interval '4 days', created_at
    + interval '26 hours') END AS decided_at,
  CASE WHEN reached IN ('confirmed', 'enrolled') THEN greatest(now - interval '2 days', created_at
    + interval '28 hours') END AS confirmed_at,
  CASE WHEN reached = 'enrolled' THEN greatest(now - interval '1 day', created_at + interval '30 hours') END AS enrolled_at,
  CASE WHEN state IN ('withdrawn', 'cancelled', 'expired') THEN least(created_at + interval '8 days',
    now - interval '1 hour') END AS closed_at,
  -- Half of the students have approved enrolment documents.
  CASE WHEN reached = 'enrolled' AND n % 2 = 0 THEN now END AS papers_at,
  -- Position of the test session within its wave, and the state of the seat.
  CASE WHEN has_test AND reached IN ('paid', 'verified', 'decided', 'confirmed', 'enrolled') AND (wave_code = 'G1' OR n % 5 < 3)
    THEN n % 3 END AS seat_place,
  CASE WHEN wave_code = 'G1' THEN 'attended' ELSE 'booked' END AS seat_status,
  CASE WHEN decision = 'not_accepted' THEN 30 + n % 20 ELSE 60 + n % 40 END::numeric AS score,
  CASE WHEN decision = 'not_accepted' THEN 30 + n % 20 ELSE 60 + n % 40 END::numeric AS interview_score,
  'sandbox-a' AS bank, 'mobile' AS channel,
  (date_trunc('day', now AT TIME ZONE 'Asia/Jakarta') + interval '7 days 23:59') AT TIME ZONE 'Asia/Jakarta' AS fee_due_at,
  now - interval '2 days' AS tuition_issued_at
FROM who;
CREATE INDEX ON demo_people (n);
ANALYZE demo_people (n, account_id, registration_id, state, reached, wave_id, track_id, programme_id);


-- No discounts on their bills.
DROP TABLE IF EXISTS pg_temp.demo_discounts;
CREATE TEMP TABLE demo_discounts (n int, of_tuition boolean, discount_id uuid, voucher_id uuid, school_agreement_id uuid,
  component_id uuid, name text, amount bigint, taken_at timestamptz) ON COMMIT DROP;

-- Instalments of re-registration: enrolled applicants paid the first one on the evening of the day before yesterday.
DROP TABLE IF EXISTS pg_temp.demo_terms;
CREATE TEMP TABLE demo_terms ON COMMIT DROP AS
SELECT n, position, share_bps,
  (date_trunc('day', now AT TIME ZONE 'Asia/Jakarta') + interval '1 day' * days
    + interval '23:59') AT TIME ZONE 'Asia/Jakarta' AS due_at,
  CASE WHEN position = 1 AND reached = 'enrolled' THEN now - interval '1 day' - interval '1 minute' * (n
    * 37 % 900) END AS paid_at
FROM demo_people CROSS JOIN (VALUES (1, 5000, 12), (2, 2500, 73), (3, 2500, 133)) i (position, share_bps, days)
WHERE reached IN ('confirmed', 'enrolled');
