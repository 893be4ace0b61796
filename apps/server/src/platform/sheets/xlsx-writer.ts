import { PassThrough, Readable } from 'node:stream'
import yazl from 'yazl'
import { calendarOf } from '#domain/calendar.ts'
import {
  columnLetter,
  isNumeric,
  numberOf,
  type SheetColumn,
  type SheetOptions,
  type SheetRow,
  textOf,
} from './columns.ts'

/** Most rows Excel opens on a sheet, including the header. */
const rowsPerSheet = 1_048_576
const maxCellLength = 32_767
/** Rows read before the first is written, used to compute column widths. */
const sampleRows = 100
const chunkLength = 64 * 1024
/** Bytes written ahead while earlier text is compressed. */
const aheadBytes = 512 * 1024

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/**
 * Style numbers: 0 text, 1 header, 2 whole number, 3 rupiah, 4 date, 5 date and time, 6 percent, 7 any number, 8 rupiah
 * and sen, 9 remark, 10 number as typed.
 */
const styles = `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}"><numFmts count="5"><numFmt numFmtId="164" formatCode="&quot;Rp&quot;\\ #,##0"/><numFmt numFmtId="165" formatCode="dd\\ mmm\\ yyyy"/><numFmt numFmtId="166" formatCode="dd\\ mmm\\ yyyy\\ hh:mm"/><numFmt numFmtId="167" formatCode="#,##0.##"/><numFmt numFmtId="168" formatCode="&quot;Rp&quot;\\ #,##0.00"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><i/><sz val="10"/><color rgb="FF595959"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE8F4FD"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="11"><xf numFmtId="49" applyNumberFormat="1"/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"><alignment vertical="center" wrapText="1"/></xf><xf numFmtId="3" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf numFmtId="10" applyNumberFormat="1"/><xf numFmtId="167" applyNumberFormat="1"/><xf numFmtId="168" applyNumberFormat="1"/><xf numFmtId="49" fontId="2" applyNumberFormat="1" applyFont="1"><alignment vertical="top" wrapText="1"/></xf><xf/></cellXfs></styleSheet>`

const charactersOutsideXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text that needs no escaping, as most does: one pattern is faster than three replacements. */
const plainText = /^[\t\n\r\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\u005E\u0060-\uD7FF\uE000-\uFFFD]*$/

