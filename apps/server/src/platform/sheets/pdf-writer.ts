import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import PDFDocument from 'pdfkit'
import { longDate, rupiah, shortDate, timeOfDay } from '#locales/format.ts'
import type { Settings } from '../settings.ts'
import { sentences } from '../text.ts'
import { isNumeric, numberOf, type SheetColumn, type SheetOptions, type SheetRow, textOf } from './columns.ts'

const ink = '#1e1e2d'
const quiet = '#5e6278'
const line = '#d8dae5'
const size = 8
const leading = 10
const mostLines = 3
const margin = 36
const measured = 100

export type PdfOptions = SheetOptions & {
  settings: Pick<Settings, 'universityName' | 'address' | 'phone' | 'email' | 'website' | 'primaryColour'>
  logo?: Buffer | undefined
  /** Under the title: which rows these are and when they were read. */
  subtitle: string
}

/** The standard fonts know Western letters only. */
const printable = (text: string) =>
  text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7E\u00A0-\u00FF\u2013\u2014\u2022\u2026\u20AC]/g, '?')

const twoDecimals = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })
const percents = new Intl.NumberFormat('id-ID', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

function shown(column: SheetColumn, value: unknown, { language, timeZone }: SheetOptions): string {
  if (value === null || value === undefined || value === '') return ''
  if (isNumeric(column.kind)) {
    const number = numberOf(value)
    if (number === null) return printable(textOf(value))
    if (column.kind === 'money') return rupiah(number)
    return column.kind === 'percent' ? percents.format(number) : twoDecimals.format(number)
  }
  if (column.kind === 'date' || column.kind === 'dateTime') {
    const moment = value as Date | string
    if (Number.isNaN(new Date(moment).getTime())) return printable(textOf(value))
    const day = shortDate(moment, language, timeZone)
    return column.kind === 'date' ? day : `${day}, ${timeOfDay(moment, language, timeZone)}`
  }
  return printable(textOf(value))
}

/** One list as a table on A4 across, its heading repeated on every page; pages leave as soon as they are full. */
export function writePdf(rows: AsyncIterable<SheetRow>, options: PdfOptions): Readable {
  const { columns, title, settings, logo, language } = options
  const t = sentences(language)
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margins: { top: margin, left: margin, right: margin, bottom: 0 },
    info: { Title: title, Author: settings.universityName },
    lang: language,
    autoFirstPage: false,
  })
  const output = new PassThrough()
  doc.pipe(output)
  const width = 841.89 - 2 * margin
  const bottom = 595.28 - 40
  let widths: number[] = []
  let y = 0
  let page = 0

  const put = (text: string, x: number, top: number, room: number, align: 'left' | 'right' = 'left') =>
    doc.text(text, align === 'right' ? x + Math.max(0, room - doc.widthOfString(text)) : x, top, { lineBreak: false })

  function newPage() {
    doc.addPage()
    page++
    y = margin
    if (page === 1) letterhead()
    doc.font('Helvetica').fontSize(7.5).fillColor(quiet)
    put(`${settings.universityName} - ${title}`, margin, 595.28 - 28, width)
    put(t('transfer:pdf.page', { page }), margin, 595.28 - 28, width, 'right')
    doc.rect(margin, y, width, 18).fill('#eef6fc')
    doc.font('Helvetica-Bold').fontSize(size).fillColor(ink)
    let x = margin
    for (const [i, column] of columns.entries()) {
      const room = widths[i]! - 8
      put(fitted(printable(column.label), room), x + 4, y + 5, room, isNumeric(column.kind) ? 'right' : 'left')
      x += widths[i]!
    }
    y += 20
    doc.font('Helvetica').fontSize(size).fillColor(ink)
  }

  function letterhead() {
    const left = logo ? margin + 54 : margin
    if (logo) doc.image(logo, margin, margin - 4, { fit: [44, 44] })
    doc.font('Helvetica-Bold').fontSize(13).fillColor(ink)
    put(printable(settings.universityName), left, margin, width)
    doc.font('Helvetica').fontSize(8).fillColor(quiet)
    put(printable(settings.address), left, margin + 16, width)
    put([settings.phone, settings.email, settings.website].filter(Boolean).join('  |  '), left, margin + 27, width)
    doc
      .moveTo(margin, margin + 46)
      .lineTo(margin + width, margin + 46)
      .lineWidth(1.5)
      .stroke(settings.primaryColour)
    doc.font('Helvetica-Bold').fontSize(14).fillColor(ink)
    put(printable(title), margin, margin + 56, width)
    doc.font('Helvetica').fontSize(8.5).fillColor(quiet)
    put(fitted(printable(options.subtitle), width), margin, margin + 75, width)
    y = margin + 94
  }

  function fitted(text: string, room: number) {
    if (doc.widthOfString(text) <= room) return text
    let end = Math.min(text.length, Math.floor(room / 2.2))
    while (end > 1 && doc.widthOfString(`${text.slice(0, end)}…`) > room) end--
    return `${text.slice(0, end)}…`
  }

  /** Words broken into at most three lines; what does not fit ends with an ellipsis. */
  function linesOf(text: string, room: number): string[] {
    if (text.length * size * 0.34 < room && doc.widthOfString(text) <= room) return [text]
    const lines: string[] = []
    let current = ''
    for (const word of text.split(' ')) {
      const longer = current ? `${current} ${word}` : word
      if (!current || doc.widthOfString(longer) <= room) current = longer
      else {
        lines.push(current)
        current = word
      }
    }
    lines.push(current)
    const kept = lines.slice(0, mostLines)
    if (lines.length > mostLines) kept[mostLines - 1] = `${kept[mostLines - 1]} ${lines[mostLines]}`
    return kept.map((part) => fitted(part, room))
  }

  function draw(cells: readonly string[]) {
    const broken = cells.map((cell, i) => linesOf(cell, widths[i]! - 8))
    const height = Math.max(...broken.map((lines) => lines.length)) * leading + 5
    if (y + height > bottom) newPage()
    let x = margin
    for (const [i, lines] of broken.entries()) {
      const right = isNumeric(columns[i]!.kind)
      for (const [n, text] of lines.entries())
        if (text) put(text, x + 4, y + 3 + n * leading, widths[i]! - 8, right ? 'right' : 'left')
      x += widths[i]!
    }
    y += height
    doc
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.4)
      .stroke(line)
    doc.fillColor(ink)
  }

  /** Columns share the page by what their first rows need. */
  function measure(first: readonly string[][]) {
    doc.font('Helvetica').fontSize(size)
    const wanted = columns.map((column, i) => {
      const lengths = first.map((cells) => cells[i]!.length).sort((a, b) => a - b)
      const most = lengths[Math.floor(lengths.length * 0.9)] ?? 0
      return Math.min(Math.max(printable(column.label).length + 2, most + 1, 6), 42)
    })
    const total = wanted.reduce((sum, one) => sum + one, 0)
    widths = wanted.map((one) => (one / total) * width)
  }

  async function write() {
    const first: string[][] = []
    let count = 0
    const begin = () => {
      measure(first)
      newPage()
      for (const cells of first) draw(cells)
    }
    for await (const row of rows) {
      const cells = columns.map((column) => shown(column, row[column.key], options))
      count++
      if (count <= measured) first.push(cells)
      if (count === measured) begin()
      if (count > measured) draw(cells)
      if (output.writableNeedDrain && !output.destroyed)
        await Promise.race([once(output, 'drain'), once(output, 'close')])
      else if (count % 200 === 0) await new Promise(setImmediate)
      if (output.destroyed) return
    }
    if (count < measured) begin()
    if (y + 24 > bottom) newPage()
    doc.font('Helvetica').fontSize(8).fillColor(quiet)
    put(t('transfer:pdf.rows', { rows: count }), margin, y + 8, width)
    doc.end()
  }

  write().catch((error) => output.destroy(error))
  return output
}

/** Under the title of a printed list. */
export const printedAt = (
  words: string,
  at: Date,
  { language, timeZone }: Pick<SheetOptions, 'language' | 'timeZone'>,
) => [words, `${longDate(at, language, timeZone)}, ${timeOfDay(at, language, timeZone)}`].filter(Boolean).join('  ·  ')
