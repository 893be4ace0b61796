import { buffer } from 'node:stream/consumers'
import type { Cell } from '#server/platform/sheets/sheet-reader.ts'
import { readXlsx } from '#server/platform/sheets/xlsx-reader.ts'
import { xlsxOf } from '#server/platform/sheets/xlsx-writer.ts'

type Row = Record<string, Cell>

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Rows of a small university by sheet name and column heading, as a person types them. */
function universityRows(): Record<string, Row[]> {
  const wave = { 'Wave code': 'G1' }
  const [opens, closes] = [`${dayFromNow(-1)} 00:00`, `${dayFromNow(60)} 23:59`]
  const year = Number(dayFromNow(0).slice(0, 4)) + 1
  const programmes = [
    { Code: 'IF', Name: 'Informatika', 'Name in English': 'Informatics', 'Faculty code': 'FT', 'NPM code': '55' },
    {
      Code: 'TS',
      Name: 'Teknik Sipil',
      'Name in English': 'Civil Engineering',
      'Faculty code': 'FT',
      'NPM code': '22',
    },
    { Code: 'MN', Name: 'Manajemen', 'Name in English': 'Management', 'Faculty code': 'FEB', 'NPM code': '61' },
    { Code: 'AK', Name: 'Akuntansi', 'Name in English': 'Accounting', 'Faculty code': 'FEB', 'NPM code': '62' },
  ]
  const classes = programmes.map(({ Code }) => ({
    ...wave,
    'Study programme code': Code,
    'Class programme code': 'PAGI',
  }))
  return {
    Faculties: [
      { Code: 'FT', Name: 'Fakultas Teknik', 'Name in English': 'Faculty of Engineering' },
      { Code: 'FEB', Name: 'Fakultas Ekonomi dan Bisnis', 'Name in English': 'Faculty of Economics and Business' },
    ],
    'Study programmes': programmes.map((programme) => ({ ...programme, 'Degree level code': 'S1' })),
    Waves: [
      {
        ...{ Code: 'G1', Name: 'Gelombang 1', 'Academic year': `${year}/${year + 1}`, 'Semester code': `${year}1` },
        ...{ Opens: opens, Closes: closes, Results: `${dayFromNow(80)} 10:00` },
        'Confirmation deadline': `${dayFromNow(95)} 23:59`,
      },
    ],
    'Classes offered': classes.map((offer) => ({ ...offer, 'Entry level code': 'BARU', Capacity: 60 })),
    'Tuition fees': classes.map((offer) => ({ ...offer, 'Fee component code': 'SPP', Amount: 6_500_000 })),
    'Track windows': [{ ...wave, 'Track code': 'REG', 'Entry level code': 'BARU', Opens: opens, Closes: closes }],
    'Test sessions': [
      {
        ...{ ...wave, 'Track code': 'REG', Tests: 'TPA', Name: 'Sesi 1', Date: dayFromNow(65) },
        ...{ Starts: '08:00', Ends: '10:30', 'Room or link': 'Gedung A, ruang 101', Capacity: 200 },
      },
    ],
    'Registration fees': [{ ...wave, 'Track code': 'REG', Amount: 250_000 }],
  }
}

/** Fills in the sheets of a downloaded English workbook below their headings; drops the rows they had. */
export async function fillWorkbook(path: string): Promise<Buffer> {
  const headings = new Map<string, string[]>()
  for await (const { sheet = '', cells } of (await readXlsx(path, 'all')).lines)
    if (!headings.has(sheet))
      headings.set(
        sheet,
        Array.from(cells, (cell) => String(cell ?? '')),
      )
  const sheets = Object.entries(universityRows()).map(([name, rows]) => ({
    name,
    columns: headingsOf(name, headings).map((label) => ({
      key: label.replace(/ \*$/, ''),
      label,
      kind: 'text' as const,
    })),
    rows: each(rows),
  }))
  return buffer(xlsxOf(sheets, 'Asia/Jakarta'))
}

function headingsOf(sheet: string, headings: ReadonlyMap<string, string[]>): string[] {
  const found = headings.get(sheet)
  if (!found) throw new Error(`The workbook has no sheet ${sheet}, only ${[...headings.keys()].join(', ')}`)
  return found
}

async function* each<R>(rows: readonly R[]) {
  yield* rows
}
