import type { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'
import {
  type Cell,
  longestRow,
  longestText,
  mostColumns,
  SheetError,
  type SheetLine,
  type SheetReader,
} from './sheet-reader.ts'

/** What may come out of the parts of a workbook: a small file can hold a very large one. */
const mostInside = { sheet: 400_000_000, strings: 100_000_000, other: 10_000_000 }
const mostParts = 2_000
const mostStrings = 3_000_000
/** Elements within elements; the deepest a spreadsheet program writes is about ten. */
const mostDepth = 20
const mostAttributes = 100
/** Characters without the end of a tag or text: the parser holds all of them. */
const longestToken = 1_000_000
const lastRow = 1_048_576

type Zip = { parts: Map<string, yauzl.Entry>; open(entry: yauzl.Entry): Promise<Readable>; close(): void }

const openZip = (path: string) =>
  new Promise<Zip>((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) => {
      if (error) return reject(new SheetError('unreadable', error))
      const parts = new Map<string, yauzl.Entry>()
      let count = 0
      const fail = (fault: 'unreadable' | 'too_big_inside', cause?: unknown) => {
        zip.close()
        reject(new SheetError(fault, cause))
      }
      zip.on('error', (cause) => fail('unreadable', cause))
      zip.on('entry', (entry: yauzl.Entry) => {
        if (++count > mostParts) return fail('too_big_inside')
        if (entry.fileName.startsWith('xl/') && entry.fileName.length < 200) parts.set(entry.fileName, entry)
        zip.readEntry()
      })
      zip.on('end', () =>
        resolve({
          parts,
          open: (entry) =>
            new Promise((opened, failed) => {
              zip.openReadStream(entry, (problem, stream) => (problem ? failed(problem) : opened(stream)))
            }),
          close: () => zip.close(),
        }),
      )
      zip.readEntry()
    })
  })

type Handlers = {
  open(name: string, attributes: SaxesTagPlain['attributes']): void
  close?(name: string): void
  text?(text: string): void
}

function hasMoreThan(most: number, attributes: SaxesTagPlain['attributes']) {
  let count = 0
  for (const _ in attributes) if (++count > most) return true
  return false
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Feeds one part of the workbook to handlers; `between` runs after every chunk, so that rows need not pile up. */
async function* parsePart(
  zip: Zip,
  entry: yauzl.Entry,
  most: number,
  handlers: Handlers,
  read?: (bytes: number) => void,
) {
  if (entry.uncompressedSize > most) throw new SheetError('too_big_inside')
  // With two handlers more, saxes becomes four times as slow: V8 turns the parser into a dictionary.
  const parser = new SaxesParser()
  let depth = 0
  /** Characters the parser was given since it last told of something. */
  let untold = 0
  parser.on('opentag', (tag) => {
    untold = 0
    if (++depth > mostDepth || hasMoreThan(mostAttributes, tag.attributes)) throw new SheetError('unreadable')
    handlers.open(local(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    untold = 0
    depth--
    handlers.close?.(local(tag.name))
  })
  const text = (part: string) => {
    untold = 0
    handlers.text?.(part)
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('doctype', () => {
    throw new SheetError('unreadable')
  })
  parser.on('error', (error) => {
    throw new SheetError('unreadable', error)
  })
  const decoder = new TextDecoder()
  let bytes = 0
  const stream = await zip.open(entry)
  try {
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length
      if (bytes > most) throw new SheetError('too_big_inside')
      read?.(bytes)
      untold += (chunk as Buffer).length
      parser.write(decoder.decode(chunk as Buffer, { stream: true }))
      if (untold > longestToken) throw new SheetError('unreadable')
      yield
    }
    parser.write(decoder.decode()).close()
    yield
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('unreadable', error)
  } finally {
    stream.destroy()
  }
}

async function readWhole(zip: Zip, name: string, handlers: Handlers, most = mostInside.other) {
  const entry = zip.parts.get(name)
  if (entry) for await (const _ of parsePart(zip, entry, most, handlers));
}

/** `_x000D_` stands for a sign XML cannot hold; for one that no text can hold, U+FFFD is read, as for bytes of no text. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text
        .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll('\u0000', '\ufffd')
        .toWellFormed()
    : text

/** Shared strings by their number, in pieces: one array of millions would have to be copied whole to grow. */
async function sharedStrings(zip: Zip) {
  const piece = 10_000
  const strings: string[][] = []
  let count = 0
  let current = ''
  let inText = false
  let inPhonetic = false
  await readWhole(
    zip,
    'xl/sharedStrings.xml',
    {
      open(name) {
        if (name === 'si') current = ''
        if (name === 'rPh') inPhonetic = true
        inText = name === 't' && !inPhonetic
      },
      close(name) {
        if (name === 't') inText = false
        if (name === 'rPh') inPhonetic = false
        if (name !== 'si') return
        if (count >= mostStrings) throw new SheetError('too_big_inside')
        if (count % piece === 0) strings.push([])
        strings.at(-1)!.push(unescaped(current.slice(0, longestText)))
        count++
      },
      text(text) {
        if (inText && current.length < longestText) current += text
      },
    },
    mostInside.strings,
  )
  return (number: number) => strings[Math.floor(number / piece)]?.[number % piece] ?? ''
}

type Look = 'date' | 'share' | 'plain'

function lookOf(format: number, code: string | undefined): Look {
  if ((format >= 14 && format <= 22) || (format >= 45 && format <= 47)) return 'date'
  if (format === 9 || format === 10) return 'share'
  const bare = (code ?? '').replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, '')
  if (/[dmyhs]/i.test(bare) && !/general/i.test(bare)) return 'date'
  return bare.includes('%') ? 'share' : 'plain'
}

async function looksOf(zip: Zip) {
  const codes = new Map<number, string>()
  const looks: Look[] = []
  let inCells = false
  await readWhole(zip, 'xl/styles.xml', {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), String(attributes.formatCode ?? '').slice(0, 255))
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells) {
        const format = Number(attributes.numFmtId ?? 0)
        looks.push(lookOf(format, codes.get(format)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return looks
}

/** Path of the first sheet that is shown, and whether its days are counted from 1904. */
async function firstSheet(zip: Zip) {
  const sheets: { link: string; hidden: boolean }[] = []
  const targets = new Map<string, string>()
  let from1904 = false
  await readWhole(zip, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'sheet') {
        const link = Object.entries(attributes).find(([key]) => local(key) === 'id' && key.includes(':'))?.[1]
        sheets.push({ link: String(link ?? ''), hidden: /hidden/i.test(String(attributes.state ?? '')) })
      }
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(String(attributes.date1904 ?? ''))
    },
  })
  await readWhole(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship') targets.set(String(attributes.Id), String(attributes.Target))
    },
  })
  const wanted = sheets.find((sheet) => !sheet.hidden) ?? sheets[0]
  const target = targets.get(wanted?.link ?? '') ?? 'worksheets/sheet1.xml'
  const entry = zip.parts.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  if (!entry) throw new SheetError('unreadable')
  return { entry, from1904 }
}

