-- What staff find in their first hour besides registrations: driving licences, notes, WhatsApp templates and messages
-- of the current season, and test sessions of today and the coming weeks.

INSERT INTO driving_licences (account_id, drives, class, number, expires_on, file_id, status, reject_reason, reviewed_by, reviewed_at,
  updated_at)
SELECT r.account_id, true, (ARRAY['C', 'A', 'C'])[1 + k % 3], '9900' || lpad(k::text, 8, '0'),
  current_date + CASE k % 6 WHEN 0 THEN -40 WHEN 1 THEN 20 ELSE 300 + k::int * 11 END, f.file_id,
  CASE WHEN f.file_id IS NULL OR k % 3 = 0 THEN 'uploaded' WHEN k % 7 = 1 THEN 'rejected' ELSE 'approved' END,
  CASE WHEN f.file_id IS NOT NULL AND k % 3 <> 0 AND k % 7 = 1 THEN 'Foto tidak terbaca.' END,
  CASE WHEN f.file_id IS NOT NULL AND k % 3 <> 0 THEN c.id END,
  CASE WHEN f.file_id IS NOT NULL AND k % 3 <> 0 THEN n.now - interval '1 hour' * k END, n.now - interval '2 hours' * k
FROM (SELECT r.*, row_number() OVER (ORDER BY a.photo_file_id IS NULL, r.code) AS k FROM registrations r JOIN waves w ON w.id = r.wave_id
    JOIN applicants a ON a.id = r.applicant_id WHERE w.code = 'G1' AND r.status = 'enrolled') r
CROSS JOIN (SELECT current_setting('pmb.now')::timestamptz AS now) n
JOIN accounts c ON c.email = 'panitia@demo.test'
CROSS JOIN LATERAL (SELECT (SELECT d.file_id FROM documents d WHERE d.registration_id = r.id AND d.file_id IS NOT NULL
  ORDER BY d.sort_order LIMIT 1) AS file_id) f
WHERE k <= 60
ON CONFLICT DO NOTHING;

INSERT INTO registration_notes (registration_id, author_id, body, created_at)
SELECT r.id, c.id, (ARRAY['Sudah ditelepon, akan mengunggah ulang ijazah besok.', 'Orang tua menanyakan cicilan.',
    'Berkas asli sudah dilihat di loket.', 'Minta jadwal tes dipindah ke sesi sore.'])[1 + k % 4],
  current_setting('pmb.now')::timestamptz - interval '3 hours' * k
FROM (SELECT r.id, row_number() OVER (ORDER BY r.code DESC) AS k FROM registrations r JOIN waves w ON w.id = r.wave_id AND w.code = 'G2'
  WHERE r.status IN ('submitted', 'paid', 'verified')) r
JOIN accounts c ON c.email = CASE k % 3 WHEN 0 THEN 'keuangan@demo.test' ELSE 'panitia@demo.test' END
WHERE k <= 24;

INSERT INTO message_templates (event, channel, provider_template, body_en, body_id)
SELECT event, 'whatsapp', 'pmb_' || replace(event, '-', '_'), en, id FROM (VALUES
  ('registration-submitted', 'Hello {{name}}, registration {{code}} has arrived. Please pay the fee on the payment page.',
    'Halo {{name}}, pendaftaran {{code}} sudah kami terima. Silakan bayar di halaman pembayaran.'),
  ('payment-received', 'Hello {{name}}, your payment has been received. Thank you!',
    'Halo {{name}}, pembayaran Anda sudah kami terima. Terima kasih!'),
  ('registration-verified', 'Hello {{name}}, your documents are complete. Please choose a test session.',
    'Halo {{name}}, berkas Anda lengkap. Silakan pilih jadwal tes.'),
  ('registration-accepted', 'Congratulations {{name}}, the result of {{code}} is out.',
    'Selamat {{name}}, hasil seleksi {{code}} sudah keluar.')) t (event, en, id)
ON CONFLICT DO NOTHING;

INSERT INTO messages (account_id, channel, to_address, event, language, subject, body, link, status, attempts, error, created_at,
  sent_at, read_at)
