-- Copies this season's waves to the pmb.years seasons before it: each a year earlier, the first wave closing three days
-- earlier each year, with lower prices, nine test sessions, and a third more offers than places. This season's first
-- wave gets the six test sessions it lacks. Existing rows stay.

DROP TABLE IF EXISTS pg_temp.demo_copies;
CREATE TEMP TABLE demo_copies ON COMMIT DROP AS
SELECT w.id AS source_id, pg_temp.demo_uuid('demo-wave-' || c.code) AS id, c.code, w.name, years, w.opens_at - shift - CASE w.code
  WHEN 'G2' THEN moved ELSE interval '0' END AS opens_at,
  w.closes_at - shift - CASE w.code WHEN 'G1' THEN moved ELSE interval '0' END AS closes_at, w.results_at - shift AS results_at,
  w.confirmation_due_at - shift AS confirmation_due_at, CASE w.code WHEN 'G1' THEN shift + moved ELSE shift END AS payment_shift,
    shift,
  start - years AS year
FROM waves w CROSS JOIN LATERAL generate_series(1, current_setting('pmb.years')::int) years,
  LATERAL (SELECT left(w.academic_year, 4)::int AS start, interval '365 days' * years AS shift, interval '3 days'
    * years AS moved) s,
  LATERAL (SELECT w.code || '-' || lpad(((start - years) % 100)::text, 2, '0') AS code) c
WHERE w.code IN ('G1', 'G2');
INSERT INTO waves (id, code, academic_year, name, semester_code, opens_at, closes_at, results_at, confirmation_due_at)
SELECT id, code, year || '/' || year + 1, name, year || '1', opens_at, closes_at, results_at, confirmation_due_at FROM demo_copies
ON CONFLICT DO NOTHING;

INSERT INTO programme_details (programme_id, wave_id, class_programme_id, entry_level_id, capacity, passing_grade, over_offer)
SELECT d.programme_id, c.id, d.class_programme_id, d.entry_level_id, d.capacity, d.passing_grade, d.capacity / 3
FROM demo_copies c JOIN programme_details d ON d.wave_id = c.source_id ON CONFLICT DO NOTHING;
INSERT INTO tuition_fees (programme_id, wave_id, class_programme_id, track_id, fee_component_id, amount, installments_allowed)
SELECT f.programme_id, c.id, f.class_programme_id, f.track_id, f.fee_component_id, round(f.amount * (1 - 0.04 * c.years) / 50000)
  * 50000,
  f.installments_allowed
FROM demo_copies c JOIN tuition_fees f ON f.wave_id = c.source_id ON CONFLICT DO NOTHING;
INSERT INTO track_details (track_id, wave_id, entry_level_id, opens_at, closes_at, payment_due_at, results_at,
  confirmation_due_at)
SELECT d.track_id, c.id, d.entry_level_id, c.opens_at, c.closes_at, d.payment_due_at - c.payment_shift, c.results_at,
  c.confirmation_due_at
FROM demo_copies c JOIN track_details d ON d.wave_id = c.source_id ON CONFLICT DO NOTHING;
INSERT INTO registration_fees (wave_id, track_id, entry_level_id, class_programme_id, amount)
SELECT c.id, f.track_id, f.entry_level_id, f.class_programme_id, f.amount - 25000 * c.years
FROM demo_copies c JOIN registration_fees f ON f.wave_id = c.source_id
WHERE NOT EXISTS (SELECT FROM registration_fees x WHERE x.wave_id = c.id);
INSERT INTO donations (wave_id, track_id, programme_id, required, minimum_amount, suggested_amounts)
SELECT c.id, d.track_id, d.programme_id, d.required, d.minimum_amount, d.suggested_amounts
FROM demo_copies c JOIN donations d ON d.wave_id = c.source_id
WHERE NOT EXISTS (SELECT FROM donations x WHERE x.wave_id = c.id);
INSERT INTO result_publications (wave_id, track_id, publish_at, announced_at)
SELECT c.id, d.track_id, c.results_at, c.results_at FROM demo_copies c JOIN track_details d ON d.wave_id = c.source_id
ON CONFLICT DO NOTHING;

DROP TABLE IF EXISTS pg_temp.demo_sessions;
CREATE TEMP TABLE demo_sessions ON COMMIT DROP AS
SELECT pg_temp.demo_uuid('demo-session-' || w.code || '-' || n) AS id, w.id AS wave_id, 'Sesi ' || n AS name, s.first_on
  + (n - 1) / 3 AS date,
  n % 3 = 0 AS online, n, w.opens_at
FROM waves w
JOIN (SELECT id AS wave_id, 0 AS days, id AS source_id FROM waves WHERE code = 'G1'
  UNION ALL SELECT id, extract(day FROM shift)::int, source_id FROM demo_copies) c ON c.wave_id = w.id
JOIN (SELECT wave_id, min(date) AS first FROM test_sessions GROUP BY 1) f ON f.wave_id = c.source_id
CROSS JOIN LATERAL (SELECT f.first - c.days AS first_on) s
CROSS JOIN generate_series(1, 9) n
WHERE NOT EXISTS (SELECT FROM test_sessions t WHERE t.wave_id = w.id AND t.name = 'Sesi ' || n);
INSERT INTO test_sessions (id, wave_id, name, date, start_time, end_time, mode, location, capacity, booking_opens_at,
  booking_closes_at)
SELECT id, wave_id, name, date, CASE n % 3 WHEN 2 THEN time '13:00' ELSE time '08:00' END, CASE n % 3 WHEN 2 THEN time '15:30'
  ELSE time '10:30' END,
  CASE WHEN online THEN 'online' ELSE 'onsite' END, CASE WHEN online THEN 'https://tes.demo.test' ELSE 'Ruang Contoh '
    || n END, 120,
  opens_at, (date - 1)::timestamp AT TIME ZONE 'Asia/Jakarta'
FROM demo_sessions;
INSERT INTO test_session_rooms (test_session_id, name, capacity, seat_rows, seat_columns, special_seats, position)
SELECT s.id, 'Laboratorium ' || r, 40, 5, 8, CASE r WHEN 1 THEN ARRAY[1, 2] ELSE '{}' END, r
FROM demo_sessions s CROSS JOIN generate_series(1, 3) r WHERE NOT online;
INSERT INTO test_session_tests (test_session_id, test_id)
SELECT s.id, t.id FROM demo_sessions s CROSS JOIN tests t WHERE t.code IN ('TPA', 'WWC') ON CONFLICT DO NOTHING;
ANALYZE waves, programme_details, tuition_fees, track_details, test_sessions;
