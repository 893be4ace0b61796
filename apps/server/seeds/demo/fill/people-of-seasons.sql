-- Invents applicants of whole seasons up to now: who they are, how far they came and when; rows.sql writes the rows
-- that follow from this. pmb.waves is a list of {code, from, count, skippedSessions}: the wave, its applicants'
-- numbers, and how many of its test sessions are full. With pmb.detailed, a programme's places limit its offers, some
-- applicants came through an affiliate, and some get a discount that needs a second person.

-- Weight of each day of a wave: a quiet start, more towards the close, most on the last days, few at weekends.
DROP TABLE IF EXISTS pg_temp.demo_waves;
CREATE TEMP TABLE demo_waves ON COMMIT DROP AS
WITH given AS (
  SELECT w.*, g.from AS first, g.count AS many, g."skippedSessions" AS skipped_sessions, now,
    (w.opens_at AT TIME ZONE 'Asia/Jakarta')::date AS opens_on, (w.closes_at AT TIME ZONE 'Asia/Jakarta')::date AS closes_on,
    (least(w.closes_at, now) AT TIME ZONE 'Asia/Jakarta')::date AS last_on, substr(w.academic_year, 1, 4)::int AS year,
    (SELECT min(payment_due_at) FROM track_details d WHERE d.wave_id = w.id) AS payment_due_at,
    (SELECT amount FROM registration_fees f WHERE f.wave_id = w.id AND f.track_id IS NULL AND f.entry_level_id IS NULL
      AND f.class_programme_id IS NULL) AS fee,
    (SELECT count(*) FROM test_sessions s WHERE s.wave_id = w.id) AS sessions
  FROM jsonb_to_recordset(current_setting('pmb.waves')::jsonb) g (code text, "from" int, count int, "skippedSessions" int)
  JOIN waves w ON w.code = g.code CROSS JOIN (SELECT current_setting('pmb.now')::timestamptz AS now) n
), days AS (
  SELECT code, day, sum(weight) OVER (PARTITION BY code ORDER BY day) / sum(weight) OVER (PARTITION BY code) AS share
  FROM given CROSS JOIN LATERAL generate_series(0, last_on - opens_on) day, LATERAL (
    SELECT (0.3 + 0.6 * power(day / greatest(closes_on - opens_on, 1)::float8, 2) + 0.9 * exp(-day / 1.5)
        + 3.2 * exp(-(closes_on - opens_on - day) / 1.6))
      * CASE WHEN closes_on - opens_on - day <= 1 THEN 1 ELSE (ARRAY[1.1, 1.1, 1.05, 1, 0.9, 0.5, 0.35])[extract(isodow
        FROM opens_on + day)::int] END
      * (0.85 + 0.3 * pg_temp.demo_roll(day, hashtext(code))) AS weight) w
), wishes AS (
  SELECT code, array_agg(id ORDER BY npm_code) AS programmes, array_agg(share ORDER BY npm_code) AS shares
  FROM (SELECT code, p.id, p.npm_code, sum(weight) OVER (PARTITION BY code ORDER BY p.npm_code) / sum(weight)
    OVER (PARTITION BY code) AS share
    FROM given CROSS JOIN LATERAL (SELECT DISTINCT sp.id, sp.npm_code FROM programme_details d
      JOIN study_programmes sp ON sp.id = d.programme_id
      WHERE d.wave_id = given.id) p,
      -- Demand for a programme changes a little every year.
      LATERAL (SELECT (0.4 + 1.4 * pg_temp.demo_roll(hashtext(p.npm_code), 900)) * (0.85 + 0.3
        * pg_temp.demo_roll(hashtext(p.npm_code), year)) AS weight) w) p
  GROUP BY 1
)
SELECT given.*, d.shares AS day_shares, s.programmes, s.shares AS programme_shares
FROM given JOIN (SELECT code, array_agg(share ORDER BY day) AS shares FROM days GROUP BY 1) d USING (code)
  JOIN wishes s USING (code);

