import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportRecord } from '#domain/transfer/endpoints.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { csvOf, importing } from '#server-test/factories/sheets/sheets.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let use: ReturnType<typeof importing>

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  await academicFixture(t.db)
  use = importing(t, staff)
})
afterAll(() => t.close())

type Cells = readonly (string | number)[]

/** Problems of one row below this header, in English and Indonesian. */
async function problemsOf(slug: string, header: Cells, ...rows: Cells[]) {
  const found = await use.check(slug, csvOf([header, ...rows]))
  const read = async (language: string) =>
    (await staff.get(`/imports/${found.id}/problems`, { 'accept-language': language })).json().data as {
      row: number
      header: string | null
      reason: string
    }[]
  return { found, en: await read('en'), id: await read('id') }
}

const discount = ['Kode', 'Nama', 'Jenis', 'Nilai', 'Berlaku dari', 'Berlaku sampai', 'Dapat digabung', 'Rincian dana']

describe('a row', () => {
  it.each([
    ['an empty required cell', ['D1', '', '', 1, '', '', '', ''], 'Nama', 'Name is required for a new row.'],
    ['an unknown choice', ['D2', 'N', 'separuh', 1, '', '', '', ''], 'Jenis', /Percent, Fixed amount/],
    ['text for a number', ['D3', 'N', '', 'banyak', '', '', '', ''], 'Nilai', 'This is not a number.'],
    ['an ambiguous number', ['D4', 'N', '', '1.500', '', '', '', ''], 'Nilai', /thousand or a fraction/],
    ['a number below the minimum', ['D5', 'N', '', -1, '', '', '', ''], 'Nilai', 'Must be at least 0.'],
    ['a day that does not exist', ['D6', 'N', '', 1, '30/02/2026', '', '', ''], 'Berlaku dari', /not a date/],
    [
      'an end before its beginning',
      ['D7', 'N', '', 1, '2026-02-01', '2026-01-01', '', ''],
      'Berlaku sampai',
      /after|Valid from/i,
    ],
    [
      'neither yes nor no',
      ['D8', 'N', '', 1, '', '', 'mungkin', ''],
      'Dapat digabung',
      'Please answer with yes or no.',
    ],
    [
      'an unknown name',
      ['D9', 'N', '', 1, '', '', '', 'Tidak Ada'],
      'Rincian dana',
      /No fee component is called “Tidak Ada”/,
    ],
    ['a malformed code', ['?9', 'N', '', 1, '', '', '', ''], 'Kode', /Letters, digits/],
    ['a text that is too long', ['X'.repeat(21), 'N', '', 1, '', '', '', ''], 'Kode', /at most 20/],
  ])('with %s has a problem beside its column', async (_, row, header, reason) => {
    const { found, en, id } = await problemsOf('diskon', discount, row)
    expect(en).toMatchObject([{ row: 2, header, reason: expect.stringMatching(reason) }])
    expect(id[0]!.reason).not.toBe(en[0]!.reason)
    expect(found.rows).toMatchObject({ new: 0, wrong: 1 })
  })

  it('with several problems reports all of them, and so does every other row', async () => {
    const { en, found } = await problemsOf(
      'diskon',
      discount,
      ['', '', 'x', 'x', 'x', 'x', 'w', 'x'],
      ['E1', '', '', 'y', '', '', '', ''],
    )
    expect(en.filter(({ row }) => row === 2)).toHaveLength(8)
    expect(en.filter(({ row }) => row === 3).map(({ header }) => header)).toEqual(['Nilai', 'Nama'])
    expect(found).toMatchObject({ problems: 10, rows: { wrong: 2 } })
  })

  it("equal to an earlier row of the file has a problem that gives the earlier row's number", async () => {
    const { en } = await problemsOf('fakultas', ['Kode', 'Nama'], ['F9', 'A'], ['G9', 'B'], ['f9', 'C'])
    expect(en).toMatchObject([{ row: 4, header: 'Kode', reason: 'Row 2 of this file already says the same.' }])
  })

  it('with a combination that another row has gets a problem', async () => {
    const header = ['Kode periode', 'Kode jalur', 'Jumlah']
    const { found } = await problemsOf('biaya-pendaftaran', header, ['G1', 'REG', '1.000.000'])
    await use.run(found.id)
    const again = await problemsOf('biaya-pendaftaran', header, ['G1', 'REG', 'Rp 1.000.000'], ['G1', 'REG', 2])
    expect(again.found.rows).toMatchObject({ unchanged: 1, wrong: 1 })
    expect(again.en[0]!.row).toBe(3)
  })

  it('gives exactly one of two alternatives', async () => {
    const plan = (await staff.post('/master/cicilan', { code: 'P1', name: 'Rencana' })).json().data.id
    const file = csvOf([
      ['Urutan', 'Bagian', 'Jumlah tetap', 'Hari setelah tagihan'],
      [1, '50%', 1000, 7],
      [2, '', '', 7],
    ])
    const found = await use.check('cicilan-termin', file, { query: `?parentId=${plan}` })
    expect(found.rows.wrong).toBe(2)
    const problems = (await staff.get(`/imports/${found.id}/problems`)).json().data
    expect(problems.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
      [2, 'shareBps'],
      [2, 'amount'],
      [3, 'shareBps'],
      [3, 'amount'],
    ])
  })

  it('with a name that two rows have gets a problem with their codes, and is understood by code', async () => {
    for (const code of ['AM1', 'AM2']) await staff.post('/master/fakultas', { code, name: 'Kembar' })
    const header = ['Kode', 'Nama', 'Fakultas', 'Kode fakultas', 'Kode jenjang', 'Kode NPM']
    const { en, found } = await problemsOf(
      'prodi',
      header,
      ['P1', 'Prodi', 'Kembar', '', 'S1', '91'],
      ['P2', 'Prodi', 'Kembar', 'AM2', 'S1', '92'],
      ['P3', 'Prodi', 'am1', '', 'S1', '93'],
      ['P4', 'Prodi', 'AM2 · Kembar', '', 'S1', '94'],
    )
    expect(en).toMatchObject([{ row: 2, header: 'Fakultas', reason: expect.stringContaining('AM1, AM2') }])
    expect(found.rows).toMatchObject({ new: 3, wrong: 1 })
  })

  it('may not refer to an inactive row, unless it does so already', async () => {
    const faculty = (await staff.post('/master/fakultas', { code: 'OLD', name: 'Lama' })).json().data
    const header = ['Kode', 'Nama', 'Kode fakultas', 'Kode jenjang', 'Kode NPM']
    await use.import('prodi', csvOf([header, ['Q1', 'Prodi', 'OLD', 'S1', '95']]))
    await staff.put(`/master/fakultas/${faculty.id}/active`, { active: false, version: faculty.version })
    const { en, found } = await problemsOf(
      'prodi',
      header,
      ['Q1', 'Nama baru', 'OLD', 'S1', '95'],
      ['Q2', 'Prodi', 'OLD', 'S1', '96'],
    )
    expect(found.rows).toMatchObject({ changed: 1, wrong: 1 })
    expect(en).toMatchObject([{ row: 3, reason: 'This choice is not active any more.' }])
  })
})

