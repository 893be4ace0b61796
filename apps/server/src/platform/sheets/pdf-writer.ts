import { Readable } from 'node:stream'
import { longDate, monthsFor, percent, rupiah, rupiahOfSen, timeOfDay } from '#locales/format.ts'
import type { Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { isNumeric, numberOf, type SheetColumn, type SheetOptions, type SheetRow, textOf, wallTime } from './columns.ts'
import { type Canvas, fitted, type Jpeg, newCanvas, newDocument, printable, widthOf } from './pdf-pages.ts'

/** A4 across, in points. */
const paper = { width: 841.89, height: 595.28 }
const margin = 36
const width = paper.width - 2 * margin
const bottom = paper.height - 40
const ink = '#1e1e2d'
const quiet = '#5e6278'
const rule = '#d8dae5'
const size = 8
const leading = 10
const mostLines = 3
/** Rows looked at before the first page is drawn, to share its width between the columns. */
const measured = 100

export type PdfOptions = SheetOptions & {
  settings: Pick<Settings, 'universityName' | 'address' | 'phone' | 'email' | 'website' | 'primaryColour'>
  logo?: Jpeg | undefined
  /** Under the title: which rows these are and when they were read. */
  subtitle: string
}

const decimals = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })

function shown(column: SheetColumn, value: unknown, { language, timeZone }: SheetOptions): string {
  if (value === null || value === undefined || value === '') return ''
  if (isNumeric(column.kind)) {
    const number = numberOf(value)
    if (number === null) return printable(textOf(value))
    if (column.kind === 'money') return rupiah(number)
    if (column.kind === 'sen') return rupiahOfSen(number)
    return printable(column.kind === 'percent' ? percent(number) : decimals.format(number))
  }
  if (column.kind === 'text') return printable(textOf(value))
  const isDay = typeof value === 'string' && value.length === 10
  const wall = isDay ? value : wallTime(value, timeZone)
  if (!wall) return printable(textOf(value))
  const day = `${wall.slice(8, 10)} ${monthsFor(language, 'short')[Number(wall.slice(5, 7)) - 1]} ${wall.slice(0, 4)}`
  return column.kind === 'date' || isDay ? day : `${day}, ${wall.slice(11, 16).replace(':', '.')}`
}

/** Words broken into a few lines; what does not fit ends with an ellipsis. */
function linesOf(text: string, room: number): string[] {
  if (widthOf(text, size) <= room) return [text]
  const lines: string[] = []
  let current = ''
  for (const word of text.split(' ')) {
    const longer = current ? `${current} ${word}` : word
    if (!current || widthOf(longer, size) <= room) current = longer
    else {
      lines.push(current)
      current = word
    }
  }
  lines.push(current)
  if (lines.length > mostLines) lines.splice(mostLines - 1, lines.length, lines.slice(mostLines - 1).join(' '))
  return lines.map((line) => fitted(line, room, size))
}

/** Columns share the page by what most of their first rows need. */
function widthsOf(columns: readonly SheetColumn[], first: readonly string[][]) {
  const wanted = columns.map((column, i) => {
    const needs = first.map((cells) => widthOf(cells[i]!, size)).sort((a, b) => a - b)
    const usual = needs[Math.floor(needs.length * 0.9)] ?? 0
    return Math.min(Math.max(widthOf(printable(column.label), size, 'bold') + 10, usual + 10, 32), 220)
  })
  const total = wanted.reduce((sum, one) => sum + one, 0)
  return wanted.map((one) => (one / total) * width)
}

/** One list as a table on A4 across, its heading on every page. */
export const writePdf = (rows: AsyncIterable<SheetRow>, options: PdfOptions): Readable =>
  Readable.from(pdfBytes(rows, options), { objectMode: false })

