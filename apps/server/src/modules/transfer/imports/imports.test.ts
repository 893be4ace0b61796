import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { csvOf, importing, xlsxOfRows } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { workThrough } from './work/work-through.ts'

let t: TestApp
let staff: TestActor
let academic: Awaited<ReturnType<typeof academicFixture>>
let use: ReturnType<typeof importing>

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  academic = await academicFixture(t.db)
  use = importing(t, staff)
})
afterAll(() => t.close())

const religions = (...codes: string[]) =>
  csvOf([['Kode PDDikti', 'Nama'], ...codes.map((code) => [code, `Agama ${code}`])])
const count = async (table: string) =>
  (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(t.db)).rows[0]!.n
const reasons = async (id: string, query = '') =>
  (await staff.get(`/imports/${id}/problems${query}`)).json().data as {
    row: number
    level: string
    header: string
    reason: string
  }[]

describe('an import', () => {
  it('is checked first and writes nothing', async () => {
    const before = await count('religions')
    const found = await use.check('agama', religions('701', '702'))
    expect(found).toMatchObject({ status: 'checked', percent: 100, rows: { total: 2, new: 2, changed: 0, wrong: 0 } })
    expect(await count('religions')).toBe(before)
  })

  it('writes every row with an audit entry, and only once, however often it is requested', async () => {
    const found = await use.check('agama', religions('703', '704'))
    const before = await count('religions')
    expect((await use.run(found.id)).data).toMatchObject({ status: 'done', rows: { new: 2 } })
    expect((await use.run(found.id)).data.status).toBe('done')
    expect(await count('religions')).toBe(before + 2)
    const { rows } = await sql<{ actor: string; reason: string; name: string }>`
      SELECT actor_name AS actor, reason, after->>'name' AS name FROM audit_log
      WHERE action = 'agama.create' AND after->>'code' IN ('703', '704') ORDER BY id`.execute(t.db)
    expect(rows.map(({ name }) => name)).toEqual(['Agama 703', 'Agama 704'])
    expect(rows[0]).toMatchObject({ actor: 'Petugas Administrator', reason: 'Import: daftar.csv' })
  })

  it('leaves exactly the audit entry a form would leave; times, names and numbers are shortened alike', async () => {
    const cells = { name: 'Afiliator Contoh', kind: 'alumni', phone: '081234567890', bankAccount: '1234567890' }
    const byForm = await staff.post('/master/afiliator', { code: 'LOG-1', ...cells })
    expect(byForm.statusCode, byForm.body).toBe(201)
    const rowsOfFile = [
      ['code', ...Object.keys(cells)],
      ['LOG-2', ...Object.values(cells)],
    ]
    const imported = await use.import('afiliator', csvOf(rowsOfFile))
    expect(imported).toMatchObject({ status: 'done', rows: { new: 1 } })
    const { rows } = await sql<{ after: Record<string, unknown> }>`SELECT after FROM audit_log
      WHERE action = 'afiliator.create' AND after->>'code' LIKE 'LOG-%' ORDER BY after->>'code'`.execute(t.db)
    const [form, sheet] = rows.map(({ after }) => after)
    expect(sheet!.bankAccount).toBe('••••7890')
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(sheet).toEqual({ ...form, id: sheet!.id, code: 'LOG-2', createdAt: moment, updatedAt: moment })
  })

  it('reports nothing to change if the same file is sent again', async () => {
    const file = religions('705')
    await use.run((await use.check('agama', file)).id)
    const again = await use.check('agama', file)
    expect(again.rows).toMatchObject({ new: 0, changed: 0, unchanged: 1 })
    const answer = await staff.post(`/imports/${again.id}/run`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'import_changes_nothing'])
  })

  it('changes rows whose code exists, keeps fields the file does not have, and leaves a history', async () => {
    await use.import(
      'fakultas',
      csvOf([
        ['Kode', 'Nama', 'Dekan'],
        ['IMP', 'Fakultas Impor', 'Prof. Ani'],
      ]),
    )
    const second = await use.check(
      'fakultas',
      csvOf([
        ['code', 'name'],
        ['imp', 'Fakultas Baru'],
      ]),
    )
    expect(second.rows).toMatchObject({ new: 0, changed: 1 })
    await use.run(second.id)
    const row = (await staff.get('/master/fakultas?q=Fakultas%20Baru')).json().data[0]
    expect(row).toMatchObject({ code: 'imp', dean: 'Prof. Ani', version: 2 })
    const history = (await staff.get(`/master/fakultas/${row.id}/history`)).json().data
    expect(history[0].changes.map((change: { field: string }) => change.field)).toEqual(['code', 'name'])
  })

  it('reads every person of a file with mixed line endings', async () => {
    const people = ['Sri Mulyani', 'Joko Susilo', 'Dewi Lestari'].map((name, index) => `ML-${index},${name},alumni,`)
    const file = Buffer.from(`Code,Name,Kind,Phone\r\n${people.join('081200000101\n')}081200000103\r\n`)
    expect(await use.import('afiliator', file)).toMatchObject({ status: 'done', rows: { new: 3, wrong: 0 } })
    const { data } = (await staff.get('/master/afiliator?q=ML-&sort=code')).json()
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Sri Mulyani', 'Joko Susilo', 'Dewi Lestari'])
  })

  it('names only the rows with more or fewer cells than headings', async () => {
    const found = await use.check(
      'fakultas',
      Buffer.from('Kode,Nama,Dekan\nLBR-1,Satu,Ani\nLBR-2,Dua\nLBR-3,Tiga,Budi,S.T.\n'),
    )
    expect(found.rows).toMatchObject({ new: 1, wrong: 2 })
    expect(await reasons(found.id)).toMatchObject([
      { row: 3, reason: expect.stringContaining('This row has 2 cells, but there are 3 headings.') },
      { row: 4, reason: expect.stringContaining('This row has 4 cells, but there are 3 headings.') },
    ])
  })

  it('skips a title above the headings, and says which row it took as the headings', async () => {
    const file = Buffer.from('Daftar Fakultas, 2026\n\nKode;Nama;Dekan\nJDL-1;Satu;Ani\n#2;Dua;Budi\n')
    const found = await use.check('fakultas', file)
    expect(found).toMatchObject({ rows: { new: 1, wrong: 1 }, warnings: 1 })
    expect((await reasons(found.id)).map(({ row, level, reason }) => [row, level, reason])).toEqual([
      [5, 'problem', expect.any(String)],
      [3, 'warning', 'Row 3 was taken for the headings. The rows above it are left out.'],
    ])
    const { body } = await staff.get(`/imports/${found.id}/problem-rows`, { 'accept-language': 'en' })
    expect(body.replace('\uFEFF', '').split('\r\n').slice(0, 2)).toEqual([
      'Kode,Nama,Dekan,Row,Problem',
      expect.stringMatching(/^#2,Dua,Budi,5,/),
    ])
  })

  it('reads rows below the headings even if they begin with #', async () => {
    const found = await use.check('fakultas', Buffer.from('# Catatan\nKode,Nama\n#1,Fakultas Pagar\n'))
    expect(found.rows.new + found.rows.wrong).toBe(1)
  })

  describe('numbers as spreadsheets store them', () => {
    const columns = [
      ...(['code', 'name', 'kind', 'phone'] as const).map((key) => ({ key, label: key, kind: 'text' as const })),
      { key: 'bankAccount', label: 'Account number', kind: 'number' as const },
    ]
    const person = { name: 'Sumiati', kind: 'alumni', phone: '081234567801' }
    const peopleWith = (prefix: string, ...accounts: number[]) =>
      xlsxOfRows(
        columns,
        accounts.map((bankAccount, index) => ({ code: `${prefix}-${index}`, ...person, bankAccount })),
      )

    it('refuses those of sixteen digits or more, whose last digits are lost', async () => {
      const found = await use.check('afiliator', await peopleWith('PTG', 3_170_000_000_000_000, 1.2345678901234567e19))
      expect(found.rows).toMatchObject({ new: 0, wrong: 2 })
      expect(await reasons(found.id)).toMatchObject([
        { row: 2, header: 'Account number', reason: expect.stringContaining('Excel keeps 15 digits') },
        { row: 3, header: 'Account number', reason: expect.stringContaining('Excel keeps 15 digits') },
      ])
      const asCsv = await use.check(
        'agama',
        csvOf([
          ['Kode PDDikti', 'Nama'],
          ['3,17501E+15', 'Agama'],
        ]),
      )
      expect(asCsv.rows).toMatchObject({ new: 0, wrong: 1 })
    })

    it('warns that an identifying number may lack zeros, and writes the row', async () => {
      const found = await use.check('afiliator', await peopleWith('NOL', 123_456_789))
      expect(found).toMatchObject({ rows: { new: 1, wrong: 0 }, problems: 0, warnings: 1 })
      expect(await reasons(found.id)).toMatchObject([
        { row: 2, level: 'warning', header: 'Account number', reason: expect.stringContaining('Zeros') },
      ])
      expect((await staff.get(`/imports/${found.id}/problem-rows`)).body).not.toContain('Sumiati')
      expect((await use.run(found.id)).data).toMatchObject({ status: 'done', rows: { new: 1 }, warnings: 1 })
    })

    it('does not warn if the length is fixed, because no zero can be missing', async () => {
      const school = [
        ...[{ key: 'npsn', label: 'NPSN', kind: 'number' as const }],
        ...['name', 'schoolTypeId', 'cityId'].map((key) => ({ key, label: key, kind: 'text' as const })),
      ]
      const found = await use.check('sma-nama', await xlsxOfRows(school, [{ npsn: 20_100_001, name: 'SMA Contoh' }]))
      expect(found.warnings).toBe(0)
    })
  })

  it('writes nothing at all if one row has a problem', async () => {
    const before = await count('religions')
    const found = await use.check('agama', religions('706', 'SALAH', '707'))
    expect(found.rows).toMatchObject({ new: 2, wrong: 1 })
    const refused = await use.run(found.id)
    expect([refused.statusCode, refused.data.status]).toEqual([409, 'checked'])
    expect(await count('religions')).toBe(before)
  })

  it('rolls back everything if the database refuses the last row, and reports which row and why', async () => {
    const codes = Array.from({ length: 1200 }, (_, i) => [`B${i}`, `Bangsa ${i}`])
    const found = await use.check('fakultas', csvOf([['Kode', 'Nama'], ...codes]))
    expect(found.rows).toMatchObject({ new: 1200, wrong: 0 })
    await sql`ALTER TABLE faculties ADD CONSTRAINT no_last CHECK (code <> 'B1199')`.execute(t.owner)
    const before = await count('faculties')
    const { data } = await use.run(found.id)
    await sql`ALTER TABLE faculties DROP CONSTRAINT no_last`.execute(t.owner)
    expect(data).toMatchObject({ status: 'failed', failure: 'rows_refused', rows: { wrong: 1 } })
    expect(await reasons(found.id)).toMatchObject([{ row: 1201, reason: 'The database refuses this row.' }])
    expect(await count('faculties')).toBe(before)
    expect(await sql`SELECT 1 FROM audit_log WHERE after->>'code' = 'B0'`.execute(t.db)).toMatchObject({ rows: [] })
  })

  it('finds in the check what only the database knows: shares that exceed the whole', async () => {
    const plan = await staff.post('/master/cicilan', { code: 'IMPOR', name: 'Rencana impor' })
    const rows = csvOf([
      ['Urutan', 'Bagian', 'Hari setelah tagihan'],
      [1, '60%', 7],
      [2, '60%', 30],
    ])
    const found = await use.check('cicilan-termin', rows, { query: `?parentId=${plan.json().data.id}` })
    expect(found.rows.wrong).toBe(1)
    expect(await reasons(found.id)).toMatchObject([{ row: 3, header: null }])
  })

  it('runs the second of two imports after the first, so that the same rows are written once', async () => {
    const file = religions('711', '712')
    const [one, two] = [await use.check('agama', file), await use.check('agama', file)]
    const before = await count('religions')
    for (const { id } of [one, two]) await staff.post(`/imports/${id}/run`)
    await Promise.all([one, two].map(({ id }) => workThrough(t.services, id, 'run')))
    await t.runJobs()
    expect(await count('religions')).toBe(before + 2)
    const after = [await use.read(one.id), await use.read(two.id)]
    expect(after.map(({ status }) => status)).toEqual(['done', 'done'])
    expect(after.map(({ rows }) => rows.new).sort()).toEqual([0, 2])
  })

  it('is processed once, even if its job is delivered twice', async () => {
    const found = await use.check('agama', religions('713'))
    await staff.post(`/imports/${found.id}/run`)
    await Promise.all([workThrough(t.services, found.id, 'run'), workThrough(t.services, found.id, 'run')])
    expect((await use.read(found.id)).status).toBe('done')
  })

  it('leaves nothing behind if it is stopped in the middle', async () => {
    const rows = Array.from({ length: 4000 }, (_, i) => [`C${i}`, `Cabang ${i}`])
    const found = await use.check('fakultas', csvOf([['Kode', 'Nama'], ...rows]))
    const before = await count('faculties')
    await staff.post(`/imports/${found.id}/run`)
    const working = workThrough(t.services, found.id, 'run')
    for (let tries = 0; tries < 500; tries++) {
      const { rows } = await use.read(found.id)
      if (rows.done >= 1000) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const answer = await staff.post(`/imports/${found.id}/cancel`)
    await working
    expect([answer.statusCode, (await use.read(found.id)).status]).toEqual([200, 'cancelled'])
    expect(await count('faculties')).toBe(before)
  })

  it('is stopped at once while it is queued, and never begins', async () => {
    const found = await use.check('agama', religions('714'))
    await staff.post(`/imports/${found.id}/run`)
    expect((await staff.post(`/imports/${found.id}/cancel`)).json().data.status).toBe('cancelled')
    await t.runJobs()
    expect((await use.read(found.id)).status).toBe('cancelled')
    expect((await staff.get('/master/agama?q=714')).json().data).toEqual([])
  })

  it('is shown as failed after its server ended, and may be checked again', async () => {
    const found = await use.check('agama', religions('715'))
    await sql`UPDATE imports SET status = 'running', heartbeat_at = ${new Date(t.clock.now().getTime() - 300_000)}
      WHERE id = ${found.id}`.execute(t.db)
    expect(await use.read(found.id)).toMatchObject({ status: 'failed', failure: 'interrupted' })
    expect((await staff.post(`/imports/${found.id}/check`)).statusCode).toBe(200)
    await t.runJobs()
    expect(await use.read(found.id)).toMatchObject({ status: 'checked', rows: { new: 1 } })
  })

  it('does not overwrite a row that another user changes at the same moment', async () => {
    await use.import(
      'fakultas',
      csvOf([
        ['Kode', 'Nama'],
        ['BAL', 'Balapan'],
      ]),
    )
    const found = await use.check(
      'fakultas',
      csvOf([
        ['Kode', 'Nama'],
        ['BAL', 'Dari berkas'],
      ]),
    )
    await staff.post(`/imports/${found.id}/run`)
    // Changes the row after it was read and before it is written, which only a trigger can do.
    await sql`CREATE FUNCTION sneak() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.version := OLD.version; RETURN NULL; END $$`.execute(t.owner)
    await sql`CREATE TRIGGER sneak BEFORE UPDATE ON faculties FOR EACH ROW EXECUTE FUNCTION sneak()`.execute(t.owner)
    await t.runJobs()
    await sql`DROP TRIGGER sneak ON faculties`.execute(t.owner)
    expect(await use.read(found.id)).toMatchObject({ status: 'failed', failure: 'rows_refused' })
    expect((await reasons(found.id))[0]!.reason).toMatch(/same moment/)
  })

  it('deletes the sheet after a month and keeps the record', async () => {
    const found = await use.import('agama', religions('716'))
    await sql`UPDATE imports SET created_at = now() - interval '40 days' WHERE id = ${found.id}`.execute(t.db)
    const { forgetImportFilesJob } = await import('./imports.job.ts')
    await forgetImportFilesJob.run(t.services, {})
    expect(await use.read(found.id)).toMatchObject({ hasFile: false, status: 'done', rows: { new: 1 } })
    expect((await staff.get(`/imports/${found.id}/file`)).statusCode).toBe(409)
  })
})

describe('permission and scope', () => {
  it('needs the permission to create before it accepts a sheet', async () => {
    const reader = await asWithPermissions(t, ['master-agama-view', 'master-agama-update'])
    const answer = await reader.upload('/master/agama/imports', {
      name: 'a.csv',
      type: 'text/csv',
      bytes: religions('1'),
    })
    expect(answer.statusCode).toBe(403)
  })

  it('shows users who may add but not change which rows would change', async () => {
    await use.import('agama', religions('720'))
    const adder = await asWithPermissions(t, ['master-agama-create'])
    const file = csvOf([
      ['Kode PDDikti', 'Nama'],
      ['720', 'Nama lain'],
      ['721', 'Baru'],
    ])
    const found = await use.check('agama', file, { actor: adder })
    expect(found.rows).toMatchObject({ new: 1, wrong: 1 })
    const problems = (await adder.get(`/imports/${found.id}/problems`)).json().data
    expect(problems[0].reason).toMatch(/add rows but not change/)
  })

  it('is private: an applicant and a colleague do not find it, an auditor may only look', async () => {
    const found = await use.check('agama', religions('722'))
    const applicant = await asApplicant(t)
    const colleague = await asWithPermissions(t, ['master-agama-create', 'settings-imports-view'])
    const auditor = await asWithPermissions(t, ['audit-view', 'master-agama-create', 'settings-imports-view'])
    for (const other of [applicant, colleague]) {
      expect((await other.get(`/imports/${found.id}`)).statusCode).toBe(404)
      expect((await other.get(`/imports/${found.id}/file`)).statusCode).toBe(404)
    }
    expect((await colleague.get('/imports')).json().data).toEqual([])
    expect((await applicant.get('/imports')).statusCode).toBe(403)
    expect((await auditor.get(`/imports/${found.id}`)).statusCode).toBe(200)
    expect((await auditor.post(`/imports/${found.id}/run`)).statusCode).toBe(403)
  })

  it('checks the permission again at the run, and stops if it was withdrawn since the check', async () => {
    const fleeting = await asWithPermissions(t, ['master-agama-create'])
    const found = await use.check('agama', religions('723'), { actor: fleeting })
    await sql`DELETE FROM role_permissions WHERE role_id = (SELECT role_id FROM accounts WHERE id = ${fleeting.accountId})`.execute(
      t.db,
    )
    await expect.poll(async () => (await fleeting.get('/master/agama/template')).statusCode).toBe(403)
    expect((await fleeting.post(`/imports/${found.id}/run`)).statusCode).toBe(403)
  })

  it('limits a role to its programme', async () => {
    const [own] = academic.programmes
    const limited = await asWithPermissions(
      t,
      ['master-uang-kuliah-create', 'master-uang-kuliah-edit', 'master-prodi-view'],
      { programmeIds: [own] },
    )
    const row = (programme: string) => [programme, 'G1', 'PAGI', '', 'SPP', 1_234_000]
    const component = await staff.post('/master/rincian-dana', { code: 'IMPSPP', name: 'SPP impor' })
    expect(component.statusCode).toBe(201)
    const header = [
      'Kode program studi',
      'Kode periode',
      'Kode program kelas',
      'Kode jalur',
      'Kode rincian dana',
      'Jumlah',
    ]
    const file = csvOf([
      header,
      ...['IF', 'SI'].map(row).map((cells) => cells.map((cell) => (cell === 'SPP' ? 'IMPSPP' : cell))),
    ])
    const found = await use.check('uang-kuliah', file, { actor: limited })
    expect(found.rows).toMatchObject({ new: 1, wrong: 1 })
    const problems = (await limited.get(`/imports/${found.id}/problems`)).json().data
    expect(problems).toMatchObject([{ row: 3, reason: 'Your role is limited to other study programmes.' }])
  })
})

describe('the file of problems', () => {
  it('has the rows as sent with reasons, and can be imported as it is', async () => {
    const file = csvOf(
      [
        ['Kode PDDikti', 'Nama'],
        ['730', '=1+1'],
        ['TUJ', '"Kutip", dan koma'],
        ['731', ''],
      ],
      ';',
    )
    const found = await use.check('agama', file)
    const answer = await staff.get(`/imports/${found.id}/problem-rows`, { 'accept-language': 'id' })
    const lines = answer.body.replace('\uFEFF', '').trim().split('\r\n')
    expect(lines[0]).toBe('Kode PDDikti;Nama;Baris;Masalah')
    expect(lines[1]).toBe('TUJ;"""Kutip"", dan koma";3;Kode PDDikti: Satu sampai tiga angka')
    expect(lines[2]).toBe('731;;4;Nama: Nama wajib diisi untuk baris baru.')
    expect(lines).toHaveLength(3)
    const again = await use.check('agama', answer.rawPayload)
    expect(again.columns.unknown).toEqual([])
    expect(again.rows.wrong).toBe(2)
  })

  it('pages, searches and filters the problems', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [`X${i}`, i % 2 ? '' : `Nama ${i}`])
    const found = await use.check('agama', csvOf([['Kode PDDikti', 'Nama'], ...rows]))
    expect(found.problems).toBe(90)
    const page = (await staff.get(`/imports/${found.id}/problems?page=2&per_page=25&field=code`)).json()
    expect([page.data.length, page.meta.total]).toEqual([25, 60])
    expect((await reasons(found.id, '?q=X17')).map(({ row }) => row)).toEqual([19])
  })
})

