import { Readable } from 'node:stream'
import { monthsFor, percent, rupiah, rupiahOfSen } from '#locales/format.ts'
import type { Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { isNumeric, numberOf, type SheetColumn, type SheetOptions, type SheetRow, textOf, wallTime } from './columns.ts'
import { type Canvas, fitText, type Jpeg, newCanvas, newDocument, toPrintable, widthOf } from './pdf-pages.ts'

/** Landscape A4, in points. */
const paper = { width: 841.89, height: 595.28 }
const margin = 36
const width = paper.width - 2 * margin
const bottom = paper.height - 40
const ink = '#1e1e2d'
const greyInk = '#5e6278'
const ruleColour = '#d8dae5'
const fontSize = 8
const lineHeight = 10
const maxLines = 3
/** Rows read before the first page is drawn, used to compute column widths. */
const sampleRows = 100

export type PdfOptions = SheetOptions & {
  settings: Pick<Settings, 'universityName' | 'address' | 'phone' | 'email' | 'website' | 'primaryColour'>
  logo?: Jpeg | undefined
  /** Line under the title: the filter and the time the data was read. */
  subtitle: string
}

const decimals = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })

function textOfCell(column: SheetColumn, value: unknown, { language, timeZone }: SheetOptions): string {
  if (value === null || value === undefined || value === '') return ''
  if (isNumeric(column.kind)) {
    const number = numberOf(value)
    if (number === null) return toPrintable(textOf(value))
    if (column.kind === 'money') return rupiah(number)
    if (column.kind === 'sen') return rupiahOfSen(number)
    return toPrintable(column.kind === 'percent' ? percent(number) : decimals.format(number))
  }
  if (column.kind === 'text') return toPrintable(textOf(value))
  const isDay = typeof value === 'string' && value.length === 10
  const wall = isDay ? value : wallTime(value, timeZone)
  if (!wall) return toPrintable(textOf(value))
  const day = `${wall.slice(8, 10)} ${monthsFor(language, 'short')[Number(wall.slice(5, 7)) - 1]} ${wall.slice(0, 4)}`
  return column.kind === 'date' || isDay ? day : `${day}, ${wall.slice(11, 16).replace(':', '.')}`
}

/** Wraps text into at most three lines; longer text ends with an ellipsis. */
function linesOf(text: string, room: number): string[] {
  if (widthOf(text, fontSize) <= room) return [text]
  const lines: string[] = []
  let current = ''
  for (const word of text.split(' ')) {
    const longerLine = current ? `${current} ${word}` : word
    if (!current || widthOf(longerLine, fontSize) <= room) current = longerLine
    else {
      lines.push(current)
      current = word
    }
  }
  lines.push(current)
  if (lines.length > maxLines) lines.splice(maxLines - 1, lines.length, lines.slice(maxLines - 1).join(' '))
  return lines.map((line) => fitText(line, room, fontSize))
}

type SizedColumn = { column: SheetColumn; columnWidth: number }

/** Divides the page width between columns by the 90th percentile of their first rows. */
function withWidths(columns: readonly SheetColumn[], firstRows: readonly string[][]): SizedColumn[] {
  const usefulWidths = columns.map((column, i) => {
    const needs = firstRows.map((cells) => widthOf(cells[i]!, fontSize)).sort((a, b) => a - b)
    const usual = needs[Math.floor(needs.length * 0.9)] ?? 0
    return Math.min(Math.max(widthOf(toPrintable(column.label), fontSize, 'bold') + 10, usual + 10, 32), 220)
  })
  const total = usefulWidths.reduce((sum, usefulWidth) => sum + usefulWidth, 0)
  return columns.map((column, i) => ({ column, columnWidth: (usefulWidths[i]! / total) * width }))
}

/** A list as a table on landscape A4, with the heading on every page. */
export const writePdf = (rows: AsyncIterable<SheetRow>, options: PdfOptions): Readable =>
  Readable.from(pdfBytes(rows, options), { objectMode: false })

