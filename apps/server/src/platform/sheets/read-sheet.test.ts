import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import type { ThreadLimits } from '#server/platform/threads/threads.ts'
import { isWhole } from '#testing/form.ts'
import { readSheet } from './read-sheet.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-hostile-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))
let files = 0

const limits: ThreadLimits = { memoryMb: 128, timeMs: 60_000 }
/** Far more than the reader accepts; the whole form uses files of up to 90 MB unpacked. */
const endless = isWhole ? 30_000_000 : 5_000_000
type Content = string | { times: number; text: string }

/** A workbook from parts that may be far larger unpacked than packed. */
async function workbook(parts: Record<string, Content[]>) {
  const zip = new yazl.ZipFile()
  for (const [name, contents] of Object.entries(parts)) {
    async function* bytes() {
      for (const content of contents)
        if (typeof content === 'string') yield Buffer.from(content)
        else {
          const share = Math.max(1, Math.floor(500_000 / content.text.length))
          const block = Buffer.from(content.text.repeat(share))
          for (let done = 0; done < content.times; done += share) yield block
        }
    }
    zip.addReadStream(Readable.from(bytes()), name)
  }
  zip.end()
  const file = path.join(folder, `${files++}.xlsx`)
  await pipeline(zip.outputStream as NodeJS.ReadableStream, fs.createWriteStream(file))
  return file
}
const sheet = (...contents: Content[]) => ({
  'xl/worksheets/sheet1.xml': ['<worksheet><sheetData>', ...contents, '</sheetData></worksheet>'],
})

async function outcomeOf(file: string, changes: Partial<ThreadLimits> = {}) {
  let rows = 0
  try {
    for await (const _ of readSheet(file, file.endsWith('csv') ? 'csv' : 'xlsx', { ...limits, ...changes }).lines)
      rows++
    return rows
  } catch (error) {
    return (error as { fault: string }).fault
  }
}

describe('a workbook of a few hundred kilobytes', () => {
  it('whose elements are nested millions deep is refused, and the server survives', async () => {
    const file = await workbook(sheet({ times: endless, text: '<a>' }))
    expect(fs.statSync(file).size).toBeLessThan(150_000)
    expect(await outcomeOf(file)).toBe('unreadable')
  })

  it.each<[string, Record<string, Content[]>, string]>([
    [
      'whose elements are 21 deep',
      sheet(`<row><c><v>1</v></c></row>${'<a>'.repeat(19)}${'</a>'.repeat(19)}`),
      'unreadable',
    ],
    ['with an element of thousands of attributes', sheet('<row ', ...attributes(5_000), '/>'), 'unreadable'],
    ['with an attribute without an end', sheet('<row a="', { times: endless, text: 'x' }, '"/>'), 'unreadable'],
    ['with a text without an end', sheet('<row><c><v>', { times: endless, text: 'x' }), 'unreadable'],
    [
      'with a text of millions of characters',
      sheet('<row><c t="inlineStr"><is><t>', { times: endless, text: 'x' }, '</t></is></c></row>'),
      'text_too_long',
    ],
    [
      'with a shared text of millions of characters',
      {
        'xl/sharedStrings.xml': ['<sst><si><t>', { times: endless, text: 'x' }, '</t></si></sst>'],
        ...sheet('<row><c t="s"><v>0</v></c></row>'),
      },
      'text_too_long',
    ],
    ['with a remark without an end', sheet('<!--', { times: endless, text: 'x' }), 'unreadable'],
    ['with a name without an end', sheet('<', { times: endless, text: 'x' }), 'unreadable'],
    [
      'with one long text in every cell',
      {
        'xl/sharedStrings.xml': ['<sst><si><t>', { times: 40_000, text: 'x' }, '</t></si></sst>'],
        ...sheet('<row>', ...cells(300), '</row>'),
      },
      'too_big_inside',
    ],
    [
      'with more shared texts than memory',
      {
        'xl/sharedStrings.xml': ['<sst>', { times: 6_000_000, text: '<si><t>a</t></si>' }, '</sst>'],
        ...sheet('<row/>'),
      },
      'too_big_inside',
    ],
    ['with rows of more than 300 columns', sheet('<row><c r="KO1"><v>1</v></c></row>'), 'too_many_columns'],
  ])('%s is refused', async (_, parts, fault) => {
    const file = await workbook(parts)
    expect(fs.statSync(file).size).toBeLessThan(1_000_000)
    expect(await outcomeOf(file)).toBe(fault)
  })

  it('of comma-separated values with a text of millions of characters is refused as too long', async () => {
    const file = path.join(folder, 'long-text.csv')
    fs.writeFileSync(file, `Kode,Nama\nA,${'x'.repeat(5_000_000)}\n`)
    expect(await outcomeOf(file)).toBe('text_too_long')
  })

  it('as deep and with as many attributes as spreadsheet programs write is read', async () => {
    const deep = `<row><c t="inlineStr"><is><r><rPr><b/></rPr><t>a</t></r></is></c></row>`
    expect(await outcomeOf(await workbook(sheet('<row ', ...attributes(60), '/>', deep)))).toBe(1)
  })

  it('that needs more memory or time than allowed is refused, and the next one is read', async () => {
    const file = await workbook({
      'xl/sharedStrings.xml': ['<sst>', { times: 1_500_000, text: '<si><t>sebuah kata</t></si>' }, '</sst>'],
      ...sheet({ times: 10, text: '<row><c t="s"><v>1</v></c></row>' }),
    })
    expect(await outcomeOf(file, { memoryMb: 24 })).toBe('too_big_inside')
    expect(await outcomeOf(file, { timeMs: 1 })).toBe('took_too_long')
    expect(await outcomeOf(await workbook(sheet('<row><c><v>1</v></c></row>')))).toBe(1)
  })
})

describe('rows', () => {
  it('of a long list arrive in batches and wait for their reader', async () => {
    const file = path.join(folder, 'long.csv')
    fs.writeFileSync(file, `kode,nama\n${'123456,Sekolah Menengah Atas Negeri Satu\n'.repeat(200_000)}`)
    const reader = readSheet(file, 'csv', limits)
    let rows = 0
    for await (const { number, cells } of reader.lines) {
      expect(number).toBe(++rows)
      if (rows === 1) expect(cells).toEqual(['kode', 'nama'])
      if (rows !== 2) continue
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(reader.progress()).toBeLessThan(0.1)
    }
    expect(rows).toBe(200_001)
    expect(reader.progress()).toBe(1)
  })
})

function attributes(count: number) {
  return Array.from({ length: count }, (_, i) => ` a${i}="1"`)
}
function cells(count: number) {
  return Array.from({ length: count }, () => '<c t="s"><v>0</v></c>')
}