SELECT r.account_id, 'whatsapp', u.phone, e.event, 'id', '', replace(replace(t.body_id, '{{name}}', u.name), '{{code}}', r.code),
  '/pendaftaran/' || r.id, s.status, 1, CASE s.status WHEN 'failed' THEN 'Nomor tidak memakai WhatsApp' END, e.at,
  CASE WHEN s.status <> 'failed' THEN e.at + interval '5 seconds' END, CASE s.status WHEN 'read' THEN e.at + interval '20 minutes' END
FROM registrations r JOIN waves w ON w.id = r.wave_id AND w.code IN ('G1', 'G2') JOIN accounts u ON u.id = r.account_id
CROSS JOIN LATERAL (VALUES ('registration-submitted', r.submitted_at), ('payment-received', r.paid_at),
  ('registration-verified', r.verified_at)) e (event, at)
JOIN message_templates t ON t.event = e.event AND t.channel = 'whatsapp'
CROSS JOIN LATERAL (SELECT CASE WHEN k = 0 THEN 'failed' WHEN k % 3 = 0 THEN 'delivered' WHEN k % 5 = 0 THEN 'sent' ELSE 'read' END AS status
  FROM (SELECT abs(hashtext(r.code || e.event)) % 40 AS k) h) s
WHERE e.at > current_setting('pmb.now')::timestamptz - interval '21 days' AND u.phone IS NOT NULL;

-- Second wave: a session this morning and one in each of the next two weeks.
INSERT INTO test_sessions (id, wave_id, name, date, start_time, end_time, mode, location, capacity, booking_opens_at, booking_closes_at)
SELECT gen_random_uuid(), w.id, s.name, (n.now AT TIME ZONE 'Asia/Jakarta')::date + s.days, s.start_time::time, s.end_time::time,
  'onsite', s.room, 60, w.opens_at, ((n.now AT TIME ZONE 'Asia/Jakarta')::date + s.days - 1)::timestamp AT TIME ZONE 'Asia/Jakarta'
FROM waves w CROSS JOIN (SELECT current_setting('pmb.now')::timestamptz AS now) n
CROSS JOIN (VALUES ('Sesi hari ini', 0, '08:00', '16:00', 'Ruang Contoh 4'), ('Sesi susulan A', 6, '08:00', '10:30', 'Ruang Contoh 5'),
  ('Sesi susulan B', 12, '13:00', '15:30', 'Ruang Contoh 6')) s (name, days, start_time, end_time, room)
WHERE w.code = 'G2';
INSERT INTO test_session_rooms (test_session_id, name, capacity, seat_rows, seat_columns, special_seats, position)
SELECT s.id, 'Laboratorium 4', 60, 6, 10, ARRAY[1], 1 FROM test_sessions s WHERE s.location IN ('Ruang Contoh 4', 'Ruang Contoh 5',
  'Ruang Contoh 6') AND s.capacity = 60;
INSERT INTO test_session_tests (test_session_id, test_id)
SELECT s.id, t.id FROM test_sessions s CROSS JOIN tests t WHERE s.location IN ('Ruang Contoh 4', 'Ruang Contoh 5', 'Ruang Contoh 6')
  AND s.capacity = 60 AND t.code IN ('TPA', 'WWC');
INSERT INTO test_seats (test_session_id, registration_id, status, booked_at, created_at)
SELECT s.id, r.id, 'booked', n.now - interval '1 day' - interval '7 minutes' * k, n.now - interval '1 day' - interval '7 minutes' * k
FROM (SELECT r.id, row_number() OVER (ORDER BY r.code) AS k FROM registrations r JOIN waves w ON w.id = r.wave_id AND w.code = 'G2'
    JOIN tracks t ON t.id = r.track_id AND t.has_test WHERE r.status IN ('paid', 'verified')
    AND r.created_at < current_setting('pmb.now')::timestamptz - interval '2 days'
    AND NOT EXISTS (SELECT FROM test_seats e WHERE e.registration_id = r.id)) r
CROSS JOIN (SELECT current_setting('pmb.now')::timestamptz AS now) n
JOIN test_sessions s ON s.capacity = 60 AND s.location = CASE WHEN k <= 14 THEN 'Ruang Contoh 4' ELSE 'Ruang Contoh 5' END;
UPDATE test_session_seats c SET taken = s.taken
FROM (SELECT test_session_id, count(*) AS taken FROM test_seats WHERE status <> 'released' GROUP BY 1) s
WHERE s.test_session_id = c.test_session_id AND c.taken <> s.taken;