async function* pdfBytes(rows: AsyncIterable<SheetRow>, options: PdfOptions) {
  const { columns, title, settings, logo, language } = options
  const t = sentences(language)
  const document = newDocument({ ...paper, title, author: settings.universityName, logo })
  let sizedColumns: SizedColumn[] = []
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
    canvas.text(toPrintable(`${settings.universityName} - ${title}`), margin, foot, 7.5, greyInk)
    canvas.text(number, margin + width - widthOf(number, 7.5), foot, 7.5, greyInk)
    canvas.box(margin, y, width, 18, '#eef6fc')
    let x = margin
    for (const { column, columnWidth } of sizedColumns) {
      const label = fitText(toPrintable(column.label), columnWidth - 8, fontSize, 'bold')
      const indent = isNumeric(column.kind) ? columnWidth - 8 - widthOf(label, fontSize, 'bold') : 0
      canvas.text(label, x + 4 + indent, y + 5, fontSize, ink, 'bold')
      x += columnWidth
    }
    y += 20
  }

  /** Draws a row; yields the full page if the row does not fit. */
  function* draw(cells: readonly string[]) {
    const drawnCells = sizedColumns.map(({ column, columnWidth }, i) => ({
      column,
      columnWidth,
      lines: linesOf(cells[i]!, columnWidth - 8),
    }))
    const height = Math.max(...drawnCells.map(({ lines }) => lines.length)) * lineHeight + 5
    if (y + height > bottom) {
      yield document.page(canvas)
      newPage()
    }
    let x = margin
    for (const { column, columnWidth, lines } of drawnCells) {
      const alignRight = isNumeric(column.kind)
      for (const [n, line] of lines.entries()) {
        const indent = alignRight ? columnWidth - 8 - widthOf(line, fontSize) : 0
        if (line) canvas.text(line, x + 4 + indent, y + 3 + n * lineHeight, fontSize, ink)
      }
      x += columnWidth
    }
    y += height
    canvas.line(margin, y, width, 0.4, ruleColour)
  }

  yield document.begin()
  const firstRows: string[][] = []
  let count = 0
  function* drawFirstRows() {
    sizedColumns = withWidths(columns, firstRows)
    newPage()
    for (const cells of firstRows) yield* draw(cells)
  }
  for await (const row of rows) {
    const cells = columns.map((column) => textOfCell(column, row[column.key], options))
    count++
    if (count <= sampleRows) firstRows.push(cells)
    if (count === sampleRows) yield* drawFirstRows()
    if (count > sampleRows) yield* draw(cells)
  }
  if (count < sampleRows) yield* drawFirstRows()
  if (y + 24 > bottom) {
    yield document.page(canvas)
    newPage()
  }
  canvas.text(t('transfer:pdf.rows', { count, formatted: decimals.format(count) }), margin, y + 8, fontSize, greyInk)
  yield document.page(canvas)
  yield document.end()
}

/** Draws logo, university and title; returns the y where the table begins. */
function letterhead(canvas: Canvas, { settings, logo, title, subtitle }: PdfOptions): number {
  const left = logo ? margin + 54 : margin
  if (logo) {
    const scale = Math.min(44 / logo.width, 44 / logo.height)
    canvas.logo(margin, margin - 4, logo.width * scale, logo.height * scale)
  }
  const contact = [settings.phone, settings.email, settings.website].filter(Boolean).join('  |  ')
  canvas.text(toPrintable(settings.universityName), left, margin, 13, ink, 'bold')
  canvas.text(fitText(toPrintable(settings.address), width - 54, 8), left, margin + 17, 8, greyInk)
  canvas.text(fitText(toPrintable(contact), width - 54, 8), left, margin + 28, 8, greyInk)
  canvas.line(margin, margin + 46, width, 1.5, settings.primaryColour)
  canvas.text(fitText(toPrintable(title), width, 14, 'bold'), margin, margin + 56, 14, ink, 'bold')
  canvas.text(fitText(toPrintable(subtitle), width, 8.5), margin, margin + 75, 8.5, greyInk)
  return margin + 94
}
