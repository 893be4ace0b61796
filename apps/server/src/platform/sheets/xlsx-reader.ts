import type { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'
import { columnIndex } from './columns.ts'
import {
  type Cell,
  isCutNumber,
  maxColumns,
  maxRowLength,
  maxTextLength,
  SheetError,
  type SheetLine,
  type SheetReader,
} from './sheet-reader.ts'

/** Unpacked bytes allowed for each part of a workbook: a small ZIP can unpack to a very large part. */
const maxBytes = { sheet: 400_000_000, strings: 100_000_000, other: 10_000_000 }
const maxParts = 2_000
const maxStrings = 3_000_000
/** Nesting of elements; spreadsheet programs write about ten levels. */
const maxDepth = 20
const maxAttributes = 100
/** Bytes without the end of a tag or text, which the parser buffers. */
const maxTokenLength = 1_000_000
const lastRow = 1_048_576
/** End of the text of a cell, which may have a prefix. */
const endOfText = /^<\/(?:[\w.-]+:)?[tv]\s*>/
const longestEndTag = 40

type Zip = { parts: Map<string, yauzl.Entry>; open(entry: yauzl.Entry): Promise<Readable>; close(): void }

/** Whether a file starts like XLSX. */
export const isZip = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))

const openZip = (source: string | Buffer) =>
  new Promise<Zip>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
    const open = (use: (error: Error | null, zip: yauzl.ZipFile) => void) =>
      typeof source === 'string' ? yauzl.open(source, options, use) : yauzl.fromBuffer(source, options, use)
    open((error, zip) => {
      if (error) return reject(new SheetError('unreadable', error))
      const parts = new Map<string, yauzl.Entry>()
      let count = 0
      const fail = (fault: 'unreadable' | 'too_big_inside', cause?: unknown) => {
        zip.close()
        reject(new SheetError(fault, cause))
      }
      zip.on('error', (cause) => fail('unreadable', cause))
      zip.on('entry', (entry: yauzl.Entry) => {
        if (++count > maxParts) return fail('too_big_inside')
        if (entry.fileName.startsWith('xl/') && entry.fileName.length < 200) parts.set(entry.fileName, entry)
        zip.readEntry()
      })
      zip.on('end', () =>
        resolve({
          parts,
          open: (entry) =>
            new Promise((resolveStream, rejectStream) => {
              zip.openReadStream(entry, (problem, stream) => (problem ? rejectStream(problem) : resolveStream(stream)))
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
  /** Whether the present text is that of a cell. */
  isInText?(): boolean
}

function hasMoreThan(limit: number, attributes: SaxesTagPlain['attributes']) {
  let count = 0
  for (const _ in attributes) if (++count > limit) return true
  return false
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Feeds a workbook part to handlers; yields after every chunk, so that rows do not pile up. */
async function* parsePart(
  zip: Zip,
  entry: yauzl.Entry,
  limit: number,
  handlers: Handlers,
  onBytes?: (bytes: number) => void,
) {
  if (entry.uncompressedSize > limit) throw new SheetError('too_big_inside')
  // Two more handlers would make saxes four times slower: V8 turns the parser into a dictionary.
  const parser = new SaxesParser()
  let depth = 0
  /** Bytes written to the parser since its last event. */
  let tokenLength = 0
  parser.on('opentag', (tag) => {
    tokenLength = 0
    if (++depth > maxDepth || hasMoreThan(maxAttributes, tag.attributes)) throw new SheetError('unreadable')
    handlers.open(localName(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    tokenLength = 0
    depth--
    handlers.close?.(localName(tag.name))
  })
  const text = (part: string) => {
    tokenLength = 0
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
  /** What follows a text that is too long for the parser, which gets nothing more. */
  let afterLongText: string | undefined
  const stream = await zip.open(entry)
  try {
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length
      if (bytes > limit) throw new SheetError('too_big_inside')
      onBytes?.(bytes)
      if (afterLongText !== undefined) {
        const from = afterLongText === '' ? (chunk as Buffer).indexOf('<') : 0
        if (from >= 0) afterLongText += (chunk as Buffer).toString('latin1', from, from + longestEndTag)
        if (afterLongText.length >= longestEndTag) break
        continue
      }
      tokenLength += (chunk as Buffer).length
      parser.write(decoder.decode(chunk as Buffer, { stream: true }))
      if (tokenLength > maxTokenLength) {
        if (!handlers.isInText?.()) throw new SheetError('unreadable')
        afterLongText = ''
      }
      yield
    }
    if (afterLongText !== undefined)
      throw new SheetError(endOfText.test(afterLongText) ? 'text_too_long' : 'unreadable')
    parser.write(decoder.decode()).close()
    yield
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('unreadable', error)
  } finally {
    stream.destroy()
  }
}

async function readPart(zip: Zip, name: string, handlers: Handlers, limit = maxBytes.other) {
  const entry = zip.parts.get(name)
  if (entry) for await (const _ of parsePart(zip, entry, limit, handlers));
}

/** Decodes `_x000D_`, the escape for characters XML cannot hold; NUL and lone surrogates become U+FFFD. */
const unescapeText = (text: string) =>
  text.includes('_x')
    ? text
        .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll('\u0000', '\ufffd')
        .toWellFormed()
    : text

/**
 * Reads the shared strings and returns a lookup by number. Uses several arrays, because growing one with millions of
 * entries copies it whole.
 */
async function sharedStrings(zip: Zip) {
  const pieceLength = 10_000
  const strings: string[][] = []
  let count = 0
  let current = ''
  let inText = false
  let inPhonetic = false
  await readPart(
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
        if (count >= maxStrings) throw new SheetError('too_big_inside')
        if (count % pieceLength === 0) strings.push([])
        strings.at(-1)!.push(unescapeText(current.slice(0, maxTextLength)))
        count++
      },
      isInText: () => inText,
      text(text) {
        if (inText && current.length < maxTextLength) current += text
      },
    },
    maxBytes.strings,
  )
  return (number: number) => strings[Math.floor(number / pieceLength)]?.[number % pieceLength] ?? ''
}

/** Placeholder for a formula that no spreadsheet program has computed. */
const withoutResult = '#N/A'

/** How a cell shows its number: `0000` shows at least four digits. */
type Look = 'date' | 'share' | 'plain' | `0${string}`

function lookOf(format: number, code: string | undefined): Look {
  if ((format >= 14 && format <= 22) || (format >= 45 && format <= 47)) return 'date'
  if (format === 9 || format === 10) return 'share'
  const bare = (code ?? '').replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, '')
  if (/[dmyhs]/i.test(bare) && !/general/i.test(bare)) return 'date'
  const positive = bare.split(';')[0]!.trim()
  if (/^0+$/.test(positive)) return positive as `0${string}`
  return bare.includes('%') ? 'share' : 'plain'
}

async function looksOf(zip: Zip) {
  const codes = new Map<number, string>()
  const looks: Look[] = []
  let inCells = false
  await readPart(zip, 'xl/styles.xml', {
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

/** The sheets of a workbook in order, and whether its days are counted from 1904. */
async function sheetsOf(zip: Zip) {
  const sheets: { name: string; link: string; hidden: boolean }[] = []
  const targets = new Map<string, string>()
  let from1904 = false
  await readPart(zip, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'sheet') {
        const link = Object.entries(attributes).find(([key]) => localName(key) === 'id' && key.includes(':'))?.[1]
        sheets.push({
          name: unescapeText(String(attributes.name ?? '').slice(0, 255)),
          link: String(link ?? ''),
          hidden: /hidden/i.test(String(attributes.state ?? '')),
        })
      }
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(String(attributes.date1904 ?? ''))
    },
  })
  await readPart(zip, 'xl/_rels/workbook.xml.rels', {
    open(name, attributes) {
      if (name === 'Relationship') targets.set(String(attributes.Id), String(attributes.Target))
    },
  })
  const withEntry = sheets.map((sheet) => ({ ...sheet, entry: entryOf(zip, targets.get(sheet.link)) }))
  return { sheets: withEntry, from1904 }
}

const entryOf = ({ parts }: Zip, target = 'worksheets/sheet1.xml') =>
  parts.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`)

type SheetPart = { name?: string; entry: yauzl.Entry }

/** The first visible sheet, without its name; or every sheet that has cells. */
async function chosenSheets(zip: Zip, which: 'first' | 'all') {
  const { sheets, from1904 } = await sheetsOf(zip)
  const first = sheets.find(({ hidden }) => !hidden) ?? sheets[0]
  const chosen: { name?: string; entry: yauzl.Entry | undefined }[] =
    which === 'first' ? [{ entry: first ? first.entry : entryOf(zip) }] : sheets
  // A chart sheet has no worksheet part.
  const parts = chosen.filter((sheet): sheet is SheetPart => sheet.entry !== undefined)
  if (parts.length === 0) throw new SheetError('unreadable')
  return { parts, from1904 }
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A serial day number as `2026-11-27`, `2026-11-27 08:30:00` or, below 1, `08:30:00`. */
function dayOf(serial: number, from1904: boolean): string {
  const seconds = Math.round((serial + (from1904 ? 1462 : 0)) * 86_400)
  const moment = new Date(Date.UTC(1899, 11, 30) + seconds * 1000)
  if (Number.isNaN(moment.getTime())) return String(serial)
  const day = moment.toISOString().slice(0, 10)
  const clock = `${twoDigits(moment.getUTCHours())}:${twoDigits(moment.getUTCMinutes())}:${twoDigits(moment.getUTCSeconds())}`
  if (serial < 1) return clock
  return clock === '00:00:00' ? day : `${day} ${clock}`
}

/**
 * An ISO 8601 day, moment or time, written like `dayOf`. Ignores a time zone, since spreadsheets have none even if they
 * write one.
 */
function dayOfIso(text: string): string {
  const [, day = '', clock = '', seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)?T?(?:(\d\d:\d\d)(:\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text.trim()) ?? []
  if (day === '' && clock === '') return text
  return clock === '' || (day !== '' && `${clock}${seconds}` === '00:00:00') ? day : `${day} ${clock}${seconds}`.trim()
}

/** A number with the fifteen significant digits that spreadsheets show, and the zeros its format adds. */
function shownNumber(number: number, look: Look): Cell {
  const rounded = Number(number.toPrecision(15))
  const showsZeros = look.startsWith('00') && Number.isInteger(rounded) && rounded >= 0 && !isCutNumber(rounded)
  return showsZeros ? String(rounded).padStart(look.length, '0') : rounded
}

/**
 * Reads the first visible sheet of a workbook row by row, or all sheets, whose lines then have the sheet name; `source`
 * is a path or bytes. Formulas give their saved values, or `#N/A` if no spreadsheet program has computed them.
 */
export async function readXlsx(source: string | Buffer, which: 'first' | 'all' = 'first'): Promise<SheetReader> {
  const zip = await openZip(source)
  let share = 0
  async function* lines(): AsyncGenerator<SheetLine> {
    try {
      const { parts, from1904 } = await chosenSheets(zip, which)
      const [sharedString, looks] = [await sharedStrings(zip), await looksOf(zip)]
      const totalBytes = Math.max(
        parts.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0),
        1,
      )
      if (totalBytes > maxBytes.sheet) throw new SheetError('too_big_inside')
      let bytesBefore = 0
      for (const { name, entry } of parts) {
        yield* linesOfSheet(entry, name, { sharedString, looks, from1904 }, (bytes) => {
          share = (bytesBefore + bytes) / totalBytes
        })
        bytesBefore += entry.uncompressedSize
      }
    } catch (error) {
      throw error instanceof SheetError ? error : new SheetError('unreadable', error)
    } finally {
      zip.close()
    }
  }

  type Common = { sharedString: (number: number) => string; looks: Look[]; from1904: boolean }
  async function* linesOfSheet(
    entry: yauzl.Entry,
    sheet: string | undefined,
    { sharedString, looks, from1904 }: Common,
    onBytes: (bytes: number) => void,
  ): AsyncGenerator<SheetLine> {
    let readyLines: SheetLine[] = []
    let line: SheetLine = { number: 0, cells: [] }
    let column = -1
    let type = 'n'
    let look: Look = 'plain'
    let value = ''
    let isInValue = false
    let isFormula = false
    let inPhonetic = false
    /** Characters in all cells of the row. */
    let rowLength = 0

    const cellValue = (): Cell => {
      if (type === 's') return sharedString(Number(value))
      if (type === 'b') return value === '1' ? 'true' : 'false'
      if (type === 'd') return dayOfIso(value.slice(0, 40))
      if (type !== 'n') return unescapeText(value.slice(0, maxTextLength))
      const number = Number(value)
      if (value === '' || Number.isNaN(number)) return value
      if (look === 'date') return dayOf(number, from1904)
      return look === 'share' ? `${Number((number * 100).toPrecision(12))}%` : shownNumber(number, look)
    }
    const handlers: Handlers = {
      open(name, attributes) {
        if (name === 'row') {
          const statedNumber = Number(attributes.r)
          line = {
            ...(sheet !== undefined && { sheet }),
            number: statedNumber >= 1 && statedNumber <= lastRow ? Math.floor(statedNumber) : line.number + 1,
            cells: [],
            ...(/^(1|true)$/.test(String(attributes.hidden ?? '')) && { isHidden: true as const }),
          }
          column = -1
          rowLength = 0
        } else if (name === 'c') {
          const statedColumn = columnIndex(attributes.r as string | undefined)
          column = statedColumn < 0 ? column + 1 : statedColumn
          if (column >= maxColumns) throw new SheetError('too_many_columns')
          type = String(attributes.t ?? 'n')
          isFormula = false
          look = looks[Number(attributes.s ?? 0)] ?? 'plain'
          value = ''
        } else if (name === 'mergeCell' && sheet !== undefined) {
          const merged = String(attributes.ref ?? '').slice(0, 30)
          readyLines.push({ sheet, number: Number(/\d+/.exec(merged)?.[0] ?? 0), cells: [], merged })
        } else if (name === 'f') isFormula = true
        else if (name === 'rPh') inPhonetic = true
        isInValue = name === 'v' || (name === 't' && !inPhonetic)
      },
      close(name) {
        if (name === 'v' || name === 't') isInValue = false
        else if (name === 'rPh') inPhonetic = false
        else if (name === 'c' && (value !== '' || isFormula)) {
          if (value === '') [type, value] = ['e', withoutResult]
          while (line.cells.length < column) line.cells.push('')
          const cell = cellValue()
          rowLength += typeof cell === 'string' ? cell.length : 0
          if (rowLength > maxRowLength) throw new SheetError('too_big_inside')
          line.cells[column] = cell
        } else if (name === 'row' && line.cells.length > 0) readyLines.push(line)
      },
      isInText: () => isInValue,
      text(text) {
        if (isInValue && value.length < maxTextLength) value += text
      },
    }
    for await (const _ of parsePart(zip, entry, maxBytes.sheet, handlers, onBytes)) {
      yield* readyLines
      readyLines = []
    }
  }
  return { lines: lines(), progress: () => Math.min(share, 1) }
}
