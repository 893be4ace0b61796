import pg from 'pg'
import { getEntity } from '#entities/index.ts'

/** Rows the demo university lacks, so that every form and view has one to show; texts are long on purpose. */
const extraRows = `
  INSERT INTO discounts (code, name, value)
    VALUES ('LOOK', 'Potongan saudara kandung dan anak dosen tetap', 25) ON CONFLICT DO NOTHING;
  INSERT INTO affiliates (code, name, phone)
    VALUES ('LOOK', 'Paguyuban Alumni Percontohan Nusantara', '+628120000999') ON CONFLICT DO NOTHING;
  INSERT INTO vouchers (discount_id, code) SELECT id, 'LOOK2026' FROM discounts WHERE code = 'LOOK' ON CONFLICT DO NOTHING;
  INSERT INTO refund_policies (code, name, last_day, share_bps)
    VALUES ('LOOK', 'Pengembalian sebelum perkuliahan dimulai', '2027-08-01', 7500) ON CONFLICT DO NOTHING;
  INSERT INTO school_agreements (school_id, number, title, valid_to)
    SELECT id, 'LOOK/01', 'Kerja sama penerimaan mahasiswa baru', '2030-12-31' FROM schools ORDER BY npsn LIMIT 1
    ON CONFLICT DO NOTHING;
  INSERT INTO message_templates (event, channel, body_en, body_id)
    VALUES ('bill.paid', 'whatsapp', 'Your payment has arrived.', 'Pembayaran Anda sudah kami terima.') ON CONFLICT DO NOTHING;
  -- A connection needs a second person's approval, which a picture of its page does not need.
  SET LOCAL session_replication_role = replica;
  INSERT INTO provider_accounts (code, kind, name, base_url)
    VALUES ('look', 'xendit', 'Bank Percontohan Pembangunan Daerah', 'https://xendit.example') ON CONFLICT DO NOTHING;
  SET LOCAL session_replication_role = origin;
  INSERT INTO imports (entity, account_id, account_name, language, file_name, format, bytes, acting, status, created_at, finished_at,
      rows_total, rows_done, rows_new)
    SELECT 'fakultas', id, name, 'id', 'daftar-fakultas-dan-program-studi-2026.xlsx', 'xlsx', 20480, '{}', 'done', now(), now(), 5, 5, 5
    FROM accounts WHERE email = 'administrator@demo.test' AND NOT EXISTS (SELECT FROM imports WHERE entity = 'fakultas');
  WITH upload AS (
    INSERT INTO imports (entity, format, account_id, account_name, language, acting, file_name, bytes, status, sheets, problems, created_at, finished_at)
      SELECT 'workbook', 'xlsx', id, name, 'id', '{}', 'Formulir pengaturan PMB 2026 Universitas Percontohan Nusantara.xlsx', 48211, 'checked',
        '[{"slug":"fakultas","new":4,"changed":1,"unchanged":0,"wrong":1,"waiting":0}]', 1, now(), now()
      FROM accounts WHERE email = 'administrator@demo.test' AND NOT EXISTS (SELECT FROM imports WHERE entity = 'workbook')
      RETURNING id)
  INSERT INTO import_problems (import_id, number, sheet, row, letter, header, value, reason_en, reason_id)
    SELECT id, 1, 'Fakultas', 7, 'B', 'Nama', 'Fakultas Ilmu Sosial dan Ilmu Politik', 'This name is used already.',
      'Nama ini sudah dipakai.' FROM upload;
  WITH run AS (
    INSERT INTO selection_runs (wave_id, name, status, rules, counts, checks, input_hash, output_hash, created_at, created_by)
      SELECT r.wave_id, 'Simulasi gelombang pertama dengan kelebihan tawaran', 'computed', jsonb_build_object(
          'method', 'deferred_acceptance', 'ties', 'next', 'reservePercent', 20, 'lotSeed', 'percontohan', 'places', '[]'::jsonb,
          'holds', jsonb_build_array(jsonb_build_object('registrationId', r.id, 'programmeId', r.programme_id, 'kind', 'place',
            'reason', 'Juara pertama olimpiade sains nasional')),
          'tracks', jsonb_build_array(jsonb_build_object('trackId', r.track_id, 'ties', 'next')),
          'criteria', jsonb_build_array(jsonb_build_object('trackId', r.track_id, 'programmeId', NULL, 'tests', '[]'::jsonb))),
        '{"applicants": 1, "placed": 1, "held": 1, "kept": 0, "reserve": 0, "ms": 12}',
        '[{"rule": "quota", "faults": 0, "examples": []}, {"rule": "no_envy", "faults": 2, "examples": ["Informatika · Kelas Pagi"]}]',
        md5('in'), md5('out'), now(), a.id
      FROM (SELECT * FROM registrations WHERE status = 'verified' ORDER BY id LIMIT 1) r
      JOIN accounts a ON a.email = 'administrator@demo.test' WHERE NOT EXISTS (SELECT FROM selection_runs)
      RETURNING id, wave_id, rules->'holds'->0->>'registrationId' AS registration_id),
  quotas AS (
    INSERT INTO selection_quotas (selection_run_id, number, programme_detail_id, programme_id, class_programme_id, entry_level_id,
        places, ties, placed, waiting, last_total)
      SELECT run.id, row_number() OVER (ORDER BY d.id) - 1, d.id, d.programme_id, d.class_programme_id, d.entry_level_id,
        d.capacity + 5, 'next', 1, 4, 612.4
      FROM run JOIN programme_details d ON d.wave_id = run.wave_id
      RETURNING selection_run_id, number, programme_id, class_programme_id, entry_level_id)
  INSERT INTO selection_entries (selection_run_id, registration_id, position, programme_id, quota_number, scores, total, lot, outcome)
    SELECT q.selection_run_id, r.id, 1, r.programme_id, q.number, '{}', 0, 1, 'held'
    FROM run JOIN registrations r ON r.id::text = run.registration_id
    JOIN quotas q ON q.programme_id = r.programme_id AND q.class_programme_id = r.class_programme_id
      AND q.entry_level_id = r.entry_level_id;
  WITH upload AS (
    INSERT INTO imports (entity, account_id, account_name, language, acting, file_name, format, bytes, status, rows_total, rows_wrong,
        rows_new, rows_changed, problems, created_at)
      SELECT 'scores', id, name, 'id', '{}', 'Nilai CBT Gelombang 1 sesi pagi dari sistem Moodle kampus.xlsx', 'xlsx', 48211, 'checked',
        24, 1, 20, 2, 1, now()
      FROM accounts WHERE email = 'administrator@demo.test' AND NOT EXISTS (SELECT FROM score_imports)
      RETURNING id),
  file AS (
    INSERT INTO score_imports (id, wave_id, headers, samples, mapping, rows_unconfirmed)
      SELECT u.id, w.wave_id,
        '["No Peserta","Nama","Tanggal Lahir","TPA"]',
        '[["MDL-000017","Kartika Dewi Lestari Puspitasari","14/03/2008","104"],["MDL-000018","Nur Hidayati","02/01/2008","81"]]',
        jsonb_build_array(jsonb_build_object('header', 'No Peserta', 'as', 'number'), jsonb_build_object('header', 'Nama', 'as', 'name'),
          jsonb_build_object('header', 'Tanggal Lahir', 'as', 'birthDate'),
          jsonb_build_object('header', 'TPA', 'as', 'score', 'testId', t.id)), 1
      FROM upload u, tests t, (SELECT wave_id FROM registrations GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) w
      WHERE t.code = 'TPA'
      RETURNING id),
  problem AS (
    INSERT INTO import_problems (import_id, number, row, letter, header, value, reason_en, reason_id)
      SELECT id, 1, 2, 'D', 'TPA', '104', 'The score must be between 0 and 100.', 'Nilai harus antara 0 dan 100.' FROM file),
  person AS (
    INSERT INTO score_import_people (import_id, row, name, birth_date, candidates)
      SELECT id, 3, 'Nur Hidayati', '2008-01-02', ARRAY(SELECT r.id FROM registrations r WHERE status = 'paid' ORDER BY id LIMIT 2)
      FROM file)
  INSERT INTO score_import_lines (import_id, number, row, registration_id, test_id, score, parts, action, decided,
      version_before, score_before)
    SELECT f.id, row_number() OVER (), 4 + row_number() OVER (), s.registration_id, s.test_id, s.score, '{}', 'changed', false, 1, 55.5
    FROM file f, (SELECT * FROM test_scores WHERE score IS NOT NULL ORDER BY registration_id LIMIT 8) s;
  WITH run AS (
    INSERT INTO score_runs (wave_id, name, methods, input_hash, created_at)
      SELECT r.wave_id, 'Perhitungan nilai baku Gelombang 1 setelah koreksi kunci jawaban',
        jsonb_build_array(jsonb_build_object('testId', t.id, 'method', '{"kind":"standard","mean":50,"deviation":10}'::jsonb)),
        '9f2c4e1ab0', now()
      FROM tests t, (SELECT wave_id FROM registrations GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) r
      WHERE t.code = 'TPA' AND NOT EXISTS (SELECT FROM score_runs) RETURNING id)
  INSERT INTO final_scores (score_run_id, registration_id, test_id, score)
    SELECT run.id, s.registration_id, s.test_id, s.score / 2 + 12.3456 FROM run, test_scores s JOIN tests t ON t.id = s.test_id
    WHERE t.code = 'TPA' AND s.score IS NOT NULL LIMIT 40;
  WITH batch AS (
    INSERT INTO letter_batches (letter_kind_id, letter_template_id, language, total, status, started_at, started_by, worked_at)
      SELECT k.id, t.id, 'applicant', 12, 'running', now(), a.id, now()
      FROM letter_kinds k JOIN letter_templates t ON t.letter_kind_id = k.id, accounts a
      WHERE k.code = 'registration' AND a.email = 'panitia@demo.test' AND NOT EXISTS (SELECT FROM letter_batches)
      RETURNING id),
  chunk AS (
    INSERT INTO letter_batch_chunks (batch_id, number, people, registered_at, printed_at)
      SELECT id, n, 6, CASE n WHEN 1 THEN now() END, CASE n WHEN 1 THEN now() END FROM batch, generate_series(1, 2) n RETURNING *)
  INSERT INTO letter_batch_members (batch_id, registration_id, position, chunk, refusal, refusal_details)
    SELECT batch.id, r.id, r.position, (r.position + 5) / 6, CASE WHEN r.position < 3 THEN 'letter_not_registered' END, '{}'
    FROM batch, (SELECT id, row_number() OVER (ORDER BY id) AS position FROM registrations LIMIT 12) r;
  INSERT INTO driving_licences (account_id, drives, class, number, expires_on)
    SELECT account_id, true, 'A Umum', '1234567890123456', current_date + 30 * (row_number() OVER ())::int - 30
    FROM (SELECT DISTINCT account_id FROM registrations WHERE status = 'enrolled' LIMIT 12) a ON CONFLICT DO NOTHING;
  WITH delivery AS (
    INSERT INTO jacket_deliveries (supplier, reference, received_on, created_at)
      SELECT 'Konveksi Almamater Percontohan Nusantara Sejahtera', 'SJ/2026/000417', current_date, now()
      WHERE NOT EXISTS (SELECT FROM jacket_deliveries) RETURNING id)
  INSERT INTO jacket_movements (kind, size, quantity, delivery_id, at)
    SELECT 'delivery', s.size, 20, d.id, now() FROM delivery d, jacket_stock s WHERE s.size <> 'XXL';
  WITH given AS (
    INSERT INTO jacket_hand_outs (registration_id, size, handed_at, signature)
      SELECT id, 'L', now(), 'M40 150L120 40L180 160L260 60L330 150L520 90' FROM registrations
      WHERE status = 'enrolled' AND NOT EXISTS (SELECT FROM jacket_hand_outs) ORDER BY id LIMIT 5 RETURNING id)
  INSERT INTO jacket_movements (kind, size, quantity, hand_out_id, at) SELECT 'hand_out', 'L', -1, id, now() FROM given;
  WITH token AS (
    INSERT INTO campus_tokens (name, token_hash, with_identity, every_programme, created_at, created_by, last_used_at)
      SELECT 'SIAKAD Universitas Percontohan Nusantara (produksi)', sha256('look'), true, true, now(), id, now() FROM accounts
      WHERE NOT EXISTS (SELECT FROM campus_tokens) ORDER BY created_at LIMIT 1 RETURNING id)
  INSERT INTO campus_calls (token_id, at, ip, outcome, changed_since, students)
    SELECT id, now(), '2001:db8:85a3:8d3:1319:8a2e:370:7348', 'answered', now(), 500 FROM token, generate_series(1, 30);
  INSERT INTO feeder_regions (code, name, region_code) SELECT '056001', 'Kec. Percontohan Nusantara Sejahtera', '35.78.01'
    WHERE NOT EXISTS (SELECT FROM feeder_regions);
  INSERT INTO feeder_sendings (registration_id, target, state, requested_at, refused_at, reason, detail)
    SELECT registration_id, 'demo', 'refused', now(), now(), 'contradicts', 'nama_mahasiswa, tanggal_lahir, nama_ibu_kandung'
    FROM students ORDER BY npm LIMIT 3 ON CONFLICT DO NOTHING;
  INSERT INTO feeder_results (registration_id, target, npm, outcome, act, error_code, detail, at)
    SELECT registration_id, 'demo', npm, 'contradicts', 'GetBiodataMahasiswa', 0, 'nama_mahasiswa, tanggal_lahir, nama_ibu_kandung', now()
    FROM (SELECT * FROM students ORDER BY npm LIMIT 3) s WHERE NOT EXISTS (SELECT FROM feeder_results);
  WITH mail AS (
    INSERT INTO report_mails (owner_id, name, report, question, columns, rhythm, weekday, hour, format, skips_empty, next_due_at,
        created_at, updated_at)
      SELECT id, 'Pendaftaran yang menunggu keputusan untuk rapat pimpinan mingguan', 'status-pendaftaran',
        'by=programme,wave&compare=no', '{waiting,medianDays}', 'weekly', 1, 7, 'xlsx', true, now() + interval '3 days', now(), now()
      FROM accounts WHERE email = 'administrator@demo.test' AND NOT EXISTS (SELECT FROM report_mails)
      RETURNING id, owner_id),
  recipients AS (
    INSERT INTO report_mail_recipients (mail_id, account_id)
      SELECT mail.id, a.id FROM mail, accounts a WHERE a.email IN ('administrator@demo.test', 'pimpinan@demo.test')
      RETURNING mail_id, account_id)
  INSERT INTO report_mail_runs (mail_id, due_at, account_id, by_hand, state, reason, error, rows, created_at, finished_at)
    SELECT mail_id, date_trunc('hour', now()) - days * interval '7 days', account_id, false, state, reason, error, rows, now(), now()
    FROM recipients, (VALUES (1, 'failed', NULL, 'interrupted', NULL), (2, 'refused', 'without_right', NULL, NULL),
      (3, 'empty', NULL, NULL, 0), (4, 'handed', NULL, NULL, 24)) AS run (days, state, reason, error, rows)`