describe('a nested row', () => {
  it('finds its parent by a column, by name or code, or by the address of the upload', async () => {
    const header = ['Jenis sekolah', 'Nama']
    const { found } = await problemsOf('sma-jurusan', header, ['SMA', 'Jurusan A'], ['Tidak Ada', 'Jurusan B'])
    expect(found.rows).toMatchObject({ new: 1, wrong: 1 })
    const parent = (await staff.get('/master/sma?q=SMK')).json().data[0]
    const below = await use.import('sma-jurusan', csvOf([['Nama'], ['Jurusan C']]), { query: `?parentId=${parent.id}` })
    expect(below).toMatchObject({ status: 'done', parentTitle: parent.name })
    const listed = (await staff.get(`/master/sma/${parent.id}/jurusan?q=Jurusan%20C`)).json().data
    expect(listed).toHaveLength(1)
  })

  it('of another parent than the address is refused', async () => {
    const parent = (await staff.get('/master/sma?q=SMK')).json().data[0]
    const file = csvOf([
      ['Jenis sekolah', 'Nama'],
      ['SMA', 'Jurusan D'],
    ])
    const found = await use.check('sma-jurusan', file, { query: `?parentId=${parent.id}` })
    expect(found.rows).toMatchObject({ new: 0, wrong: 1 })
  })
})

