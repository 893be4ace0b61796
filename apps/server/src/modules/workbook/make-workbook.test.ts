import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { type Language, languages } from '#entities/define/language.ts'
import { seedDemoAcademic } from '#seeds/demo/academic.ts'
import { readXlsx } from '#server/platform/sheets/xlsx-reader.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aUniversity, bookOf, type Sheets, workbooks } from '#server-test/factories/sheets/workbooks.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { makeWorkbook } from './make-workbook.ts'

let t: TestApp
let staff: TestActor
let use: ReturnType<typeof workbooks>

beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
  use = workbooks(t, staff)
})
afterAll(() => t.close())

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-workbook-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** The sheets of a workbook as a user sees them. */
async function sheetsOf(bytes: Buffer): Promise<Sheets> {
  const file = path.join(folder, `${Math.random()}.xlsx`)
  fs.writeFileSync(file, bytes)
  const sheets: Sheets = {}
  for await (const { sheet, cells } of (await readXlsx(file, 'all')).lines)
    sheets[sheet!] = [...(sheets[sheet!] ?? []), Array.from(cells, (cell) => cell ?? '')]
  return sheets
}

const download = async (content: 'empty' | 'data', language = 'id') => {
  const answer = await staff.get(`/workbook?content=${content}`, { 'accept-language': language })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.rawPayload
}

describe('the empty workbook', () => {
  it.each(languages)('uploaded as it is contains no rows (%s)', async (language) => {
    const record = await use.check(await download('empty', language))
    expect(record).toMatchObject({ status: 'checked', problems: 0, rows: { new: 0, changed: 0, unchanged: 0 } })
  })

  it.each(languages)('has examples that describe a university once their marks are removed (%s)', async (language) => {
    const sheets = await sheetsOf(await download('empty', language))
    for (const rows of Object.values(sheets))
      for (const row of rows) if (/^# (example|contoh)$/.test(String(row[0]))) row[0] = ''
    const record = await use.check(await bookOf(sheets))
    expect(await use.problems(record.id)).toEqual([])
    expect(record.sheets.filter(({ new: added, unchanged }) => added + unchanged === 0)).toEqual([])
  })

  it('has lists to choose from and explains every column', async () => {
    const parts = await partsOf(await download('empty', 'id'))
    const programmes = parts.get('xl/worksheets/sheet6.xml')!
    expect(programmes).toContain(`<formula1>'Fakultas'!$B$3:$B$2000</formula1>`)
    expect(programmes).toContain('showErrorMessage="1"')
    const sheets = await sheetsOf(await download('empty', 'en'))
    expect(Object.keys(sheets)).toMatchSnapshot()
    for (const [name, [headings = [], explanations = []]] of Object.entries(sheets).slice(1, -1)) {
      expect([name, explanations.length]).toEqual([name, headings.length])
      for (const explanation of explanations.slice(1))
        expect(explanation, `${name}: sentences begin with a capital`).not.toMatch(/(^|[.] )\p{Ll}/u)
    }
  })

  it('reports an example that was typed over and kept its mark', async () => {
    const sheets = await sheetsOf(await download('empty', 'id'))
    sheets.Fakultas![2]![2] = 'Fakultas Hukum'
    const { id } = await use.check(await bookOf(sheets))
    expect(await use.problems(id)).toMatchObject([{ sheet: 'Fakultas', row: 3, value: '# contoh' }])
  })
})

describe('the workbook with the current data', () => {
  let university: TestApp
  let there: ReturnType<typeof workbooks>
  beforeAll(async () => {
    university = await testApp()
    there = workbooks(university, await asStaff(university))
    await there.import(await bookOf(aUniversity(3)))
    await sql`UPDATE waves SET closes_at = closes_at + interval '59.5 seconds'`.execute(university.db)
  })
  afterAll(() => university.close())
  const presentBook = async (language: Language) =>
    buffer(await makeWorkbook(university.db, { language, content: 'data' }))

  it.each(languages)('uploaded unchanged changes nothing (%s)', async (language) => {
    const { id, rows } = await there.check(await presentBook(language))
    expect([await there.problems(id), rows.changed, rows.new]).toEqual([[], 0, 0])
    expect(rows.unchanged).toBeGreaterThan(50)
  })

  it('with a changed cell changes that row', async () => {
    const sheets = await sheetsOf(await presentBook('en'))
    sheets.Faculties![2]![2] = 'Nama Baru'
    expect((await there.check(await bookOf(sheets))).rows).toMatchObject({ changed: 1, new: 0 })
  })
})

describe('the workbook of the demo university', () => {
  const file = path.resolve(import.meta.dirname, '../../../../../docs/demo-university.xlsx')

  it('in the docs equals the one written now (WRITE_WORKBOOK=true rewrites it), and can be imported into an empty database', async () => {
    const demo = await testApp()
    await seedDemoAcademic(demo.db, new Date('2026-11-22T05:00:00Z'))
    const make = () =>
      makeWorkbook(demo.db, { language: 'id', content: 'data', madeAt: new Date('2026-11-22T05:00:00Z') })
    const [one, two] = [await buffer(await make()), await buffer(await make())]
    expect(one.equals(two)).toBe(true)
    if (process.env.WRITE_WORKBOOK) fs.writeFileSync(file, one)
    const committed = fs.readFileSync(file)
    expect(committed.length).toBeLessThan(200_000)
    expect(await partsOf(committed)).toEqual(await partsOf(one))
    await demo.close()
    const record = await use.import(committed)
    expect(await use.problems(record.id)).toEqual([])
    expect(record.status).toBe('done')
  })
})

/** The parts of a workbook, because compressed bytes may differ between machines. */
const partsOf = (bytes: Buffer) =>
  new Promise<Map<string, string>>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      const parts = new Map<string, string>()
      zip.on('entry', (entry: yauzl.Entry) =>
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure)
          void buffer(stream).then((content) => {
            parts.set(entry.fileName, content.toString())
            zip.readEntry()
          })
        }),
      )
      zip.on('end', () => resolve(parts))
      zip.readEntry()
    })
  })