describe('a workbook', () => {
  it('that was exported contains no changes when it is imported again', async () => {
    const sheet = await staff.get('/master/prodi/export?format=xlsx')
    const found = await use.check('prodi', sheet.rawPayload, { name: 'prodi.xlsx' })
    expect(found.rows).toMatchObject({ new: 0, changed: 0, unchanged: 2, wrong: 0 })
    expect(found.columns.unknown).toEqual([])
  })

  it('made from the template is understood, and its lists name the rows that may be referred to', async () => {
    const template = await staff.get('/master/prodi/template?format=xlsx')
    expect(template.headers['content-disposition']).toContain('prodi-template.xlsx')
    const empty = await use.check('prodi', template.rawPayload, { name: 't.xlsx' })
    expect(empty).toMatchObject({ status: 'failed', failure: 'no_rows' })
    expect(empty.columns.missing).toEqual([])
    expect(empty.columns.unknown).toEqual([])
    const csv = await staff.get('/master/prodi/template?format=csv', { 'accept-language': 'id' })
    expect(csv.body).toContain('# code;name;nameEn;facultyId;facultyId.code')
    expect(csv.body).toContain('Kode *;Nama *')
  })

  it('may have numbers, dates, shares and booleans as spreadsheets store them', async () => {
    const file = await xlsxOfRows(
      [
        { key: 'code', label: 'Code', kind: 'text' },
        { key: 'name', label: 'Name', kind: 'text' },
        { key: 'value', label: 'Value', kind: 'number' },
        { key: 'validFrom', label: 'Valid from', kind: 'date' },
        { key: 'stackable', label: 'Can be combined', kind: 'text' },
      ],
      [{ code: 'DX', name: 'Diskon', value: 12.5, validFrom: '2026-11-27', stackable: 'ya' }],
    )
    const found = await use.import('diskon', file, { name: 'd.xlsx' })
    expect(found.status).toBe('done')
    const row = (await staff.get('/master/diskon?q=DX')).json().data[0]
    expect(row).toMatchObject({ value: 12.5, validFrom: '2026-11-27', stackable: true, kind: 'percent' })
  })
})