DROP TABLE IF EXISTS pg_temp.demo_people;
CREATE TEMP TABLE demo_people ON COMMIT DROP AS
WITH lists AS MATERIALIZED (
  SELECT
    ARRAY['Ayu','Bima','Citra','Dewi','Eka','Fajar','Gita','Hadi','Indah','Joko','Kartika','Lestari','Made','Nanda','Oka',
          'Putri','Rizky','Sari','Teguh','Utami','Vina','Wahyu','Yoga','Zahra'] AS first_names,
    ARRAY['Percontohan','Contoh','Teladan','Peraga','Rekaan','Khayali','Misalnya','Umpama','Demo','Simulasi','Uji','Coba'] AS last_names,
    (SELECT array_agg(id ORDER BY code) FROM religions) AS religions,
    (SELECT array_agg(id ORDER BY md5(name)) FROM ethnic_groups) AS ethnic_groups,
    (SELECT array_agg(id ORDER BY code) FROM class_programmes WHERE code IN ('PAGI', 'MALAM')) AS classes,
    (SELECT array_agg(share ORDER BY place) FROM demo_schools WHERE share IS NOT NULL) AS school_shares,
    (SELECT count(*) FROM demo_schools) AS schools,
    (SELECT array_agg(code ORDER BY code) FROM affiliates WHERE active) AS affiliates,
    (SELECT id FROM accounts WHERE email = 'panitia@demo.test') AS reviewer_id
), drawn AS MATERIALIZED (
  SELECT n::int, w.code AS wave_code, w.id AS wave_id, w.academic_year, w.year, w.opens_at, w.closes_at, w.payment_due_at,
    w.results_at,
    w.confirmation_due_at, w.now, w.fee AS wave_fee, w.sessions, w.skipped_sessions,
    -- From seven in the morning to midnight, mostly around midday.
    (w.opens_on + least(width_bucket(pg_temp.demo_roll(n, 1), w.day_shares), cardinality(w.day_shares) - 1) + interval '7 hours'
      + interval '16.9 hours' * (pg_temp.demo_roll(n, 2)
        + pg_temp.demo_roll(n, 3)) / 2) AT TIME ZONE 'Asia/Jakarta' AS planned_at,
    -- seedDemoSelection decides the scholarships of the current season.
    w.code = 'G1' AND r.track >= 0.8 AND r.track < 0.93 AND current_setting('pmb.detailed') = 'on' AS selected_later,
    CASE WHEN r.track < 0.6 THEN 'REG' WHEN r.track < 0.8 THEN 'PRES' WHEN r.track < 0.93 THEN 'BEA' ELSE 'PIN' END AS track_code,
    w.programmes[1 + width_bucket(r.programme, w.programme_shares)] AS programme_id,
    w.programmes[1 + (3 + width_bucket(r.programme, w.programme_shares)) % cardinality(w.programmes)] AS next_programme_id,
    CASE WHEN r.school < 0.72 THEN 1 + width_bucket(r.school / 0.72, school_shares)
      ELSE 1 + floor((r.school - 0.72) / 0.28 * schools)::int END AS school_place
  FROM lists CROSS JOIN demo_waves w CROSS JOIN LATERAL generate_series(w.first, w.first + w.many - 1) n,
    LATERAL (SELECT pg_temp.demo_roll(n, 4) AS track, pg_temp.demo_roll(n, 5) AS programme, pg_temp.demo_roll(n, 6) AS school) r
), submitted AS MATERIALIZED (
  SELECT d.*, s.school_id, s.village_id, s.yield, t.id AS track_id, t.has_test, t.free_of_fee, t.asks_donation, t.max_choices,
    CASE WHEN t.free_of_fee THEN 0 ELSE wave_fee END AS fee,
    greatest(opens_at + interval '1 minute', least(planned_at, now - interval '1 hour')
      - interval '10 minutes' - interval '6 days' * power(pg_temp.demo_roll(n, 7), 3)) AS created_at,
    CASE WHEN pg_temp.demo_roll(n, 8) < 0.9 AND planned_at < now THEN planned_at END AS submitted_at
  FROM drawn d JOIN demo_schools s ON s.place = d.school_place JOIN tracks t ON t.code = d.track_code
), paid AS MATERIALIZED (
  -- Most pay within days; people short of money wait for payday, between the 25th and the 1st; few pay at weekends.
  SELECT s.*, CASE WHEN free_of_fee THEN submitted_at
    WHEN submitted_at IS NOT NULL AND pg_temp.demo_roll(n, 9) < 0.9 AND at.weekday < now THEN at.weekday END AS paid_at
  FROM submitted s, LATERAL (SELECT submitted_at - interval '1 day' * (ln(1 - pg_temp.demo_roll(n, 10)) * 1.4)
    + interval '20 minutes' AS soon OFFSET 0) a,
    LATERAL (SELECT CASE WHEN extract(day FROM soon) BETWEEN 8 AND 24 AND pg_temp.demo_roll(n, 11) < 0.35
      THEN date_trunc('month', soon) + interval '24 days 4 hours' + interval '6.5 days' * pg_temp.demo_roll(n, 12)
        ELSE soon END AS planned OFFSET 0) b,
    LATERAL (SELECT CASE WHEN extract(isodow FROM planned AT TIME ZONE 'Asia/Jakarta') >= 6 AND pg_temp.demo_roll(n, 13) < 0.6
      THEN planned + interval '1 day' * (8 - extract(isodow FROM planned AT TIME ZONE 'Asia/Jakarta'))
        ELSE planned END AS moved OFFSET 0) c,
    LATERAL (SELECT pg_temp.demo_awake(greatest(submitted_at + interval '3 minutes', least(moved, payment_due_at - interval '8 hours'
      * pg_temp.demo_roll(n, 14)))) AS weekday OFFSET 0) at
), verified AS MATERIALIZED (
  -- Documents are reviewed in office hours on working days, all of them before the results.
  SELECT p.*, CASE WHEN paid_at IS NOT NULL AND pg_temp.demo_roll(n, 15) < 0.95 AND at.bounded < now
    THEN at.bounded END AS verified_at
  FROM paid p, LATERAL (SELECT (paid_at AT TIME ZONE 'Asia/Jakarta')::date + 1 + floor(4
    * pg_temp.demo_roll(n, 16))::int AS day OFFSET 0) a,
    LATERAL (SELECT (day + CASE extract(isodow FROM day) WHEN 6 THEN 2 WHEN 7 THEN 1 ELSE 0 END + interval '8 hours'
      + interval '8 hours' * pg_temp.demo_roll(n, 17)) AT TIME ZONE 'Asia/Jakarta' AS planned OFFSET 0) b,
    LATERAL (SELECT greatest(paid_at + interval '10 minutes', least(planned, results_at - interval '3.2 days'
      - interval '1 day' * pg_temp.demo_roll(n, 18))) AS bounded OFFSET 0) at
), judged AS MATERIALIZED (
  SELECT v.*, results_at < now AND verified_at IS NOT NULL AND selected_later AS is_candidate, classes[CASE WHEN pg_temp.demo_roll(n, 19) < 0.75 THEN 2 ELSE 1 END] AS class_programme_id,
    CASE WHEN max_choices > 1 THEN next_programme_id END AS second_programme_id,
    CASE WHEN pg_temp.demo_roll(n, 20) < 0.95 THEN 'attended' ELSE 'absent' END AS presence,
    round((34 + 20 * yield + 40 * (pg_temp.demo_roll(n, 21) + pg_temp.demo_roll(n, 22)
      + pg_temp.demo_roll(n, 23)) / 3)::numeric, 1) AS score,
    CASE WHEN verified_at IS NOT NULL AND results_at < now AND NOT selected_later THEN results_at - interval '2 hours' - interval '10 hours'
      * pg_temp.demo_roll(n, 24) END AS decided_at
  FROM verified v CROSS JOIN lists
), ranked AS MATERIALIZED (
  SELECT j.*, row_number() OVER (PARTITION BY wave_id, j.programme_id, j.class_programme_id, good ORDER BY score DESC, n) AS rank
  FROM (SELECT j.*, decided_at IS NOT NULL AND CASE WHEN has_test THEN presence = 'attended' AND score >= 55
    ELSE pg_temp.demo_roll(n, 25) < 0.85 END AS good
    FROM judged j) j
), decided AS MATERIALIZED (
  SELECT r.*, CASE WHEN decided_at IS NOT NULL THEN CASE WHEN good AND (current_setting('pmb.detailed') = 'off'
      OR rank <= d.capacity + d.over_offer - coalesce(o.taken, 0)) THEN 'accepted' ELSE 'not_accepted' END END AS decision,
    CASE WHEN has_test AND presence = 'absent' THEN 'Tidak hadir pada tes.' WHEN good THEN 'Kuota program studi sudah penuh.'
      ELSE 'Nilai tes belum mencapai batas kelulusan.' END AS refusal
  FROM ranked r JOIN entry_levels e ON e.code = 'BARU'
  JOIN programme_details d ON (d.wave_id, d.programme_id, d.class_programme_id, d.entry_level_id) = (r.wave_id, r.programme_id,
    r.class_programme_id, e.id)
  LEFT JOIN (SELECT wave_id, programme_id, class_programme_id, count(*) AS taken FROM registrations
    WHERE decision = 'accepted' AND status IN ('decided', 'confirmed', 'enrolled') GROUP BY 1, 2, 3) o
    ON (o.wave_id, o.programme_id, o.class_programme_id) = (r.wave_id, r.programme_id, r.class_programme_id)
), answered AS MATERIALIZED (
  -- Two thirds of those who accept confirm within days, the others shortly before the deadline.
  SELECT d.*, decision = 'accepted' AND pg_temp.demo_roll(n, 26) < yield + CASE track_code WHEN 'BEA' THEN 0.25 WHEN 'PRES'
    THEN 0.1 ELSE 0 END AS comes,
    greatest(results_at + interval '1 hour', least(confirmation_due_at - interval '10 minutes', CASE
      WHEN pg_temp.demo_roll(n, 27) < 0.66
      THEN results_at - interval '1 day' * (ln(1 - pg_temp.demo_roll(n, 28)) * 2)
      ELSE confirmation_due_at + interval '1 day' * (ln(1 - pg_temp.demo_roll(n, 28)) * 1.2) END)) AS answer_at
  FROM decided d
), confirmed AS MATERIALIZED (
  SELECT a.*, CASE WHEN comes AND answer_at < now THEN answer_at END AS confirmed_at,
    CASE WHEN NOT comes AND pg_temp.demo_roll(n, 29) < 0.45 THEN 'withdrawn' WHEN NOT comes THEN 'expired' END AS lost,
    CASE WHEN pg_temp.demo_roll(n, 30) < 0.3 THEN 'LUNAS' WHEN pg_temp.demo_roll(n, 30) < 0.8 THEN 'CICIL3'
      ELSE 'CICIL6' END AS plan_code
  FROM answered a
), enrolling AS MATERIALIZED (
  -- The first instalment completes enrolment; it is paid soon, at payday, or late.
  SELECT c.*, CASE WHEN confirmed_at IS NOT NULL AND pg_temp.demo_roll(n, 31) < 0.93 AND at.late < now
    THEN at.late END AS first_paid_at, due_at
  FROM confirmed c,
    LATERAL (SELECT ((confirmed_at AT TIME ZONE 'Asia/Jakarta')::date
      + interval '14 days 23:59') AT TIME ZONE 'Asia/Jakarta' AS due_at,
      confirmed_at - interval '1 day' * (ln(1 - pg_temp.demo_roll(n, 32)) * 3.5) + interval '40 minutes' AS soon OFFSET 0) a,
    LATERAL (SELECT CASE WHEN pg_temp.demo_roll(n, 33) < 0.45 AND extract(day FROM soon) BETWEEN 10 AND 24
      THEN date_trunc('month', soon) + interval '24 days 4 hours' + interval '6.5 days' * pg_temp.demo_roll(n, 34)
        ELSE soon END AS planned OFFSET 0) b,
    LATERAL (SELECT pg_temp.demo_awake(greatest(confirmed_at + interval '30 minutes', CASE WHEN pg_temp.demo_roll(n, 35) < 0.08
      THEN due_at + interval '18 days' * pg_temp.demo_roll(n, 36) ELSE least(planned, due_at - interval '9 hours'
        * pg_temp.demo_roll(n, 36)) END)) AS late OFFSET 0) at
), ended AS MATERIALIZED (
  SELECT e.*, first_paid_at + interval '1 minute' AS enrolled_at,
    CASE
      WHEN submitted_at IS NULL THEN closes_at + interval '1 hour'
      WHEN paid_at IS NULL THEN payment_due_at + interval '1 hour'
      WHEN verified_at IS NULL THEN results_at - interval '1 day'
      WHEN decision = 'accepted' AND confirmed_at IS NULL THEN CASE lost WHEN 'withdrawn' THEN answer_at WHEN 'expired'
        THEN confirmation_due_at + interval '1 hour' END
      WHEN confirmed_at IS NOT NULL AND first_paid_at IS NULL THEN due_at + interval '30 days'
      -- Some students who paid everything leave for another university and get a partial refund.
      WHEN first_paid_at IS NOT NULL AND plan_code = 'LUNAS' AND pg_temp.demo_roll(n, 37) < 0.08 THEN first_paid_at
        + interval '10 days' + interval '25 days' * pg_temp.demo_roll(n, 38)
    END AS ends_at,
    CASE WHEN enrolled.at < now THEN enrolled.at END AS papers_at
  FROM enrolling e, LATERAL (SELECT CASE WHEN pg_temp.demo_roll(n, 39) < 0.8 THEN first_paid_at + interval '3 days'
    + interval '20 days' * pg_temp.demo_roll(n, 40) END AS at OFFSET 0) enrolled
), told AS MATERIALIZED (
  SELECT e.*, CASE WHEN ends_at < now THEN ends_at END AS closed_at,
    CASE WHEN enrolled_at IS NOT NULL THEN 'enrolled' WHEN confirmed_at IS NOT NULL THEN 'confirmed' WHEN decided_at IS NOT NULL
      THEN 'decided'
      WHEN verified_at IS NOT NULL THEN 'verified' WHEN paid_at IS NOT NULL THEN 'paid' WHEN submitted_at IS NOT NULL
        THEN 'submitted' ELSE 'draft' END AS reached
  FROM ended e
)
SELECT n, true AS of_season,
  pg_temp.demo_uuid('demo-account-' || n) AS account_id, pg_temp.demo_uuid('demo-applicant-' || n) AS applicant_id,
  pg_temp.demo_uuid('demo-registration-' || n) AS registration_id, pg_temp.demo_uuid('demo-bill-' || n) AS bill_id,
  first_names[1 + n % 24] || ' ' || last_names[1 + (n / 24) % 12] || ' ' || n AS full_name,
  substr(academic_year, 3, 2) || left(wave_code, 2) || 'D' || pg_temp.demo_digits(n, 6) AS code, '+62812'
    || pg_temp.demo_digits(n, 8) AS phone,
  CASE WHEN closed_at IS NULL THEN CASE reached WHEN 'decided' THEN decision ELSE reached END
    WHEN reached = 'decided' THEN lost WHEN reached IN ('draft', 'submitted') THEN 'expired' ELSE 'cancelled' END AS state,
  CASE WHEN closed_at IS NULL THEN reached
    WHEN reached = 'decided' THEN lost WHEN reached IN ('draft', 'submitted') THEN 'expired' ELSE 'cancelled' END AS status,
  decision, reached, CASE WHEN closed_at IS NOT NULL THEN reached END AS closed_from,
  wave_id, wave_code, academic_year, year, track_id, track_code, has_test, free_of_fee, asks_donation, class_programme_id,
    programme_id,
  second_programme_id, village_id, school_id, religions[1 + floor(power(pg_temp.demo_roll(n, 41), 2)
    * cardinality(religions))::int] AS religion_id,
  CASE WHEN pg_temp.demo_roll(n, 42) < 0.7 THEN ethnic_groups[1 + floor(power(pg_temp.demo_roll(n, 43), 2)
    * cardinality(ethnic_groups))::int] END AS ethnic_group_id,
  make_date(year - 20, 1, 1) AS born_from, year - CASE WHEN pg_temp.demo_roll(n, 44) < 0.85 THEN 0 ELSE 1 END AS graduation_year,
  (ARRAY['XS', 'S', 'M', 'L', 'XL', 'XXL'])[1 + width_bucket(pg_temp.demo_roll(n, 45),
    ARRAY[0.05, 0.28, 0.63, 0.87, 0.97])] AS clothes_size,
  CASE WHEN current_setting('pmb.detailed') = 'on' AND pg_temp.demo_roll(n, 46) < 0.04
    THEN affiliates[1 + floor(power(pg_temp.demo_roll(n, 47), 2) * cardinality(affiliates))::int] END AS referral_code,
  CASE WHEN asks_donation AND submitted_at IS NOT NULL THEN (ARRAY[0, 500000, 1000000, 2500000])[1
    + width_bucket(pg_temp.demo_roll(n, 48), ARRAY[0.45, 0.8, 0.95])] END AS donation_amount,
  CASE WHEN decision = 'not_accepted' THEN refusal END AS decision_reason,
  CASE WHEN confirmed_at IS NOT NULL THEN plan_code END AS plan_code,
  created_at, submitted_at, paid_at, coalesce(paid_at, submitted_at) + interval '8 hours'
    * pg_temp.demo_roll(n, 49) AS uploaded_at,
  coalesce(verified_at, least(paid_at + interval '1 day', now)) AS reviewed_at, reviewer_id,
  verified_at, decided_at, confirmed_at, enrolled_at, closed_at, papers_at,
  CASE WHEN has_test AND paid_at IS NOT NULL AND sessions > skipped_sessions AND (results_at < now AND (decision IS NOT NULL OR is_candidate)
    OR results_at > now AND pg_temp.demo_roll(n, 50) < 0.5) THEN skipped_sessions
      + n % (sessions - skipped_sessions) END AS seat_place,
  CASE WHEN results_at < now THEN presence ELSE 'booked' END AS seat_status,
  score, least(100, greatest(0, score + round((14 * pg_temp.demo_roll(n, 51) - 6)::numeric, 1))) AS interview_score,
  -- The first bank's statement covers the last days without these payments.
  CASE WHEN results_at > now - interval '60 days' OR pg_temp.demo_roll(n, 52) < 0.3 THEN 'sandbox-b' ELSE 'sandbox-a' END AS bank,
  (ARRAY['mobile', 'atm', 'internet'])[1 + width_bucket(pg_temp.demo_roll(n, 53), ARRAY[0.7, 0.88])] AS channel,
  fee, payment_due_at AS fee_due_at, confirmed_at AS tuition_issued_at, due_at AS tuition_due_at, first_paid_at, results_at, now