describe('a header', () => {
  const failing = async (bytes: Buffer): Promise<ImportRecord> => use.check('fakultas', bytes)

  it('is understood in either language, by technical name, in any order and case, with asterisks and with remarks above', async () => {
    const found = await failing(Buffer.from('# from another system\n\nDEKAN;name *;Kode\nProf.;Fakultas;HD1\n'))
    expect(found).toMatchObject({ status: 'checked', rows: { new: 1 } })
    expect(found.columns.found.map(({ key }) => key)).toEqual(['dean', 'name', 'code'])
  })

  it('names unknown and missing columns', async () => {
    const found = await failing(
      csvOf([
        ['Kode', 'Warna'],
        ['FTI', 'biru'],
      ]),
    )
    expect(found.columns).toMatchObject({ unknown: ['Warna'], missing: ['name'] })
    expect(found.rows).toMatchObject({ unchanged: 1, wrong: 0 })
  })

  it.each([
    [
      'without a known column',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
      'no_known_column',
    ],
    [
      'with the same column twice',
      [
        ['Kode', 'Code', 'Nama'],
        ['1', '2', '3'],
      ],
      'column_twice',
    ],
    ['without the code', [['Nama'], ['Fakultas']], 'key_column_missing'],
    ['without rows below it', [['Kode', 'Nama']], 'no_rows'],
  ])('%s is one problem', async (_, rows, failure) => {
    const found = await failing(csvOf(rows))
    expect(found).toMatchObject({ status: 'failed', failure })
  })
})

describe('a file', () => {
  const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding)
  const text = 'Kode;Nama\nENC1;"Fakultas Café; Ilmu ""Baru"""\n'

  it.each([
    ['UTF-8 with a byte order mark', bytes(`\uFEFF${text}`, 'utf8')],
    ['UTF-8 without one', bytes(text, 'utf8')],
    ['Latin-1', bytes(text, 'latin1')],
    ['UTF-16 as spreadsheets save it', bytes(`\uFEFF${text}`, 'utf16le')],
    ['commas', bytes(text.replace('Kode;Nama', 'Kode,Nama').replace('ENC1;', 'ENC1,'), 'utf8')],
    ['tabs', bytes(text.replace('Kode;Nama', 'Kode\tNama').replace('ENC1;', 'ENC1\t'), 'utf8')],
    ['a declared separator', bytes(`sep=;\r\n${text}`, 'utf8')],
  ])('in %s gives the same rows', async (_, content) => {
    await use.import('fakultas', content)
    const row = (await staff.get('/master/fakultas?q=ENC1')).json().data[0]
    expect(row.name).toBe('Fakultas Café; Ilmu "Baru"')
  })

  it('keeps text that looks like a formula as text, with and without its apostrophe', async () => {
    await use.import(
      'fakultas',
      csvOf([
        ['Kode', 'Nama'],
        ['FRM', "'=1+1"],
      ]),
    )
    expect((await staff.get('/master/fakultas?q=FRM')).json().data[0].name).toBe('=1+1')
  })

  it.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]), 422],
    ['empty', Buffer.alloc(0), 422],
  ])('that is %s is refused at once', async (_, content, status) => {
    const answer = await staff.upload('/master/agama/imports', { name: 'x.csv', type: 'text/csv', bytes: content })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([status, ['file']])
  })

  it.each([
    ['with a password', 'EncryptedPackage', 'This Excel file is protected with a password.'],
    ['in old Excel format', 'Workbook', 'This is an old Excel file (.xls).'],
  ])('%s is refused at once, with advice', async (_, streamName, sentence) => {
    const header = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const bytes = Buffer.concat([header, Buffer.alloc(504), Buffer.from(streamName, 'utf16le'), Buffer.alloc(512)])
    for (const path of ['/master/agama/imports', '/kirim-informasi/sheets']) {
      const answer = await staff.upload(path, { name: 'daftar.xlsx', type: 'text/csv', bytes })
      expect([answer.statusCode, answer.json().errors.file]).toEqual([422, [expect.stringContaining(sentence)]])
    }
  })

  it('that claims to be a workbook but is not has a problem', async () => {
    const found = await use.check('agama', Buffer.from('PK\x03\x04 but no more'), { name: 'x.xlsx' })
    expect(found).toMatchObject({ status: 'failed', failure: 'unreadable' })
    const rows = await staff.get(`/imports/${found.id}/problem-rows`, { 'accept-language': 'en' })
    expect([rows.statusCode, rows.body]).toEqual([
      200,
      '\uFEFFRow,Problem\r\n,The file cannot be read. It may be damaged or protected by a password.\r\n',
    ])
  })
})
