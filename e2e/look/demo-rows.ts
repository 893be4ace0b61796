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
  -- A connection needs the approval of a second person, which a picture of its page does not.
  SET LOCAL session_replication_role = replica;
  INSERT INTO provider_accounts (code, kind, name, base_url)
    VALUES ('look', 'xendit', 'Bank Percontohan Pembangunan Daerah', 'https://xendit.example') ON CONFLICT DO NOTHING;
  SET LOCAL session_replication_role = origin;
  INSERT INTO imports (entity, account_id, account_name, language, file_name, format, bytes, acting, status, created_at, finished_at,
      rows_total, rows_done, rows_new)
    SELECT 'fakultas', id, name, 'id', 'daftar-fakultas-dan-program-studi-2026.xlsx', 'xlsx', 20480, '{}', 'done', now(), now(), 5, 5, 5
    FROM accounts WHERE email = 'administrator@demo.test' AND NOT EXISTS (SELECT FROM imports);
  WITH upload AS (
    INSERT INTO workbook_imports (account_id, account_name, language, acting, file_name, bytes, status, sheets, problems, created_at, finished_at)
      SELECT id, name, 'id', '{}', 'Formulir pengaturan PMB 2026 Universitas Percontohan Nusantara.xlsx', 48211, 'checked',
        '[{"slug":"fakultas","new":4,"changed":1,"unchanged":0,"wrong":1,"waiting":0}]', 1, now(), now()
      FROM accounts WHERE email = 'administrator@demo.test' AND NOT EXISTS (SELECT FROM workbook_imports)
      RETURNING id)
  INSERT INTO workbook_problems (import_id, number, sheet, row, letter, header, value, reason_en, reason_id)
    SELECT id, 1, 'Fakultas', 7, 'B', 'Nama', 'Fakultas Ilmu Sosial dan Ilmu Politik', 'This name is used already.',
      'Nama ini sudah dipakai.' FROM upload`

/** Looks one value up in the database of the demo university. */
export type Lookup = (sql: string) => Promise<string | undefined>

/** Adds the missing demo rows and hands a reader of the database to `work`. */
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
  [/^\/pendaftaran\/voucher\//, `SELECT code FROM vouchers LIMIT 1`],
  [/^\/master\/prodi\/:id\/(program|file)\//, rowOf('registrations', `status = 'paid'`)],
  [/^\/settings\/url\//, rowOf('menus')],
  [/^\/settings\/accounts\//, rowOf('accounts', `email = 'panitia@demo.test'`)],
  [/^\/settings\/permissions\//, 'SELECT slug FROM permissions ORDER BY slug LIMIT 1'],
  [/^\/settings\/roles\//, rowOf('roles', `name = 'Panitia PMB'`)],
  [/^\/settings\/whatsapp\//, rowOf('whatsapp_connections')],
  [/^\/settings\/providers\//, rowOf('provider_accounts')],
  [/^\/settings\/opening\/workbook\//, rowOf('workbook_imports')],
  [/^\/settings\/imports\//, rowOf('imports')],
  [/^\/pembayaran-mahasiswa\//, rowOf('payments')],
  [/^\/transaksi-va\//, rowOf('virtual_accounts')],
  [/^\/jadwal-test\//, `SELECT test_session_id FROM test_session_rooms ORDER BY test_session_id LIMIT 1`],
  [/^\/rekonsiliasi\//, rowOf('reconciliation_days', 'open_differences > 0')],
]

/** Master views of nested entities, and the tables their forms edit. */
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

/** The address of a screen with ids of the demo university in it; undefined when the demo has no row for it. */
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