async function* pdfBytes(rows: AsyncIterable<SheetRow>, options: PdfOptions) {
  const { columns, title, settings, logo, language } = options
  const t = sentences(language)
  const document = newDocument({ ...paper, title, author: settings.universityName, logo })
  let widths: number[] = []
  let canvas = newCanvas(paper.height)
  let page = 0
  let y = 0

  function newPage() {
    canvas = newCanvas(paper.height)
    page++
    y = margin
    if (page === 1) y = letterhead(canvas, options)
    const foot = paper.height - 28
    const number = t('transfer:pdf.page', { page })
    canvas.text(printable(`${settings.universityName} - ${title}`), margin, foot, 7.5, quiet)
    canvas.text(number, margin + width - widthOf(number, 7.5), foot, 7.5, quiet)
    canvas.box(margin, y, width, 18, '#eef6fc')
    let x = margin
    for (const [i, column] of columns.entries()) {
      const label = fitted(printable(column.label), widths[i]! - 8, size, 'bold')
      const right = isNumeric(column.kind) ? widths[i]! - 8 - widthOf(label, size, 'bold') : 0
      canvas.text(label, x + 4 + right, y + 5, size, ink, 'bold')
      x += widths[i]!
    }
    y += 20
  }

  /** Gives the page that this row no longer fitted on, once it is full. */
  function* draw(cells: readonly string[]) {
    const broken = cells.map((cell, i) => linesOf(cell, widths[i]! - 8))
    const height = Math.max(...broken.map((lines) => lines.length)) * leading + 5
    if (y + height > bottom) {
      yield document.page(canvas)
      newPage()
    }
    let x = margin
    for (const [i, lines] of broken.entries()) {
      const alignRight = isNumeric(columns[i]!.kind)
      for (const [n, line] of lines.entries()) {
        const right = alignRight ? widths[i]! - 8 - widthOf(line, size) : 0
        if (line) canvas.text(line, x + 4 + right, y + 3 + n * leading, size, ink)
      }
      x += widths[i]!
    }
    y += height
    canvas.line(margin, y, width, 0.4, rule)
  }

  yield document.begin()
  const first: string[][] = []
  let count = 0
  function* begin() {
    widths = widthsOf(columns, first)
    newPage()
    for (const cells of first) yield* draw(cells)
  }
  for await (const row of rows) {
    const cells = columns.map((column) => shown(column, row[column.key], options))
    count++
    if (count <= measured) first.push(cells)
    if (count === measured) yield* begin()
    if (count > measured) yield* draw(cells)
  }
  if (count < measured) yield* begin()
  if (y + 24 > bottom) {
    yield document.page(canvas)
    newPage()
  }
  canvas.text(t('transfer:pdf.rows', { rows: decimals.format(count) }), margin, y + 8, size, quiet)
  yield document.page(canvas)
  yield document.end()
}

/** Whose document this is; gives where the table begins. */
function letterhead(canvas: Canvas, { settings, logo, title, subtitle }: PdfOptions): number {
  const left = logo ? margin + 54 : margin
  if (logo) {
    const scale = Math.min(44 / logo.width, 44 / logo.height)
    canvas.logo(margin, margin - 4, logo.width * scale, logo.height * scale)
  }
  const contact = [settings.phone, settings.email, settings.website].filter(Boolean).join('  |  ')
  canvas.text(printable(settings.universityName), left, margin, 13, ink, 'bold')
  canvas.text(fitted(printable(settings.address), width - 54, 8), left, margin + 17, 8, quiet)
  canvas.text(fitted(printable(contact), width - 54, 8), left, margin + 28, 8, quiet)
  canvas.line(margin, margin + 46, width, 1.5, settings.primaryColour)
  canvas.text(fitted(printable(title), width, 14, 'bold'), margin, margin + 56, 14, ink, 'bold')
  canvas.text(fitted(printable(subtitle), width, 8.5), margin, margin + 75, 8.5, quiet)
  return margin + 94
}

/** Which rows a printed list holds, and when it was made. */
export const subtitleOf = (
  words: string,
  at: Date,
  { language, timeZone }: Pick<SheetOptions, 'language' | 'timeZone'>,
) => [words, `${longDate(at, language, timeZone)}, ${timeOfDay(at, language, timeZone)}`].filter(Boolean).join(' · ')
