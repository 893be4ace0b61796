import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import yazl from 'yazl'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { bookOf, workbooks } from '#server-test/factories/sheets/workbooks.ts'
import { codeOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
let use: ReturnType<typeof workbooks>

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  use = workbooks(t, staff)
})
afterAll(() => t.close())

/** A workbook with one sheet of faculties that has this XML. */
async function rawBook(content: string | Iterable<string>, afterRows = '') {
  const zip = new yazl.ZipFile()
  const part = (text: string, name: string) => zip.addBuffer(Buffer.from(text), name)
  part(
    '<workbook xmlns:r="r"><sheets><sheet name="Fakultas" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/workbook.xml',
  )
  part(
    '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/_rels/workbook.xml.rels',
  )
  function* sheet() {
    yield '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Kode</v></c><c r="B1" t="str"><v>Nama</v></c><c r="C1" t="str"><v>Dekan</v></c></row>'
    yield* typeof content === 'string' ? [content] : content
    yield `</sheetData>${afterRows}</worksheet>`
  }
  zip.addReadStream(Readable.from(sheet(), { objectMode: false }), 'xl/worksheets/sheet1.xml')
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

function* millionRows() {
  const row = '<row><c t="str"><v>A</v></c></row>'
  for (let i = 0; i < 1000; i++) yield row.repeat(1000)
}

it.each<[string, () => Promise<Buffer>, string]>([
  ['a million rows', () => rawBook(millionRows()), 'too_many_rows'],
  ['nested elements', () => rawBook('<a>'.repeat(100_000)), 'unreadable'],
  ['half of itself', async () => (await bookOf({ Fakultas: [['Kode'], ['A']] })).subarray(0, 400), 'unreadable'],
  ['no rows', () => bookOf({ Fakultas: [['Kode', 'Nama']] }), ''],
  ['more than 300 columns', () => rawBook('<row><c r="KO2"><v>1</v></c></row>'), 'too_many_columns'],
  ['sheets without cells', () => bookOf({}), 'unreadable'],
])('a workbook of %s fails alone, with a reason', async (_, make, failure) => {
  const record = await use.check(await make())
  expect([record.status, record.failure ?? '']).toEqual([failure ? 'failed' : 'checked', failure])
  expect(record.rows.new).toBe(0)
  expect((await staff.get('/master/fakultas')).statusCode).toBe(200)
})

it.each([
  ['a CSV file', Buffer.from('kode,nama\nFT,Teknik\n')],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0', 'latin1')],
  ['an empty file', Buffer.alloc(0)],
])('%s is refused at once', async (_, bytes) => {
  expect(codeOf(await staff.upload('/workbook/imports', { name: 'a.xlsx', type: 'a/b', bytes }))).toEqual([
    422,
    'invalid_input',
  ])
})

it('formulas count by their result; one without a result is a problem', async () => {
  const bytes = await rawBook(
    '<row r="2"><c r="A2" t="str"><f>"F"&amp;"T"</f><v>FT</v></c><c r="B2" t="str"><v>Teknik</v></c><c r="C2"><f>D2</f></c></row>',
  )
  const { id, sheets } = await use.check(bytes)
  expect(await use.problems(id)).toMatchObject([{ sheet: 'Fakultas', row: 2, letter: 'C', value: '#N/A' }])
  expect(sheets).toMatchObject([{ new: 0, wrong: 1 }])
})

it('merged cells are one problem, with their position', async () => {
  const bytes = await rawBook(
    '<row r="2"><c r="A2" t="str"><v>FT</v></c><c r="B2" t="str"><v>Teknik</v></c></row><row r="3"><c r="A3" t="str"><v>FH</v></c></row>',
    '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>',
  )
  const { id } = await use.check(bytes)
  expect(await use.problems(id)).toMatchObject([
    { sheet: 'Fakultas', row: 2, letter: 'B', reason: expect.stringContaining('B2:B3') },
  ])
})

it('a renamed sheet is one problem, not one per row that refers to it', async () => {
  const { id, rows } = await use.check(
    await bookOf({
      'Fakultas kami': [
        ['Kode', 'Nama'],
        ['FT', 'Teknik'],
      ],
      'Study programmes': [
        ['Code', 'Name', 'Faculty', 'Degree level', 'NPM code'],
        ['IF', 'Informatika', 'FT', 'S1', '55'],
        ['SI', 'Sistem Informasi', 'FT', 'S1', '57'],
      ],
    }),
  )
  expect(await use.problems(id)).toMatchObject([{ sheet: 'Fakultas kami', row: null }])
  expect(rows).toMatchObject({ new: 0, wrong: 0, waiting: 2 })
})

it('the same sheet in both languages, dates and numbers as text, and reordered columns are understood or reported', async () => {
  const wave = ['W1', '2027/2028', 'Gelombang 1', '20271', '4 Januari 2027 08.00', '31-03-2027']
  const { id, sheets } = await use.check(
    await bookOf({
      Waves: [['Kode', 'Academic year', 'Nama', 'Semester code', 'Dibuka', 'Closes'], wave],
      Periode: [['Kode'], ['W2']],
      'Biaya pendaftaran': [
        ['Jumlah', '# catatan', 'Kode periode'],
        ['Rp 1.250.000,00', 'untuk semua', 'W1'],
      ],
    }),
  )
  expect(await use.problems(id)).toMatchObject([
    { sheet: 'Periode', row: null, reason: expect.stringContaining('Waves') },
  ])
  expect(sheets.map(({ slug, new: added }) => [slug, added])).toEqual([
    ['periode', 1],
    ['biaya-pendaftaran', 1],
  ])
})