FROM told CROSS JOIN lists
WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = pg_temp.demo_uuid('demo-account-' || n));
CREATE INDEX ON demo_people (n);
ANALYZE demo_people;

-- Discounts: a fair's voucher on the fee; on the tuition the school agreement's, the one for an early answer, or the
-- sibling discount.
DROP TABLE IF EXISTS pg_temp.demo_discounts;
CREATE TEMP TABLE demo_discounts ON COMMIT DROP AS
SELECT p.n, false AS of_tuition, d.id AS discount_id, v.id AS voucher_id, NULL::uuid AS school_agreement_id,
  NULL::uuid AS component_id,
  d.name::text, p.fee * d.value::bigint / 100 AS amount, p.submitted_at AS taken_at
FROM demo_people p JOIN discounts d ON d.code = 'PAMERAN' || p.year % 100
JOIN LATERAL (SELECT id, row_number() OVER (ORDER BY code) - 1 AS place, count(*) OVER () AS many FROM vouchers
  WHERE discount_id = d.id) v
  ON v.place = p.n % v.many
WHERE p.submitted_at IS NOT NULL AND p.fee > 0 AND pg_temp.demo_roll(p.n, 60) < 0.07
UNION ALL
SELECT p.n, true, d.id, NULL, a.id, d.fee_component_id, d.name, t.amount * d.value::bigint / 100, p.tuition_issued_at
FROM demo_people p
LEFT JOIN school_agreements a ON a.school_id = p.school_id AND p.tuition_issued_at::date BETWEEN a.valid_from AND a.valid_to
JOIN discounts d ON d.code = CASE WHEN a.id IS NOT NULL THEN 'MITRA' WHEN p.tuition_issued_at < p.results_at + interval '4 days'
  THEN 'AWAL'
  WHEN pg_temp.demo_roll(p.n, 61) < 0.06 AND current_setting('pmb.detailed') = 'on' THEN 'SAUDARA' END || p.year % 100
