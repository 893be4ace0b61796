-- What the applicants of demo_people answered and received: questionnaire, student data, jackets and cards.

-- One to three answers to each question, the first ones most often.
CREATE TEMP TABLE demo_answers ON COMMIT DROP AS
SELECT p.n, q.question, array_agg(DISTINCT q.choices[1 + floor(power(pg_temp.demo_roll(p.n, q.question + k), 1.7)
  * cardinality(q.choices))::int]) AS picked
FROM demo_people p
CROSS JOIN (VALUES
  (100, ARRAY['programme','reputation','accreditation','cost','location','career','scholarship',
    'family','friends','facilities','other']),
  (110, ARRAY['quality','tuition','accreditation','employment','instalments','distance',
    'facilities','lecturers','campus_life','evening_class','other']),
  (120, ARRAY['instagram','friend','school_visit','website','tiktok','teacher','search_engine',
    'family','alumni','exhibition','brochure','youtube','facebook','radio','other'])) AS q (question, choices)
CROSS JOIN generate_series(1, 3) AS k
WHERE p.submitted_at IS NOT NULL AND pg_temp.demo_roll(p.n, 131) < 0.7
  AND k <= 1 + floor(3 * pg_temp.demo_roll(p.n, q.question))::int
GROUP BY p.n, q.question;

INSERT INTO questionnaires (account_id, reasons, criteria, sources, other, answered_at)
SELECT p.account_id, reasons.picked, criteria.picked, sources.picked,
  CASE WHEN pg_temp.demo_roll(p.n, 130) < 0.05 THEN (ARRAY['Dekat dengan tempat kerja orang tua',
    'Kelas malam cocok dengan jam kerja saya', 'Diajak kakak kelas'])[1 + p.n % 3] END,
  p.submitted_at + interval '5 minutes'
FROM demo_people p
JOIN demo_answers reasons ON (reasons.n, reasons.question) = (p.n, 100)
JOIN demo_answers criteria ON (criteria.n, criteria.question) = (p.n, 110)
JOIN demo_answers sources ON (sources.n, sources.question) = (p.n, 120)
ON CONFLICT DO NOTHING;

INSERT INTO enrolment_data (registration_id, hamlet, residence, transport, kps_recipient, financing, father_education,
  father_occupation,
  father_income, mother_education, mother_occupation, mother_income, mother_birth_date, updated_at)
SELECT registration_id, 'Dusun Rekaan', (ARRAY['1', '2', '3'])[1 + n % 3], (ARRAY['1', '3', '5', '13'])[1 + n % 4], false, '1',
  '30', (ARRAY['6', '9', '10'])[1 + n % 3],
  (ARRAY['12', '13', '14'])[1 + n % 3], '6', '1', '11', make_date(year - 45, 1 + n % 12, 1 + n % 28), papers_at
FROM demo_people WHERE papers_at IS NOT NULL
ON CONFLICT DO NOTHING;

-- Jackets for three quarters of the students, from one delivery per season with some to spare; a few were exchanged for
-- another size.
DROP TABLE IF EXISTS pg_temp.demo_jackets;
CREATE TEMP TABLE demo_jackets ON COMMIT DROP AS
SELECT n, registration_id, academic_year, year, clothes_size AS size, exchanged, CASE WHEN exchanged THEN CASE clothes_size
  WHEN 'XXL' THEN 'XL' WHEN 'XL' THEN 'L' WHEN 'L' THEN 'XL'
    WHEN 'M' THEN 'L' ELSE 'M' END END AS new_size, handed_at, pg_temp.demo_uuid('demo-jacket-' || n) AS id,
      pg_temp.demo_uuid('demo-jacket-again-' || n) AS new_id
FROM demo_people, LATERAL (SELECT papers_at + interval '2 days' + interval '25 days' * pg_temp.demo_roll(n, 140) AS handed_at,
  pg_temp.demo_roll(n, 141) < 0.03 AS exchanged) h
WHERE status = 'enrolled' AND handed_at < now - interval '5 days' AND pg_temp.demo_roll(n, 142) < 0.95;
INSERT INTO jacket_deliveries (id, supplier, reference, received_on, created_at)
SELECT pg_temp.demo_uuid('demo-delivery-' || year), 'Konveksi Contoh', 'SJ/' || year || '/014',
  (min(handed_at) - interval '7 days')::date, min(handed_at) - interval '7 days'
FROM demo_jackets GROUP BY year ON CONFLICT DO NOTHING;
INSERT INTO jacket_movements (kind, size, quantity, delivery_id, at)
SELECT 'delivery', size, count(*) + 15, pg_temp.demo_uuid('demo-delivery-' || year), min(handed_at) - interval '7 days'
FROM (SELECT year, size, handed_at FROM demo_jackets UNION ALL SELECT year, new_size, handed_at FROM demo_jackets
  WHERE exchanged) d GROUP BY year, size;
INSERT INTO jacket_hand_outs (id, registration_id, size, handed_at, handed_by, note, ended_at, ended_as, ended_reason, usable)
SELECT j.id, j.registration_id, j.size, j.handed_at, a.id, 'Diambil sendiri', CASE WHEN exchanged THEN handed_at
  + interval '2 days' END, CASE WHEN exchanged THEN 'exchanged' END,
  CASE WHEN exchanged THEN 'Ukuran tidak pas' END, CASE WHEN exchanged THEN true END
FROM demo_jackets j, accounts a WHERE a.email = 'panitia@demo.test'
UNION ALL
SELECT j.new_id, j.registration_id, j.new_size, j.handed_at + interval '2 days', a.id, 'Ditukar', NULL, NULL, NULL, NULL
FROM demo_jackets j, accounts a WHERE a.email = 'panitia@demo.test' AND exchanged;
INSERT INTO jacket_movements (kind, size, quantity, hand_out_id, at, by_account_id)
SELECT m.kind, m.size, m.quantity, m.hand_out_id, m.at, a.id
FROM demo_jackets j CROSS JOIN LATERAL (VALUES ('hand_out', size, -1, id, handed_at, true), ('exchange', size, 1, id, handed_at
  + interval '2 days', exchanged),
  ('exchange', new_size, -1, new_id, handed_at + interval '2 days', exchanged)) m (kind, size, quantity, hand_out_id, at, done),
    accounts a
WHERE a.email = 'panitia@demo.test' AND done ORDER BY m.at;

INSERT INTO student_card_prints (id, layout, printed_at, printed_by)
SELECT DISTINCT ON (week) pg_temp.demo_uuid('demo-print-' || week), 'sheet', week + interval '4 days 3 hours', a.id
FROM demo_people, accounts a, LATERAL (SELECT date_trunc('week', papers_at) + interval '7 days' AS week) w
WHERE status = 'enrolled' AND week + interval '5 days' < now AND a.email = 'panitia@demo.test';
INSERT INTO student_cards (npm, copy, registration_id, print_id)
SELECT s.npm, 1, s.registration_id, pg_temp.demo_uuid('demo-print-' || week)
FROM demo_people p JOIN students s USING (registration_id), LATERAL (SELECT date_trunc('week', papers_at)
  + interval '7 days' AS week) w
WHERE p.status = 'enrolled' AND week + interval '5 days' < now;