/** Looks up one value in the demo university's database. */
export type Lookup = (sql: string) => Promise<string | undefined>

/** Adds the missing demo rows and passes a lookup in the database to `work`. */
export async function withDemoRows<T>(databaseUrl: string, work: (lookup: Lookup) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(extraRows)
    const knownIds = new Map<string, string | undefined>()
    return await work(async (sql) => {
      if (!knownIds.has(sql)) {
        const { rows } = await client.query({ text: sql, rowMode: 'array' })
        knownIds.set(sql, (rows[0] as string[] | undefined)?.[0])
      }
      return knownIds.get(sql)
    })
  } finally {
    await client.end()
  }
}

const rowOf = (table: string, condition = 'true') => `SELECT id FROM ${table} WHERE ${condition} ORDER BY id LIMIT 1`

/** Screens whose `:id` is not a row of master data. */
const idQueries: readonly [path: RegExp, sql: string][] = [
  [/^\/pendaftaran\/voucher\//, rowOf('registrations', `status = 'submitted'`)],
  [/^\/master\/prodi\/:id\/(program|file)\//, rowOf('registrations', `status = 'paid'`)],
  [/^\/seleksi\/kuota\//, rowOf('programme_details')],
  [/^\/seleksi\/:id/, rowOf('selection_runs')],
  [/^\/surat\/massal\/:id/, rowOf('letter_batches')],
  [/^\/surat\/:id/, rowOf('letter_kinds')],
  [/^\/settings\/url\//, rowOf('menus')],
  [/^\/settings\/accounts\//, rowOf('accounts', `email = 'panitia@demo.test'`)],
  [/^\/settings\/permissions\//, 'SELECT slug FROM permissions ORDER BY slug LIMIT 1'],
  [/^\/settings\/roles\//, rowOf('roles', `name = 'Panitia PMB'`)],
  [/^\/settings\/whatsapp\//, rowOf('whatsapp_connections')],
  [/^\/settings\/campus\//, rowOf('campus_tokens')],
  [/^\/mahasiswa-feeder\//, `SELECT registration_id FROM feeder_sendings ORDER BY registration_id LIMIT 1`],
  [/^\/settings\/providers\//, rowOf('provider_accounts')],
  [/^\/settings\/opening\/workbook\//, rowOf('imports', `entity = 'workbook'`)],
  [/^\/import-nilai-cbt\/runs\//, rowOf('score_runs')],
  [/^\/import-nilai-cbt\//, rowOf('score_imports')],
  [/^\/settings\/imports\//, rowOf('imports', `entity = 'fakultas'`)],
  [/^\/(berkas|npm)-mahasiswa\//, rowOf('registrations', `status = 'confirmed'`)],
  [/^\/pendaftaran\/:id\/data-mahasiswa/, rowOf('registrations', `status = 'confirmed'`)],
  [/^\/pembayaran-mahasiswa\//, rowOf('payments')],
  [/^\/transaksi-va\//, rowOf('virtual_accounts')],
  [/^\/jaket-mahasiswa\//, `SELECT registration_id FROM jacket_hand_outs ORDER BY registration_id LIMIT 1`],
  [/^\/sim-mahasiswa\//, `SELECT account_id FROM driving_licences WHERE drives ORDER BY account_id LIMIT 1`],
  [/^\/jadwal-test\//, `SELECT test_session_id FROM test_session_rooms ORDER BY test_session_id LIMIT 1`],
  [/^\/afiliator\//, `SELECT lower(code) FROM affiliates WHERE public ORDER BY code LIMIT 1`],
  [/^\/komisi\/pencairan\//, rowOf('payout_runs')],
  [/^\/laporan-kiriman\//, rowOf('report_mails')],
  [/^\/marketing\/prospek\//, rowOf('leads')],
  [/^\/marketing\/data-survey-siswa\//, rowOf('surveys')],
  [/^\/event-afiliator\//, rowOf('events')],
  [/^\/acara\//, `SELECT slug FROM events WHERE status = 'published' ORDER BY registration_closes DESC LIMIT 1`],
  [/^\/rekonsiliasi\//, rowOf('reconciliation_days', 'open_differences > 0')],
]

/** Master views of nested entities: the tables their forms edit, and the parent column. */
const below: Record<string, { table: string; parent: string }> = {
  'prodi/edit/': { table: 'programme_details', parent: 'programme_id' },
  'prodi/edit-uang-kuliah/': { table: 'tuition_fees', parent: 'programme_id' },
  'jalur/edit-jalur-file/': { table: 'track_files', parent: 'track_id' },
  'jalur/edit/': { table: 'track_details', parent: 'track_id' },
  'provinsi/edit-kota/': { table: 'cities', parent: 'province_id' },
  'kota/edit-kecamatan/': { table: 'districts', parent: 'city_id' },
  'kecamatan/edit-kelurahan/': { table: 'villages', parent: 'district_id' },
  'diskon/edit-voucher/': { table: 'vouchers', parent: 'discount_id' },
  'sma/edit/': { table: 'school_majors', parent: 'school_type_id' },
}

/** Address of a screen with ids of the demo university; undefined if the demo has no row for it. */
export async function addressOf(path: string, lookup: Lookup): Promise<string | undefined> {
  if (!path.includes(':')) return path
  if (path === '/sandbox-bank/:number?') return '/sandbox-bank'
  if (/:token|:code/.test(path)) return path.replace(/:\w+/, 'tidak-ada-atau-sudah-lewat')
  if (path === '/verify-email/:id') return '/verify-email/00000000-0000-4000-8000-000000000000'
  const master = /^\/master\/([\w-]+)\/(?:view\/:id|:id\/?([\w-]*\/?))/.exec(path)
  const idQuery = idQueries.find(([pattern]) => pattern.test(path))
  if (idQuery) {
    const id = await lookup(idQuery[1])
    return id && path.replace(/:\w+\??/g, id)
  }
  if (!master) {
    const id = await lookup(rowOf('registrations', `status = 'paid'`))
    return id && path.replace(/:\w+/g, id)
  }
  const child = below[`${master[1]}/${master[2] ?? ''}`]
  if (!child) {
    const id = await lookup(rowOf(getEntity(master[1]!).table))
    return id && path.replace(/:\w+/g, id)
  }
  const parent = await lookup(`SELECT ${child.parent} FROM ${child.table} ORDER BY id LIMIT 1`)
  const id = parent && (await lookup(rowOf(child.table, `${child.parent} = '${parent}'`)))
  return id && path.replace(':id', parent).replace(/:\w+/, id)
}
