import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withUrlChanged } from '#server/platform/database/database-url.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { asOwner, createDatabase, dropDatabase, freshDatabase } from '#server-test/database.ts'

const name = `pmb_test_joined_imports_${process.pid}`
let server: Awaited<ReturnType<typeof freshDatabase>>
let url: string
beforeAll(async () => {
  server = await freshDatabase()
  await createDatabase(server.connectionString, name, 'template0')
  url = withUrlChanged(server.connectionString, (parts) => {
    parts.pathname = `/${name}`
  })
  await migrate(url, '0025')
  await asOwner(url, fill)
}, 120_000)
afterAll(async () => {
  await dropDatabase(server.connectionString, name)
  await server.giveBack()
})

const id = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`
const [account, wave, list, workbook, scores, file, person] = [1, 2, 3, 4, 5, 6, 7].map(id)

/** An import of each kind, each with a problem; the workbook was undone, the scores are written. */
const fill = (client: pg.Client) =>
  client.query(`
    INSERT INTO roles (id, name) VALUES ('${account}', 'Panitia');
    INSERT INTO accounts (id, name, email, role_id, language) VALUES ('${account}', 'Sari', 'sari@kampus.test', '${account}', 'en');
    INSERT INTO waves (id, code, academic_year, name, semester_code, opens_at, closes_at)
      VALUES ('${wave}', 'G1', '2026/2027', 'Gelombang 1', '20261', now(), now() + interval '1 day');
    INSERT INTO files (id, storage_key, name, mime, bytes, sha256, purpose)
      VALUES ('${file}', 'key', 'nilai.csv', 'text/csv', 7, 'x', 'import');
    INSERT INTO imports (id, entity, account_id, account_name, language, file_name, format, bytes, acting, status, problems, created_at)
      VALUES ('${list}', 'agama', '${account}', 'Sari', 'id', 'agama.csv', 'csv', 5, '{}', 'checked', 1, now());
    INSERT INTO import_problems (import_id, number, row, field, header, value, reason_en, reason_id)
      VALUES ('${list}', 1, 2, 'code', 'Kode', 'X', 'Unknown', 'Tidak dikenal');
    INSERT INTO workbook_imports (id, account_id, account_name, language, acting, file_name, bytes, status, sheets, problems, warnings,
        created_at, finished_at, undone_at, undone_by)
      VALUES ('${workbook}', '${account}', 'Sari', 'id', '{"role":null}', 'formulir.xlsx', 6, 'undone', '[{"slug":"fakultas","new":1}]',
        1, 2, '2026-01-01Z', '2026-01-02Z', '2026-01-03Z', 'Budi');
    INSERT INTO workbook_problems (import_id, number, sheet, row, letter, header, value, reason_en, reason_id, level)
      VALUES ('${workbook}', 1, 'Fakultas', NULL, NULL, NULL, NULL, 'Unknown sheet', 'Lembar tidak dikenal', 'warning');
    INSERT INTO workbook_rows (import_id, entity, row_id, version) VALUES ('${workbook}', 'fakultas', '${person}', 1);
    INSERT INTO score_imports (id, account_id, account_name, wave_id, file_id, file_name, format, bytes, headers, samples, mapping, status,
        rows_total, rows_wrong, rows_unconfirmed, rows_ignored, scores_new, scores_changed, scores_unchanged, scores_decided, problems,
        version, created_at, written_at)
      VALUES ('${scores}', '${account}', 'Sari', '${wave}', '${file}', 'nilai.csv', 'csv', 7, '["Kode"]', '[]', '[]', 'done',
        9, 1, 2, 3, 4, 5, 6, 7, 8, 3, '2026-02-01Z', '2026-02-02Z');
    INSERT INTO score_import_problems (import_id, number, row, letter, header, value, reason_en, reason_id)
      VALUES ('${scores}', 1, 3, 'B', 'Nilai', '104', 'Too high', 'Terlalu tinggi');
    SET session_replication_role = replica;
    INSERT INTO score_import_lines (import_id, number, row, registration_id, test_id, score, parts, action, decided, version_before)
      VALUES ('${scores}', 1, 2, '${person}', '${person}', 80, '{}', 'new', false, 0);
    INSERT INTO test_scores (registration_id, test_id, score, import_id) VALUES ('${person}', '${person}', 80, '${scores}');
    SET session_replication_role = origin`)

test('a database with imports of every kind keeps them in one table, with their problems', async () => {
  expect(await migrate(url)).toContain('0026_imports.sql')
  await asOwner(url, async (client) => {
    const rowsOf = async (query: string) => (await client.query(query)).rows
    expect(
      await rowsOf(`SELECT id, entity, account_id, language, acting, file_id, file_name, format, bytes, status, sheets, problems,
        warnings, rows_total, rows_wrong, rows_new, rows_changed, rows_unchanged, created_at, finished_at, undone_at, undone_by
        FROM imports ORDER BY id`),
    ).toMatchObject([
      { id: list, entity: 'agama', status: 'checked', sheets: [], undone_at: null },
      {
        ...{ id: workbook, entity: 'workbook', account_id: account, language: 'id', acting: { role: null } },
        ...{ file_id: null, file_name: 'formulir.xlsx', format: 'xlsx', bytes: '6', status: 'undone' },
        ...{ sheets: [{ slug: 'fakultas', new: 1 }], problems: '1', warnings: 2, undone_by: 'Budi' },
        ...{
          created_at: new Date('2026-01-01'),
          finished_at: new Date('2026-01-02'),
          undone_at: new Date('2026-01-03'),
        },
      },
      {
        ...{ id: scores, entity: 'scores', language: 'en', file_id: file, format: 'csv', bytes: '7', status: 'done' },
        ...{ problems: '8', rows_total: '9', rows_wrong: '1', rows_new: '4', rows_changed: '5', rows_unchanged: '6' },
        ...{ created_at: new Date('2026-02-01'), finished_at: new Date('2026-02-02'), undone_at: null },
      },
    ])
    expect(await rowsOf('SELECT * FROM score_imports')).toMatchObject([
      {
        id: scores,
        wave_id: wave,
        headers: ['Kode'],
        rows_unconfirmed: 2,
        rows_ignored: 3,
        scores_decided: 7,
        version: 3,
      },
    ])
    expect(await rowsOf('SELECT * FROM import_problems ORDER BY import_id')).toEqual([
      ...[
        { import_id: list, row: 2, field: 'code', header: 'Kode', value: 'X', reason_en: 'Unknown' },
        { import_id: workbook, sheet: 'Fakultas', level: 'warning', reason_en: 'Unknown sheet' },
        { import_id: scores, row: 3, letter: 'B', header: 'Nilai', value: '104', reason_en: 'Too high' },
      ].map((problem) => expect.objectContaining({ number: 1, level: 'problem', ...problem })),
    ])
  })
})

test('deleting an import deletes its problems and the rows that undoing it needs, except scores it wrote', async () => {
  await asOwner(url, async (client) => {
    await client.query(`DELETE FROM imports WHERE id = '${workbook}'`)
    const { rows } = await client.query(`SELECT (SELECT count(*) FROM workbook_rows) AS written,
      (SELECT count(*) FROM import_problems WHERE import_id = '${workbook}') AS problems`)
    expect(rows).toEqual([{ written: '0', problems: '0' }])
    await expect(client.query(`DELETE FROM imports WHERE id = '${scores}'`)).rejects.toMatchObject({ code: '23001' })
  })
})