/** Text as XML. `_x0041_` would be read as a letter, so its underscore is escaped too. */
const escapeXml = (text: string) =>
  text.length <= maxCellLength && plainText.test(text)
    ? text
    : text
        .slice(0, maxCellLength)
        .replace(charactersOutsideXml, '')
        .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
        .replace(/[&<>"]/g, (sign) => entities[sign]!)

const dayMs = 86_400_000
const dayZero = Date.UTC(1899, 11, 30)

/** Serial number of a local time in milliseconds; null for dates before March 1900. */
function serialOf(localMs: number): number | null {
  const serial = (localMs - dayZero) / dayMs
  // Spreadsheets assume 29 February 1900 existed, so earlier dates are safer as text.
  return serial >= 61 ? serial : null
}

/** Local time in milliseconds, to the second; a date starts at midnight. NaN if the value is not a moment. */
function localMsOf(kind: 'date' | 'dateTime', value: unknown, timeZone: string) {
  if (kind === 'date' && typeof value === 'string') return Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
  const localMs = calendarOf(timeZone).localMs(value instanceof Date ? value : new Date(String(value)))
  const unitMs = kind === 'date' ? dayMs : 1000
  return Math.floor(localMs / unitMs) * unitMs
}

const isSpace = (code: number) => code <= 32 || code === 0xa0

/** Spreadsheets drop spaces at both ends of a text unless told to keep them. */
const hasOuterSpace = (text: string) => isSpace(text.charCodeAt(0)) || isSpace(text.charCodeAt(text.length - 1))

/** An inline string, which spreadsheets never take for a formula. */
function textCell(text: string, style = 0) {
  if (text === '') return '<c/>'
  const content = escapeXml(text)
  return `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t${hasOuterSpace(content) ? ' xml:space="preserve"' : ''}>${content}</t></is></c>`
}

function cellOf(column: SheetColumn, value: unknown, timeZone: string): string {
  if (value === null || value === undefined || value === '') return '<c/>'
  if (isNumeric(column.kind)) {
    const number = numberOf(value)
    if (number === null) return textCell(textOf(value))
    if (column.kind === 'sen') return `<c s="8"><v>${number / 100}</v></c>`
    const style = column.kind === 'money' ? 3 : column.kind === 'percent' ? 6 : Number.isInteger(number) ? 2 : 7
    return `<c s="${style}"><v>${number}</v></c>`
  }
  if (column.kind === 'date' || column.kind === 'dateTime') {
    const serial = serialOf(localMsOf(column.kind, value, timeZone))
    return serial === null ? textCell(textOf(value)) : `<c s="${column.kind === 'date' ? 4 : 5}"><v>${serial}</v></c>`
  }
  return textCell(textOf(value))
}

const kindWidths = { text: 12, number: 12, money: 18, sen: 21, date: 14, dateTime: 20, percent: 12 }

function widthOf(column: SheetColumn, rows: readonly SheetRow[]) {
  if (column.width) return column.width
  let longest = Math.max(column.label.length + 2, kindWidths[column.kind])
  if (column.kind === 'text') for (const row of rows) longest = Math.max(longest, textOf(row[column.key]).length + 2)
  return Math.min(longest, 60)
}

export type XlsxSheet = {
  name: string
  columns: readonly SheetColumn[]
  rows: AsyncIterable<SheetRow>
  form?: SheetForm
}

/** Turns a sheet into a form: remarks below the headings, drop-down lists in the columns. */
type SheetForm = {
  /** A remark for each column. */
  remarks: readonly string[]
  /** `formula` names the cells with a column's values, by its index; a `strict` list allows no others. */
  choices: readonly { column: number; formula: string; strict: boolean }[]
}

/** Rows of a form that have drop-down lists. */
const choiceRows = 2000

/** Formats of empty cells, so that a code typed as 001 keeps its zeros and a day becomes a day. */
const typedStyles: Record<SheetColumn['kind'], number> = {
  text: 0,
  number: 10,
  money: 3,
  sen: 8,
  date: 4,
  dateTime: 5,
  percent: 6,
}

const choicesXml = ({ choices }: SheetForm) =>
  choices.length === 0
    ? ''
    : `<dataValidations count="${choices.length}">${choices
        .map(({ column, formula, strict }) => {
          const letter = columnLetter(column)
          return `<dataValidation type="list" allowBlank="1"${strict ? ' showErrorMessage="1"' : ''} sqref="${letter}3:${letter}${choiceRows}"><formula1>${escapeXml(formula)}</formula1></dataValidation>`
        })
        .join('')}</dataValidations>`

/** The remaining rows of an iterator, for a loop that may stop without closing it. */
const restOf = (rows: AsyncIterator<SheetRow>): AsyncIterable<SheetRow> => ({
  [Symbol.asyncIterator]: () => ({ next: () => rows.next() }),
})

async function* sheetXml(
  { columns, form }: XlsxSheet,
  rows: AsyncIterator<SheetRow>,
  timeZone: string,
  onFull: () => void,
) {
  const firstRows: SheetRow[] = []
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    firstRows.push(next.value)
    if (firstRows.length === sampleRows) break
  }
  const lastColumn = columnLetter(columns.length - 1)
  yield `${xmlDeclaration}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.map((column, i) => `<col min="${i + 1}" max="${i + 1}" width="${widthOf(column, firstRows)}" customWidth="1"${form ? ` style="${typedStyles[column.kind]}"` : ''}/>`).join('')}</cols><sheetData><row>${columns.map(({ label }) => textCell(label, 1)).join('')}</row>${form ? `<row>${form.remarks.map((remark) => textCell(remark, 9)).join('')}</row>` : ''}`
  let rowCount = form ? 2 : 1
  let chunk = ''
  const line = (row: SheetRow) => {
    rowCount++
    let cells = ''
    for (const column of columns) cells += cellOf(column, row[column.key], timeZone)
    return `<row>${cells}</row>`
  }
  for (const row of firstRows) chunk += line(row)
  if (firstRows.length === sampleRows)
    for await (const row of restOf(rows)) {
      chunk += line(row)
      if (chunk.length >= chunkLength) {
        yield chunk
        chunk = ''
      }
      if (rowCount === rowsPerSheet) {
        onFull()
        break
      }
    }
  yield `${chunk}</sheetData><autoFilter ref="A1:${lastColumn}${rowCount}"/>${form ? choicesXml(form) : ''}</worksheet>`
}

const sheetName = (name: string) => escapeXml(name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 28)) || 'Sheet'

