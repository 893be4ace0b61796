import { buffer } from 'node:stream/consumers'
import type { Settings } from '#server/platform/settings.ts'

/** Settings shown on a letterhead. */
export type LetterheadSettings = Pick<
  Settings,
  'universityName' | 'address' | 'phone' | 'email' | 'website' | 'primaryColour'
>

type Options = {
  title: string
  settings: LetterheadSettings
  /** Bytes of the university's logo (PNG or JPEG). */
  logo?: Buffer | undefined
  /** Text at the foot of every page, beside its number. */
  footer?: string
  pageWord?: (page: number, count: number) => string
}

export type Pdf = {
  doc: PDFKit.PDFDocument
  /** Left edge, and the width between the margins, in points. */
  left: number
  width: number
  heading(text: string): void
  /** Draws `label : value` lines. */
  facts(rows: readonly (readonly [label: string, value: string])[], labelWidth?: number): void
  table(columns: readonly PdfColumn[], rows: readonly (readonly string[])[]): void
  /** Ends the document and returns its bytes. */
  bytes(): Promise<Buffer>
}

export type PdfColumn = { label: string; width: number; align?: 'left' | 'right' | 'center' }

/** Bytes of a document still being drawn; resolves when it ends. */
export const pdfBytes = (doc: PDFKit.PDFDocument): Promise<Buffer> => buffer(doc as unknown as NodeJS.ReadableStream)

/** Opens a picture used on many pages, so that the document stores it once. */
export const openImage = (doc: PDFKit.PDFDocument, bytes: Buffer) =>
  (doc as unknown as { openImage(source: Buffer): PDFKit.Mixins.ImageSrc }).openImage(bytes)

export const ink = '#1e1e2d'
export const greyInk = '#5e6278'
const ruleColour = '#d8dae5'

type Letterhead = Pick<Options, 'title' | 'settings'> & {
  /** Bytes of the logo, or the picture from `openImage`. */
  logo?: PDFKit.Mixins.ImageSrc | undefined
}

/** Draws name, address and title at the top of the page; following text starts below them. */
export function drawLetterhead(doc: PDFKit.PDFDocument, { title, settings, logo }: Letterhead) {
  const { left } = doc.page.margins
  const width = doc.page.width - left - doc.page.margins.right
  const textLeft = logo ? left + 60 : left
  if (logo) doc.image(logo, left, 44, { fit: [48, 48] })
  doc
    .font('Helvetica-Bold')
    .fontSize(14)
    .fillColor(ink)
    .text(settings.universityName, textLeft, 46, { width: width - 60 })
  doc
    .font('Helvetica')
    .fontSize(8.5)
    .fillColor(greyInk)
    .text(settings.address, textLeft, undefined, { width: width - 60 })
  doc.text([settings.phone, settings.email, settings.website].filter(Boolean).join('  |  '), { width: width - 60 })
  doc
    .moveTo(left, 98)
    .lineTo(left + width, 98)
    .lineWidth(1.5)
    .stroke(settings.primaryColour)
  doc.font('Helvetica-Bold').fontSize(15).fillColor(ink).text(title, left, 114, { width })
  doc.moveDown(0.8).font('Helvetica').fontSize(10)
}

/** An A4 document with letterhead, title and page numbers. */
export async function newPdf({
  title,
  settings,
  logo,
  footer = '',
  pageWord = (page, count) => `${page} / ${count}`,
}: Options): Promise<Pdf> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 50, left: 56, right: 56, bottom: 64 },
    bufferPages: true,
    info: { Title: title, Author: settings.universityName },
    lang: 'id',
  })
  const bytes = pdfBytes(doc)
  const left = doc.page.margins.left
  const width = doc.page.width - left - doc.page.margins.right
  drawLetterhead(doc, { title, settings, logo })

  const roomFor = (height: number) => {
    if (doc.y + height > doc.page.height - doc.page.margins.bottom) doc.addPage()
  }

  function footers() {
    const { start, count } = doc.bufferedPageRange()
    for (let page = start; page < start + count; page++) {
      doc.switchToPage(page)
      const y = doc.page.height - 44
      doc.page.margins.bottom = 0
      doc.font('Helvetica').fontSize(8).fillColor(greyInk)
      doc.text(footer, left, y, { width: width - 80, lineBreak: false })
      doc.text(pageWord(page - start + 1, count), left + width - 80, y, { width: 80, align: 'right', lineBreak: false })
    }
  }

  return {
    doc,
    left,
    width,
    heading(text) {
      roomFor(48)
      doc.moveDown(0.8).font('Helvetica-Bold').fontSize(11).fillColor(ink).text(text, left, undefined, { width })
      doc.moveDown(0.3).font('Helvetica').fontSize(10)
    },
    facts(rows, labelWidth = 160) {
      for (const [label, value] of rows) {
        const height = Math.max(
          doc.heightOfString(label, { width: labelWidth - 8 }),
          doc.heightOfString(value || '-', { width: width - labelWidth }),
        )
        roomFor(height)
        const y = doc.y
        doc.fillColor(greyInk).text(label, left, y, { width: labelWidth - 8 })
        doc.fillColor(ink).text(value || '-', left + labelWidth, y, { width: width - labelWidth })
        doc.y = y + height + 4
        doc.x = left
      }
    },
    table(columns, rows) {
      const total = columns.reduce((sum, column) => sum + column.width, 0)
      const widths = columns.map((column) => (column.width / total) * width)
      const row = (cells: readonly string[], font: string) => {
        doc.font(font).fontSize(9)
        const height = Math.max(...cells.map((cell, i) => doc.heightOfString(cell, { width: widths[i]! - 10 }))) + 8
        roomFor(height)
        const y = doc.y
        let x = left
        for (const [i, cell] of cells.entries()) {
          doc.fillColor(ink).text(cell, x + 5, y + 4, { width: widths[i]! - 10, align: columns[i]?.align ?? 'left' })
          x += widths[i]!
        }
        doc
          .moveTo(left, y + height)
          .lineTo(left + width, y + height)
          .lineWidth(0.5)
          .stroke(ruleColour)
        doc.x = left
        doc.y = y + height
      }
      row(
        columns.map((column) => column.label),
        'Helvetica-Bold',
      )
      for (const cells of rows) row(cells, 'Helvetica')
      doc.moveDown(0.5).font('Helvetica').fontSize(10)
    },
    bytes() {
      footers()
      doc.end()
      return bytes
    },
  }
}
