import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import yazl from 'yazl'
import { isWhole } from '#testing/form.ts'
import type { SheetColumn } from './columns.ts'
import { readCsv } from './csv-reader.ts'
import { harmlessText, unwrapText, writeCsv } from './csv-writer.ts'
import { writePdf } from './pdf-writer.ts'
import { isCutNumber, type SheetReader, wrongWidth } from './sheet-reader.ts'
import { readXlsx } from './xlsx-reader.ts'
import { writeXlsx, xlsxOf } from './xlsx-writer.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-sheets-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))
let files = 0
const newPath = () => path.join(folder, `${files++}`)

const columns: SheetColumn[] = [
  { key: 'code', label: 'Code', kind: 'text' },
  { key: 'count', label: 'Count', kind: 'number' },
  { key: 'amount', label: 'Amount', kind: 'money' },
  { key: 'day', label: 'Day', kind: 'date' },
  { key: 'at', label: 'At', kind: 'dateTime' },
  { key: 'share', label: 'Share', kind: 'percent' },
]
const options = { title: 'Daftar', columns, language: 'en', timeZone: 'Asia/Jakarta' } as const
const row = { code: '=1+1', count: 2.5, amount: 1_000_000, day: '2026-11-27', at: '2026-11-27T16:59:00Z', share: 0.125 }

async function* rowsOf(...rows: Record<string, unknown>[]) {
  yield* rows
}
async function* manyRows(count: number, onRow?: (count: number) => void) {
  for (let i = 0; i < count; i++) {
    onRow?.(i + 1)
    // Without a random part a ZIP would shrink thousands of rows to one chunk.
    yield { ...row, code: `K${i}${onRow ? crypto.randomBytes(60).toString('base64') : ''}` }
  }
}

/** Text including its byte order mark, which a TextDecoder would remove. */
const textOf = async (stream: Readable) => (await buffer(stream)).toString()

async function linesOf(reader: SheetReader) {
  const lines = []
  for await (const line of reader.lines) lines.push(line)
  return lines
}

async function writeFile(bytes: Buffer) {
  const file = newPath()
  fs.writeFileSync(file, bytes)
  return file
}

/** A workbook from its parts, as another program might make it. */
async function workbook(parts: Record<string, string>) {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return writeFile(await buffer(zip.outputStream as NodeJS.ReadableStream))
}
/** One part of a workbook. */
const partOf = (file: string, name: string) =>
  new Promise<Readable>((resolve, reject) =>
    yauzl.open(file, { lazyEntries: true }, (failure, zip) => {
      if (failure) return reject(failure)
      zip.on('entry', (entry) => {
        if (entry.fileName !== name) return zip.readEntry()
        zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
      })
      zip.readEntry()
    }),
  )
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const sheet = (rows: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
})

