import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aUniversity, bookOf, type Sheets, workbooks } from '#server-test/factories/sheets/workbooks.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { workOnWorkbook } from './work-on-workbook.ts'

let t: TestApp
let staff: TestActor
let use: ReturnType<typeof workbooks>

beforeEach(async () => {
  t = await testApp()
  staff = await asStaff(t)
  use = workbooks(t, staff)
})
afterEach(() => t.close())

const count = async (table: string) =>
  (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(t.db)).rows[0]!.n

const smallBook = (name = 'Fakultas Teknik'): Sheets => ({
  Fakultas: [
    ['Kode', 'Nama'],
    ['FT', name],
  ],
  'Program studi': [
    ['Kode', 'Nama', 'Kode fakultas', 'Kode jenjang', 'Kode NPM'],
    ['IF', 'Informatika', 'FT', 'S1', '55'],
  ],
})

describe('a university of 5 faculties and 40 programmes', () => {
  it('is complete after one upload, and the same file again changes nothing', async () => {
    const bytes = await bookOf(aUniversity())
    const record = await use.import(bytes)
    expect(record).toMatchObject({ status: 'done', problems: 0, rows: { changed: 0, wrong: 0, waiting: 0 } })
    expect([await count('faculties'), await count('study_programmes'), await count('tuition_fees')]).toEqual([
      5, 40, 640,
    ])
    const again = await use.check(bytes)
    expect(again.rows).toEqual({ new: 0, changed: 0, unchanged: record.rows.new, wrong: 0, waiting: 0 })
    expect(codeOf(await staff.post(`/workbook/imports/${again.id}/run`))).toEqual([409, 'import_changes_nothing'])
  })

  it('is checked first, which writes nothing; every row written is in the audit log', async () => {
    const checked = await use.check(await bookOf(smallBook()))
    expect(checked).toMatchObject({ status: 'checked', rows: { new: 2 } })
    expect(checked.sheets.map(({ slug, new: added }) => [slug, added])).toEqual([
      ['fakultas', 1],
      ['prodi', 1],
    ])
    expect(await count('faculties')).toBe(0)
    const [first, second] = [await use.write(checked.id), await use.write(checked.id)]
    expect([first.record.status, second.record.status]).toEqual(['done', 'done'])
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_log WHERE reason LIKE 'Workbook: %' ORDER BY id`.execute(t.db)
    expect(rows.map(({ action }) => action)).toEqual(['fakultas.create', 'prodi.create'])
  })
})

describe('a workbook with mistakes', () => {
  it('of thirty kinds lists exactly thirty, each with its position, in both languages', async () => {
    const book = aUniversity()
    const at = (sheet: string, row: number, column: number, value: string | number) => {
      book[sheet]![row]![column] = value
    }
    const add = (sheet: string, ...cells: (string | number)[]) => book[sheet]!.push(cells)
    at('Fakultas', 1, 0, 'F*T') // 1 character not allowed in codes; eight programmes that refer to it are pending
    at('Fakultas', 2, 1, '') // 2 name missing
    add('Fakultas', 'FIK', 'Dua kali') // 3 code twice
    add('Fakultas', 'KODETERLALUPANJANG', 'Panjang') // 4 code too long
    for (const row of book['Program studi']!) if (row[2] === 'FT') row[2] = 'F*T'
    at('Program studi', 3, 2, 'XX') // 5 unknown faculty
    at('Program studi', 4, 3, 'S9') // 6 unknown degree level
    at('Program studi', 5, 4, '') // 7 NPM code missing
    at('Program studi', 8, 4, 'a b') // 8 NPM code with a space
    add('Periode', 'W6', '2027', 'Gelombang 6', '20271', '2027-07-01', '2027-07-31') // 9 academic year
    add('Periode', 'W7', '2027/2028', 'Gelombang 7', '20271', '2027-07-01', '1 Maret 2027') // 10 closes before it opens
    add('Periode', 'W3', '2027/2028', 'Gelombang 3', '20279', '2027-07-01', '2027-07-31') // 11 semester
    add('Periode', 'W4', '2027/2028', 'Gelombang 4', '20271', 'besok', '2027-07-31') // 12 no date
    add('Periode', 'W5', '2027/2028', 'Gelombang 5', '20271', '2027-02-30', '2027-07-31') // 13 nonexistent day
    at('Jalur', 2, 2, 'Istimewa') // 14 unknown choice
    add('Jalur', 'BEA', 'Beasiswa', 'Beasiswa', 'mungkin') // 15 neither yes nor no
    at('Detail prodi', 3, 4, 'banyak') // 16 not a number
    at('Detail prodi', 10, 4, -1) // 17 below zero
    at('Detail prodi', 11, 4, 1.5) // 18 not a whole number
    book['Uang kuliah']!.push([...book['Uang kuliah']!.find(([code]) => code === 'P9')!]) // 19 duplicate row
    at('Uang kuliah', 200, 4, 'sejuta') // 20 not an amount
    at('Uang kuliah', 201, 3, 'TIDAK ADA') // 21 unknown component
    at('Berkas jalur', 1, 3, 'PDF; DOC') // 22 unknown type
    at('Tes', 1, 2, '#REF!') // 23 broken formula
    at('Jadwal tes', 1, 4, '25:00') // 24 invalid time
    at('Biaya pendaftaran', 2, 1, '') // 25 amount missing
    add('Termin', 'DUA', 3, '10%', 120) // 26 shares above 100%
    add('Termin', 'TIGA', 1, '100%', 14) // 27 unknown plan
    book.Sumbangan![0]![2] = 'Minimal' // 28 heading renamed
    book.Catatan = [['apa saja'], ['sesuatu']] // 29 unknown sheet
    book['Detail jalur']![0]!.push('Warna') // 30 unknown column
    const record = await use.check(await bookOf(book))
    const problems = await use.problems(record.id)
    expect(
      problems.map(({ sheet, row, letter, value, reason }) => [sheet, row, letter, value, reason]),
    ).toMatchSnapshot()
    expect([record.problems, problems.length]).toEqual([30, 30])
    const indonesian = await use.problems(record.id, 'id')
    expect(indonesian.filter(({ reason }, index) => reason === problems[index]!.reason)).toEqual([])
    expect(codeOf(await staff.post(`/workbook/imports/${record.id}/run`))).toEqual([409, 'workbook_has_problems'])
    expect(await count('faculties')).toBe(0)
  })

  it('with nonexistent dates and numbers too large for a bill has one problem in each of these cells', async () => {
    const book = aUniversity(1)
    const waveAt = (code: string, year: string, opensAt: string, closesAt: string) =>
      book.Periode!.push([code, year, `Gelombang ${code}`, '20271', opensAt, closesAt])
    waveAt('Y1', '2027/2028', '2027-01-04', '9999-12-31')
    waveAt('Y2', '2027/2028', '0001-01-01', '2027-12-31')
    waveAt('Y3', '2027/2028', '2027-01-04', '9999-12-31 23:59')
    waveAt('Y4', '2027/2029', '2027-01-04', '2027-12-31')
    book['Uang kuliah']![1]![4] = 1e30
    book['Uang kuliah']![2]![4] = '1E+30'
    const record = await use.check(await bookOf(book))
    expect([record.status, record.problems]).toEqual(['checked', 6])
    const problems = await use.problems(record.id)
    const range = 'Please enter a date between 1900 and 2199.'
    expect(problems.map(({ sheet, value, reason }) => [sheet, value, reason])).toEqual([
      ['Periode', '9999-12-31', range],
      ['Periode', '0001-01-01', range],
      ['Periode', '9999-12-31 23:59', range],
      ['Periode', '2027/2029', 'For example 2026/2027'],
      ['Uang kuliah', expect.anything(), expect.stringContaining('Excel keeps 15 digits')],
      ['Uang kuliah', '1E+30', expect.stringContaining('Excel keeps 15 digits')],
    ])
  })

  it('gives its problems as a file', async () => {
    const { id } = await use.check(
      await bookOf({
        Fakultas: [
          ['Kode', 'Nama'],
          ['F*T', 'Teknik'],
        ],
      }),
    )
    const file = await staff.get(`/workbook/imports/${id}/problems/export?format=csv`)
    expect(file.statusCode).toBe(200)
    expect(file.body).toContain('F*T')
  })
})

describe('writing', () => {
  it('requested by two administrators at once happens once; both see that it runs', async () => {
    const colleague = await asStaff(t)
    const { id } = await use.check(await bookOf(smallBook()))
    const answers = await raceBehind(t, sql`SELECT FROM imports WHERE id = ${id} FOR UPDATE`, 3, () =>
      Promise.all([staff, colleague, staff].map((actor) => actor.post(`/workbook/imports/${id}/run`))),
    )
    expect(answers.map((answer) => [answer.statusCode, answer.json().data?.status])).toEqual(
      Array(3).fill([200, 'running']),
    )
    await t.runJobs()
    expect(await count('faculties')).toBe(1)
    const { rows } = await sql`SELECT FROM audit_log WHERE action = 'workbook.run'`.execute(t.db)
    expect(rows).toHaveLength(1)
  })

  it('delays a second workbook, which then changes nothing', async () => {
    const bytes = await bookOf(smallBook())
    const [one, two] = [await use.check(bytes), await use.check(bytes)]
    for (const { id } of [one, two]) await staff.post(`/workbook/imports/${id}/run`)
    await Promise.all([one, two].map(({ id }) => workOnWorkbook(t.services, id, 'run')))
    await t.runJobs()
    const after = [await use.read(one.id), await use.read(two.id)]
    expect(after.map(({ status, failure }) => [status, failure]).sort()).toEqual([
      ['checked', 'changed_since_check'],
      ['done', null],
    ])
    expect(await count('faculties')).toBe(1)
  })

  it('does only what the check said: if data changed since, it shows the new result first', async () => {
    const { id } = await use.check(await bookOf(smallBook()))
    await staff.post('/master/fakultas', { code: 'FT', name: 'Fakultas Lain' })
    const { record } = await use.write(id)
    expect(record).toMatchObject({ status: 'checked', failure: 'changed_since_check', rows: { new: 1, changed: 1 } })
    expect((await use.write(id)).record).toMatchObject({ status: 'done' })
  })

  it('rolls back everything if the database refuses the last row', async () => {
    const { id } = await use.check(await bookOf(aUniversity(3)))
    await sql`ALTER TABLE donations ADD CONSTRAINT none CHECK (minimum_amount > 0)`.execute(t.owner)
    const { record } = await use.write(id)
    expect(record).toMatchObject({ status: 'checked', problems: 1 })
    expect([await count('faculties'), await count('workbook_rows')]).toEqual([0, 0])
  })

  it('happens once, even if its job is delivered twice', async () => {
    const { id } = await use.check(await bookOf(smallBook()))
    await staff.post(`/workbook/imports/${id}/run`)
    await Promise.all([workOnWorkbook(t.services, id, 'run'), workOnWorkbook(t.services, id, 'run')])
    await t.runJobs()
    expect(await use.read(id)).toMatchObject({ status: 'done' })
    expect(await count('workbook_rows')).toBe(2)
  })
})

describe('undoing', () => {
  it('removes all added rows and restores all changed ones', async () => {
    await use.import(await bookOf(smallBook()))
    const changing = smallBook('Fakultas Teknik dan Sains')
    changing.Periode = aUniversity().Periode!
    changing['Program studi']!.push(['SI', 'Sistem Informasi', 'FT', 'S1', '57'])
    const { id } = await use.import(await bookOf(changing))
    expect(await use.previewUndo(id)).toEqual({ deleted: 3, restored: 1, editedSince: 0, reasons: [] })
    expect(await count('waves')).toBe(2)
    const undone = await use.undo(id)
    expect(undone.json().data).toMatchObject({ status: 'undone', undoneBy: 'Petugas Administrator' })
    expect([await count('waves'), await count('study_programmes')]).toEqual([0, 1])
    expect(await t.db.selectFrom('faculties').select(['name', 'version']).execute()).toEqual([
      { name: 'Fakultas Teknik', version: 3 },
    ])
    expect(codeOf(await use.undo(id))).toEqual([409, 'wrong_status'])
  })

  it('undoes a whole university, which can be written again', async () => {
    const bytes = await bookOf(aUniversity(3))
    const { id, rows } = await use.import(bytes)
    const undone = await use.undo(id)
    expect(undone.statusCode, undone.body).toBe(200)
    expect([await count('faculties'), await count('tuition_fees'), await count('test_sessions')]).toEqual([0, 0, 0])
    expect((await use.import(bytes)).rows.new).toBe(rows.new)
  })

  it('lists every reason, and undoes nothing while something is used or was changed since', async () => {
    await use.import(await bookOf(smallBook()))
    const { id } = await use.import(
      await bookOf({
        Fakultas: [
          ['Kode', 'Nama'],
          ['FT', 'Nama Baru'],
          ['FH', 'Fakultas Hukum'],
          ['FK', 'Fakultas Kedokteran'],
        ],
        Periode: aUniversity().Periode!,
      }),
    )
    const faculties = await t.db.selectFrom('faculties').select(['id', 'code', 'version']).execute()
    const idOf = (code: string) => faculties.find((row) => row.code === code)!.id
    const degree = await t.db.selectFrom('degreeLevels').select('id').where('code', '=', 'S1').executeTakeFirstOrThrow()
    const programme = { name: 'Hukum', facultyId: idOf('FH'), degreeLevelId: degree.id, npmCode: '70' }
    for (const code of ['HK', 'HB'])
      await t.db
        .insertInto('studyProgrammes')
        .values({ ...programme, code })
        .execute()
    await t.db.updateTable('faculties').set({ name: 'Sunting', version: 3 }).where('code', '=', 'FT').execute()
    const preview = await use.previewUndo(id)
    expect(preview.reasons).toEqual([
      { sheet: 'Faculties', row: 'Sunting', reason: 'Changed since by Petugas Administrator.' },
      { sheet: 'Faculties', row: 'Fakultas Hukum', reason: 'Used by 2 study programmes.' },
    ])
    expect(codeOf(await use.undo(id))).toEqual([409, 'workbook_rows_used'])
    expect([await count('faculties'), await count('waves')]).toEqual([3, 2])
    expect(await use.read(id)).toMatchObject({ status: 'done' })
  })

  it('counts added rows that were edited since, and skips those deleted since', async () => {
    const { id } = await use.import(await bookOf(smallBook()))
    await t.db.updateTable('faculties').set({ version: 2 }).execute()
    await t.db.deleteFrom('studyProgrammes').execute()
    expect(await use.previewUndo(id)).toEqual({ deleted: 1, restored: 0, editedSince: 1, reasons: [] })
    expect((await use.undo(id)).statusCode).toBe(200)
    expect(await count('faculties')).toBe(0)
  })
})

describe('discarding', () => {
  const discard = (id: string) => staff.post(`/workbook/imports/${id}/discard`)
  const audits = (id: string) =>
    t.db.selectFrom('auditLog').select('action').where('subjectId', '=', id).orderBy('id').execute()

  it('deletes an upload with its problems and its file', async () => {
    const record = await use.check(
      await bookOf({
        Fakultas: [
          ['Kode', 'Nama'],
          ['F1', ''],
        ],
      }),
    )
    expect(record).toMatchObject({ status: 'checked', problems: 1 })
    const { fileId } = await t.db
      .selectFrom('imports')
      .select('fileId')
      .where('id', '=', record.id)
      .executeTakeFirstOrThrow()
    expect((await discard(record.id)).json()).toEqual({ data: { id: record.id } })
    expect((await staff.get(`/workbook/imports/${record.id}`)).statusCode).toBe(404)
    expect(await t.db.selectFrom('importProblems').selectAll().where('importId', '=', record.id).execute()).toEqual([])
    const file = await t.db.selectFrom('files').select('deletedAt').where('id', '=', fileId!).executeTakeFirstOrThrow()
    expect(file.deletedAt).not.toBeNull()
    expect((await audits(record.id)).map(({ action }) => action)).toEqual(['workbook.upload', 'workbook.discard'])
  })

  it('is refused once the workbook was written or undone, so that undoing stays possible', async () => {
    const record = await use.import(
      await bookOf({
        Fakultas: [
          ['Kode', 'Nama'],
          ['FBUANG', 'Fakultas Buang'],
        ],
      }),
    )
    expect(record.status).toBe('done')
    expect((await discard(record.id)).json().code).toBe('wrong_status')
    await use.undo(record.id)
    expect((await discard(record.id)).json().code).toBe('wrong_status')
    expect((await use.read(record.id)).status).toBe('undone')
  })

  it('and writing at the same moment: only one of them happens', async () => {
    const record = await use.check(
      await bookOf({
        Fakultas: [
          ['Kode', 'Nama'],
          ['FLOMBA', 'Fakultas Lomba'],
        ],
      }),
    )
    const answers = await Promise.all([discard(record.id), staff.post(`/workbook/imports/${record.id}/run`)])
    expect(answers.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1)
    await t.runJobs()
    const written = await t.db.selectFrom('faculties').select('id').where('code', '=', 'FLOMBA').execute()
    expect(written).toHaveLength(answers[0]!.statusCode < 300 ? 0 : 1)
  })
})

describe('a role that may', () => {
  const rights = ['settings-opening-view', 'settings-opening-update']

  it('only view can do nothing else, and a workbook needs the rights of every sheet', async () => {
    const reader = await asWithPermissions(t, ['settings-opening-view'])
    expect((await reader.get('/workbook')).statusCode).toBe(403)
    expect((await reader.get('/workbook/imports')).statusCode).toBe(200)
    const file = { name: 'a.xlsx', type: 'a/b', bytes: await bookOf(smallBook()) }
    expect((await reader.upload('/workbook/imports', file)).statusCode).toBe(403)
    const changer = await asWithPermissions(t, [...rights, 'master-fakultas-create', 'master-fakultas-update'])
    expect(codeOf(await changer.upload('/workbook/imports', file))).toEqual([403, 'forbidden'])
    expect((await asWithPermissions(t, []).then((nobody) => nobody.get('/workbook'))).statusCode).toBe(403)
  })

  it('see only some programmes can do nothing here', async () => {
    await use.import(await bookOf(smallBook()))
    const { id } = await t.db.selectFrom('studyProgrammes').select('id').executeTakeFirstOrThrow()
    const limited = await asWithPermissions(t, rights, { programmeIds: [id] })
    expect(codeOf(await limited.get('/workbook/imports'))).toEqual([403, 'needs_every_programme'])
    expect(codeOf(await limited.get('/workbook'))).toEqual([403, 'needs_every_programme'])
  })
})