const two = (value: number) => String(value).padStart(2, '0')

/** A count of days as `2026-11-27`, `2026-11-27 08:30:00` or, below one day, `08:30:00`. */
function dayOf(serial: number, from1904: boolean): string {
  const seconds = Math.round((serial + (from1904 ? 1462 : 0)) * 86_400)
  const moment = new Date(Date.UTC(1899, 11, 30) + seconds * 1000)
  if (Number.isNaN(moment.getTime())) return String(serial)
  const day = moment.toISOString().slice(0, 10)
  const clock = `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}:${two(moment.getUTCSeconds())}`
  if (serial < 1) return clock
  return clock === '00:00:00' ? day : `${day} ${clock}`
}

/** `C12` → 2; −1 when the cell does not say where it is. */
function columnOf(reference: string | undefined): number {
  let column = 0
  for (const sign of reference ?? '') {
    if (sign < 'A' || sign > 'Z') break
    column = column * 26 + sign.charCodeAt(0) - 64
  }
  return column - 1
}

/** Reads the first sheet of a workbook a row at a time; of formulas, the values they had when it was saved. */
export async function readXlsx(path: string): Promise<SheetReader> {
  const zip = await openZip(path)
  let share = 0
  async function* lines(): AsyncGenerator<SheetLine> {
    try {
      const { entry, from1904 } = await firstSheet(zip)
      const [stringAt, looks] = [await sharedStrings(zip), await looksOf(zip)]
      let ready: SheetLine[] = []
      let line: SheetLine = { number: 0, cells: [] }
      let column = -1
      let type = 'n'
      let look: Look = 'plain'
      let value = ''
      let keeps = false
      let inPhonetic = false
      /** Characters of the cells of this row. */
      let inRow = 0

      const cell = (): Cell => {
        if (type === 's') return stringAt(Number(value))
        if (type === 'b') return value === '1' ? 'true' : 'false'
        if (type !== 'n') return unescaped(value.slice(0, longestText))
        const number = Number(value)
        if (value === '' || Number.isNaN(number)) return value
        if (look === 'date') return dayOf(number, from1904)
        return look === 'share' ? `${Number((number * 100).toPrecision(12))}%` : number
      }
      const handlers: Handlers = {
        open(name, attributes) {
          if (name === 'row') {
            const told = Number(attributes.r)
            line = { number: told >= 1 && told <= lastRow ? Math.floor(told) : line.number + 1, cells: [] }
            column = -1
            inRow = 0
          } else if (name === 'c') {
            const told = columnOf(attributes.r as string | undefined)
            column = told < 0 ? column + 1 : told
            if (column >= mostColumns) throw new SheetError('too_many_columns')
            type = String(attributes.t ?? 'n')
            look = looks[Number(attributes.s ?? 0)] ?? 'plain'
            value = ''
          } else if (name === 'rPh') inPhonetic = true
          keeps = name === 'v' || (name === 't' && !inPhonetic)
        },
        close(name) {
          if (name === 'v' || name === 't') keeps = false
          else if (name === 'rPh') inPhonetic = false
          else if (name === 'c' && value !== '') {
            while (line.cells.length < column) line.cells.push('')
            const made = cell()
            inRow += typeof made === 'string' ? made.length : 0
            if (inRow > longestRow) throw new SheetError('too_big_inside')
            line.cells[column] = made
          } else if (name === 'row' && line.cells.length > 0) ready.push(line)
        },
        text(text) {
          if (keeps && value.length < longestText) value += text
        },
      }
      const whole = Math.max(entry.uncompressedSize, 1)
      for await (const _ of parsePart(zip, entry, mostInside.sheet, handlers, (bytes) => {
        share = bytes / whole
      })) {
        yield* ready
        ready = []
      }
    } catch (error) {
      throw error instanceof SheetError ? error : new SheetError('unreadable', error)
    } finally {
      zip.close()
    }
  }
  return { lines: lines(), progress: () => Math.min(share, 1) }
}