describe('a workbook', () => {
  it('is read back as written: numbers, money, days and moments are values, text is text', async () => {
    const [header, first] = await linesOf(
      await readXlsx(await writeFile(await buffer(writeXlsx(rowsOf(row), options)))),
    )
    expect(header!.cells).toEqual(columns.map(({ label }) => label))
    expect(first).toEqual({ number: 2, cells: ['=1+1', 2.5, 1_000_000, '2026-11-27', '2026-11-27 23:59:00', '12.5%'] })
  })

  it('holds no formula whatever the text, and drops characters XML cannot hold', async () => {
    const oddTexts = [
      '=cmd()',
      '+1',
      '-1',
      '@x',
      'a<b>&"c"',
      'satu\u0000dua\u0001',
      '_x0041_',
      'emoji 😀',
      '\ud800 lone',
    ]
    const file = await writeFile(await buffer(writeXlsx(rowsOf(...oddTexts.map((code) => ({ code }))), options)))
    const lines = await linesOf(await readXlsx(file))
    expect(lines.slice(1).map(({ cells }) => cells[0])).toEqual([
      ...oddTexts.slice(0, 5),
      'satudua',
      '_x0041_',
      'emoji 😀',
      ' lone',
    ])
    expect(fs.readFileSync(file).includes('<f>')).toBe(false)
  })

  it('keeps spaces at both ends of a text, and marks them only there', async () => {
    const texts = [' depan', 'belakang ', '\u00a0keras', 'tengah  dua', '\ud800 sisa']
    const file = await writeFile(await buffer(writeXlsx(rowsOf(...texts.map((code) => ({ code }))), options)))
    const xml = await textOf(await partOf(file, 'xl/worksheets/sheet1.xml'))
    const spacedTexts = [...xml.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text]) => text)
    expect(spacedTexts).toEqual([' depan', 'belakang ', '\u00a0keras', ' sisa'])
    expect(xml).toContain('<t>tengah  dua</t>')
  })

  it('with characters that no text can hold is read with U+FFFD instead', async () => {
    const file = await workbook({
      'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a_x0000_b_xD800_c</t></is></c></row></sheetData></worksheet>`,
    })
    expect((await linesOf(await readXlsx(file)))[0]!.cells).toEqual(['a\ufffdb\ufffdc'])
  })

  it('may have several sheets; the first visible one is read', async () => {
    const sheetOf = (name: string, code: string) => ({ name, columns: columns.slice(0, 1), rows: rowsOf({ code }) })
    const file = await writeFile(await buffer(xlsxOf([sheetOf('Satu', 'a'), sheetOf('Dua', 'b')], 'Asia/Jakarta')))
    expect((await linesOf(await readXlsx(file))).map(({ cells }) => cells[0])).toEqual(['Code', 'a'])
  })

  it('from another program is read: shared and rich text, formulas by their values, gaps, prefixes, booleans', async () => {
    const file = await workbook({
      'xl/sharedStrings.xml': `<sst ${main}><si><t>utuh</t></si><si><r><t>ka</t></r><r><t>ya</t></r><rPh><t>bunyi</t></rPh></si></sst>`,
      'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>
        <x:row r="3"><x:c r="B3" t="s"><x:v>0</x:v></x:c><x:c r="D3" t="s"><x:v>1</x:v></x:c></x:row>
        <x:row r="7"><x:c r="A7"><x:f>1+1</x:f><x:v>2</x:v></x:c><x:c r="B7" t="str"><x:f>A1</x:f><x:v>hasil</x:v></x:c><x:c r="C7" t="b"><x:v>1</x:v></x:c><x:c r="D7" t="e"><x:v>#N/A</x:v></x:c></x:row>
        </x:sheetData></x:worksheet>`,
    })
    expect(await linesOf(await readXlsx(file))).toEqual([
      { number: 3, cells: ['', 'utuh', '', 'kaya'] },
      { number: 7, cells: [2, 'hasil', 'true', '#N/A'] },
    ])
  })

  it('reports its hidden rows', async () => {
    const cell = '<c><v>1</v></c>'
    const file = await workbook(
      sheet(`<row r="1">${cell}</row><row r="2" hidden="1">${cell}</row><row r="3" hidden="0">${cell}</row>`),
    )
    expect((await linesOf(await readXlsx(file))).map(({ isHidden }) => isHidden)).toEqual([undefined, true, undefined])
  })

  it('with an uncomputed formula says so, instead of leaving the cell empty', async () => {
    const file = await workbook(sheet('<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>A2*2</f></c></row>'))
    expect(await linesOf(await readXlsx(file))).toEqual([{ number: 2, cells: [1, '#N/A'] }])
  })

  const styles = {
    'xl/styles.xml': `<styleSheet ${main}><numFmts count="3"><numFmt numFmtId="164" formatCode="0000000000"/>
      <numFmt numFmtId="165" formatCode="00000;[Red]-00000"/><numFmt numFmtId="166" formatCode="00.00"/></numFmts>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="1"/></cellXfs></styleSheet>`,
  }
  const cellsOf = async (...cells: string[]) => {
    const file = await workbook({ ...styles, ...sheet(`<row r="1">${cells.join('')}</row>`) })
    return (await linesOf(await readXlsx(file)))[0]!.cells
  }

  it('has the zeros that a format of zeros shows, and no others', async () => {
    const cells = [
      's="1"><v>12345678',
      's="1"><v>12345678901',
      's="2"><v>7',
      's="3"><v>7',
      's="4"><v>7',
      's="1"><v>-7',
      's="1"><v>0.5',
    ]
    expect(await cellsOf(...cells.map((cell) => `<c ${cell}</v></c>`))).toEqual([
      ...['0012345678', '12345678901', '00007', 7, 7, -7, 0.5],
    ])
  })

  it('has the fifteen digits of a number that Excel shows', async () => {
    const values = ['0.30000000000000004', '1650000.0000000002', '3.3', '123456789012345', '-0.1E-3']
    expect(await cellsOf(...values.map((value) => `<c><v>${value}</v></c>`))).toEqual([
      ...[0.3, 1_650_000, 3.3, 123_456_789_012_345, -0.0001],
    ])
  })

  it('reads days and moments typed as ISO 8601 as days and moments', async () => {
    const values = ['2026-05-01', '2026-05-01T00:00:00', '2026-12-31T08:30:00.000Z', '2026-12-31T08:30', 'T08:30:00']
    expect(await cellsOf(...values.map((value) => `<c t="d"><v>${value}</v></c>`))).toEqual([
      ...['2026-05-01', '2026-05-01', '2026-12-31 08:30:00', '2026-12-31 08:30:00', '08:30:00'],
    ])
  })

  it('reports numbers that Excel has cut after fifteen digits', async () => {
    const cells = await cellsOf(
      ...['<c><v>3170000000000000.0</v></c>', '<c s="1"><v>-12345678901234567890</v></c>'],
      ...['<c><v>999999999999999</v></c>', '<c t="inlineStr"><is><t>3170000000000001</t></is></c>'],
    )
    expect([...cells, '3,17E+15', '3.17501E+15', '1E+15x', 'A1E+15'].map(isCutNumber)).toEqual([
      ...[true, true, false, false, true, true, false, false],
    ])
  })

  it.each([
    [
      'that is cut off',
      async () => writeFile((await buffer(writeXlsx(manyRows(2000), options))).subarray(0, 4000)),
      'unreadable',
    ],
    ['that is no ZIP', async () => writeFile(Buffer.from('PK\x03\x04 nothing')), 'unreadable'],
    ['without a sheet', async () => workbook({ 'xl/workbook.xml': `<workbook ${main}/>` }), 'unreadable'],
    ['with broken XML', async () => workbook(sheet('<row><c><v>1</v></row>')), 'unreadable'],
    [
      'with entities of its own',
      async () => workbook({ 'xl/worksheets/sheet1.xml': '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>' }),
      'unreadable',
    ],
    ['with too many columns', async () => workbook(sheet('<row><c r="AAA1"><v>1</v></c></row>')), 'too_many_columns'],
  ])('%s is refused', async (_, make, fault) => {
    await expect(readXlsx(await make()).then(linesOf)).rejects.toMatchObject({ fault })
  })

  it('that unpacks to more than memory is refused while it is read', async () => {
    const zip = new yazl.ZipFile()
    async function* spaces() {
      const chunk = Buffer.alloc(1_000_000, 32)
      yield Buffer.from(`<sst ${main}><si><t>`)
      for (let i = 0; i < 101; i++) yield chunk
      yield Buffer.from('</t></si></sst>')
    }
    const { Readable } = await import('node:stream')
    zip.addReadStream(Readable.from(spaces()), 'xl/sharedStrings.xml')
    zip.addBuffer(
      Buffer.from(sheet('<row><c><v>1</v></c></row>')['xl/worksheets/sheet1.xml']),
      'xl/worksheets/sheet1.xml',
    )
    zip.end()
    const file = newPath()
    await pipeline(zip.outputStream as NodeJS.ReadableStream, fs.createWriteStream(file))
    expect(fs.statSync(file).size).toBeLessThan(500_000)
    await expect(readXlsx(file).then(linesOf)).rejects.toMatchObject({ fault: 'too_big_inside' })
  })
})

describe('CSV', () => {
  it('opens in a spreadsheet: marked as UTF-8, quoted where needed, formulas made harmless', async () => {
    const rows = ['=1+1', '+62812', '-5', '@a', '\tx', 'a,b', 'kata "asing"', 'dua\nbaris'].map((code) => ({ code }))
    const csv = await textOf(writeCsv(rowsOf(...rows), { ...options, columns: columns.slice(0, 1) }))
    expect(csv).toBe(
      `\uFEFFCode\r\n'=1+1\r\n+62812\r\n'-5\r\n'@a\r\n'\tx\r\n"a,b"\r\n"kata ""asing"""\r\n"dua\nbaris"\r\n`,
    )
  })

  it('leaves phone numbers unchanged, and makes sums of numbers harmless', () => {
    expect(['+6281200000101', '+', '+1+1', '+62 812', '-5', '=1'].map(harmlessText)).toEqual([
      ...['+6281200000101', "'+", "'+1+1", "'+62 812", "'-5", "'=1"],
    ])
  })

  it('strips the guards people put around numbers to keep zeros', () => {
    const cells = ['="0812"', "'0812", "'=1+1", '="say ""hi"""', "'45 Bekasi", '="a"&"b"', "'", '0812']
    expect(cells.map(unwrapText)).toEqual(['0812', '0812', '=1+1', 'say "hi"', "'45 Bekasi", '="a"&"b"', "'", '0812'])
  })

  it('in Indonesian separates columns by semicolons and writes decimals with a comma', async () => {
    const csv = await textOf(writeCsv(rowsOf(row), { ...options, language: 'id' }))
    expect(csv.split('\r\n')[1]).toBe("'=1+1;2,5;1000000;2026-11-27;2026-11-27 23:59;12,5%")
    const lines = await linesOf(await readCsv(await writeFile(Buffer.from(csv))))
    expect(lines[1]!.cells).toHaveLength(columns.length)
  })

  it('is separated like its headings and rows, not like a title above them', async () => {
    const text = 'Daftar fakultas, prodi, 2026\n\nKode;Nama;Biaya\nA;Satu;1,5\nB;Dua;2,5\n'
    const lines = await linesOf(await readCsv(await writeFile(Buffer.from(text))))
    expect(lines.at(-1)!.cells).toEqual(['B', 'Dua', '2,5'])
  })

  it.each([
    ['a heading in CRLF and rows in LF', 'a,b\r\n1,2\n3,4\n5,6\r\n'],
    ['rows in CR, as old programs for the Mac write', 'a,b\r1,2\r3,4\r5,6'],
    ['a heading in LF and rows in CRLF', 'a,b\n1,2\r\n3,4\r\n5,6'],
  ])('with %s has every row', async (_, text) => {
    const lines = await linesOf(await readCsv(await writeFile(Buffer.from(text))))
    expect(lines.map(({ number, cells }) => [number, cells.join()])).toEqual([
      [1, 'a,b'],
      [2, '1,2'],
      [3, '3,4'],
      [4, '5,6'],
    ])
  })

  it('keeps line ends inside quotation marks, whatever ends the rows', async () => {
    const text = 'a,b\r\n"1\n2\r3\r\n4",x\n"5",y\r'
    const lines = await linesOf(await readCsv(await writeFile(Buffer.from(text))))
    expect(lines.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1\n2\r3\r\n4', 'x'],
      ['5', 'y'],
    ])
  })

  it('from Excel gets its empty last cells back, which Excel omits in blocks of sixteen rows, and no others', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => {
      const number = index + 1
      if (number === 1) return 'Code,Name,Remark'
      const isOmitted = number > 16 && number <= 32
      return isOmitted || number === 35 ? `K${number},N${number}` : `K${number},N${number},`
    })
    const lines = await linesOf(await readCsv(await writeFile(Buffer.from(rows.join('\r\n')))))
    const [headings, ...below] = lines
    expect(lines).toHaveLength(40)
    expect(below.filter((line) => wrongWidth(headings!, line)).map(({ number }) => number)).toEqual([35])
  })

  it('from Excel may have blank lines in such a block; a single short row at the end is not taken for a block', async () => {
    const full = Array.from({ length: 16 }, (_, index) => `K${index},N${index},R`)
    const linesBelow = async (rows: string[]) =>
      (await linesOf(await readCsv(await writeFile(Buffer.from([...full, ...rows].join('\n')))))).slice(16)
    const widths = (lines: Awaited<ReturnType<typeof linesOf>>) => lines.map(({ cells }) => cells.length)
    expect(widths(await linesBelow(['a,b', '', 'c,d']))).toEqual([3, 1, 3])
    expect(widths(await linesBelow(['a,b']))).toEqual([2])
  })

  it('reports rows with fewer cells than headings or content beyond the last, but not empty cells there', async () => {
    const text = 'a;b;c;;\n1;2;3\n1;2;3;;;;\n1;2\n1;2;3;;4\n1\n'
    const [headings, ...rows] = await linesOf(await readCsv(await writeFile(Buffer.from(text))))
    expect(rows.map((line) => wrongWidth(headings!, line))).toEqual([
      undefined,
      undefined,
      { found: 2, expected: 3 },
      { found: 5, expected: 3 },
      { found: 1, expected: 3 },
    ])
  })
})

describe('PDF', () => {
  it('repeats its heading on every page, numbers the pages and counts the rows', async () => {
    const settings = {
      universityName: 'Universitas (Uji)',
      address: 'Jalan Satu',
      phone: '021',
      email: 'a@b.test',
      website: 'https://b.test',
      primaryColour: '#009EF7',
    }
    const bytes = await buffer(writePdf(manyRows(200), { ...options, settings, subtitle: 'Aktif: Ya' }))
    const zlib = await import('node:zlib')
    const pages = [...bytes.toString('latin1').matchAll(/\/Filter \/FlateDecode >>\nstream\n/g)].map(
      ({ index, 0: head }) => zlib.inflateSync(bytes.subarray(index + head.length)).toString('latin1'),
    )
    expect(pages.length).toBeGreaterThan(5)
    for (const [i, page] of pages.entries()) {
      expect(page).toContain('(Amount)')
      expect(page).toContain(`(Page ${i + 1})`)
    }
    expect(pages[0]).toContain('(Universitas \\(Uji\\))')
    expect(pages[0]).toContain('(Rp\u00a01.000.000)')
    expect(pages.at(-1)).toContain('(200 rows)')
    expect(bytes.toString('latin1')).toMatch(/startxref\n(\d+)\n%%EOF\n$/)
  })

  it.each([
    ['en', '1 row'],
    ['id', '1 baris'],
  ] as const)('with one row says so in %s', async (language, words) => {
    const settings = { universityName: 'Uji', address: '', phone: '', email: '', website: '', primaryColour: '#009EF7' }
    const bytes = await buffer(writePdf(manyRows(1), { ...options, language, settings, subtitle: '' }))
    const { inflateSync } = await import('node:zlib')
    const text = bytes.toString('latin1')
    const start = text.indexOf('stream\n', text.indexOf('/FlateDecode')) + 'stream\n'.length
    expect(inflateSync(bytes.subarray(start)).toString('latin1')).toContain(`(${words})`)
  })
})

describe('streaming', () => {
  const manyCount = isWhole ? 50_000 : 15_000

  it.each([
    ['xlsx', writeXlsx],
    ['csv', writeCsv],
  ])('produces no more of %s than the reader takes', async (_, write) => {
    let rowCount = 0
    const stream = write(
      manyRows(manyCount, (count) => {
        rowCount = count
      }),
      options,
    )
    let largest = 0
    let chunks = 0
    for await (const chunk of stream) {
      largest = Math.max(largest, Buffer.byteLength(chunk))
      if (++chunks === 1) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        expect(rowCount).toBeLessThan(10_000)
      }
    }
    expect(rowCount).toBe(manyCount)
    expect(chunks).toBeGreaterThan(5)
    expect(largest).toBeLessThan(300_000)
  })

  it('stops asking for rows when the reader has gone', async () => {
    let isClosed = false
    async function* endless() {
      try {
        for (;;) yield row
      } finally {
        isClosed = true
      }
    }
    const stream = writeXlsx(endless(), options)
    for await (const _ of stream) break
    await expect.poll(() => isClosed).toBe(true)
  })

  it.each([
    ['xlsx', writeXlsx],
    ['csv', writeCsv],
  ] as const)('as %s whose first row fails reports the error to a later reader', async (_, write) => {
    const failing = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the database is gone')) }),
    }
    const stream = write(failing, options)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await expect(buffer(stream)).rejects.toThrow('the database is gone')
  })
})