JOIN tuition_fees t ON (t.wave_id, t.programme_id, t.class_programme_id, t.fee_component_id)
  = (p.wave_id, p.programme_id, p.class_programme_id, d.fee_component_id) AND t.track_id IS NULL
WHERE p.tuition_issued_at IS NOT NULL;

-- Later instalments are paid around their due day, an eighth of them late; some are never paid.
DROP TABLE IF EXISTS pg_temp.demo_terms;
CREATE TEMP TABLE demo_terms ON COMMIT DROP AS
SELECT p.n, i.sort_order AS position, i.share_bps, d.due_at, CASE WHEN i.sort_order = 1 THEN p.first_paid_at
  WHEN p.first_paid_at IS NOT NULL AND pg_temp.demo_roll(p.n, 70) > 0.03 AND (p.closed_at IS NULL OR a.at < p.closed_at)
    AND a.at < p.now THEN a.at END AS paid_at
FROM demo_people p JOIN installment_plans l ON l.code = p.plan_code JOIN installment_terms i ON i.plan_id = l.id
CROSS JOIN LATERAL (SELECT p.tuition_due_at + interval '1 day' * (i.due_days - 14) AS due_at) d
CROSS JOIN LATERAL (SELECT pg_temp.demo_awake(greatest(p.first_paid_at + interval '1 day', CASE WHEN pg_temp.demo_roll(p.n, 70 + i.sort_order) < 0.12
  THEN d.due_at + interval '25 days' * pg_temp.demo_roll(p.n, 80 + i.sort_order)
  ELSE d.due_at - interval '9 hours' * pg_temp.demo_roll(p.n, 80 + i.sort_order) - interval '8 days'
    * power(pg_temp.demo_roll(p.n, 90 + i.sort_order), 2) END)) AS at OFFSET 0) a;
-- Most applicants who never paid got a later due date, so that debts are of every age.
UPDATE demo_terms t SET due_at = p.now - interval '1 day' * (2 + 100 * pg_temp.demo_roll(t.n, 98 + t.position))
FROM demo_people p WHERE p.n = t.n AND t.paid_at IS NULL AND t.due_at < p.now - interval '90 days'
  AND pg_temp.demo_roll(t.n, 97) < 0.75;
ANALYZE demo_discounts, demo_terms;