/** Produces a workbook while it is read, with only a few chunks in memory; `madeAt` dates its parts, now by default. */
export const xlsxOf = (sheets: readonly XlsxSheet[], timeZone: string, madeAt?: Date): Readable =>
  Readable.from(workbookBytes(sheets, timeZone, madeAt), { objectMode: false })

/**
 * Starts the workbook on the first read: a stream that failed earlier has no listener, and its error would end the
 * process.
 */
async function* workbookBytes(sheets: readonly XlsxSheet[], timeZone: string, madeAt?: Date): AsyncGenerator<Buffer> {
  yield* startWorkbook(sheets, timeZone, madeAt)
}

function startWorkbook(sheets: readonly XlsxSheet[], timeZone: string, madeAt = new Date()): PassThrough {
  const zip = new yazl.ZipFile()
  const output = new PassThrough()
  const fail = (error: unknown) => output.destroy(error as Error)
  zip.on('error', fail)
  const source = zip.outputStream as Readable
  source.on('error', fail).pipe(output)
  const names: string[] = []
  const openStreams: Readable[] = []
  output.on('close', () => {
    for (const stream of openStreams) stream.destroy()
  })

  async function addSheet(name: string, sheet: XlsxSheet, rows: AsyncIterator<SheetRow>) {
    names.push(name)
    let isFull = false
    const content = Readable.from(
      sheetXml(sheet, rows, timeZone, () => {
        isFull = true
      }),
      { objectMode: false, highWaterMark: aheadBytes },
    )
    openStreams.push(content)
    await new Promise<void>((resolve, reject) => {
      content.on('end', resolve).on('error', reject).on('close', resolve)
      zip.addReadStream(content, `xl/worksheets/sheet${names.length}.xml`, { compressionLevel: 3, mtime: madeAt })
    })
    return isFull
  }

  async function write() {
    for (const sheet of sheets) {
      const { name, rows } = sheet
      const iterator = rows[Symbol.asyncIterator]()
      try {
        for (let part = 1, hasMore = true; hasMore && !output.destroyed; part++)
          hasMore = await addSheet(part === 1 ? sheetName(name) : `${sheetName(name)} ${part}`, sheet, iterator)
      } finally {
        await iterator.return?.()
      }
    }
    if (output.destroyed) return
    const part = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime: madeAt })
    part(
      'xl/workbook.xml',
      `${xmlDeclaration}<workbook xmlns="${mainNamespace}" xmlns:r="${officeNamespace}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    )
    part(
      'xl/_rels/workbook.xml.rels',
      `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${officeNamespace}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}<Relationship Id="rId${names.length + 1}" Type="${officeNamespace}/styles" Target="styles.xml"/></Relationships>`,
    )
    part('xl/styles.xml', styles)
    part(
      '_rels/.rels',
      `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${officeNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    )
    part(
      '[Content_Types].xml',
      `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${names.map((_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    )
    zip.end()
  }

  write().catch(fail)
  return output
}

/** One list as a workbook. */
export const writeXlsx = (rows: AsyncIterable<SheetRow>, { title, columns, timeZone }: SheetOptions): Readable =>
  xlsxOf([{ name: title, columns, rows }], timeZone)
