import { PassThrough, type Readable } from 'node:stream'
import type { Photo } from './photo-download.ts'

const paper = { width: 595.28, height: 841.89 }
const margin = 36
const columns = 5
const rows = 5
const head = 34
const cell = { width: (paper.width - 2 * margin) / columns, height: (paper.height - 2 * margin - head) / rows }
/** Points for a photo in its cell; number and name are printed below. */
const room = { width: cell.width - 14, height: cell.height - 36 }
const dotsPerInch = 200
const pointsPerInch = 72

/** Pixels for drawing a photo of these proportions on a sheet. */
export function sheetPixels({ width, height }: { width: number; height: number }) {
  const scale = Math.min(room.width / width, room.height / height)
  const toPixels = (side: number) => Math.round(((side * scale) / pointsPerInch) * dotsPerInch)
  return { width: toPixels(width), height: toPixels(height) }
}

type Words = { title: string; page: (page: number) => string }

/** A stream of A4 contact sheets with 25 photos each. Frees a page once it is full; waits for a slow reader. */
export async function contactSheet(photos: AsyncIterable<Photo>, { title, page }: Words): Promise<Readable> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({ size: 'A4', margin, autoFirstPage: false, info: { Title: title } })
  const output = new PassThrough({ highWaterMark: 1_000_000 })
  doc.pipe(output)

  async function fill() {
    let count = 0
    for await (const { bytes, label, npm } of photos) {
      const at = count % (columns * rows)
      if (at === 0) {
        doc.addPage()
        doc.font('Helvetica-Bold').fontSize(12).text(title, margin, margin, { lineBreak: false })
        doc.font('Helvetica').fontSize(8)
        doc.text(page(count / (columns * rows) + 1), paper.width - margin - 100, margin + 2, {
          width: 100,
          align: 'right',
          lineBreak: false,
        })
      }
      const x = margin + (at % columns) * cell.width
      const y = margin + head + Math.floor(at / columns) * cell.height
      doc.image(bytes, x + 7, y, { fit: [room.width, room.height], align: 'center', valign: 'bottom' })
      const text = { width: cell.width - 8, align: 'center', height: 10, ellipsis: true } as const
      doc.fontSize(8).text(npm, x + 4, y + room.height + 4, text)
      doc.fontSize(7).text(label, x + 4, y + room.height + 15, text)
      count++
      while (output.writableNeedDrain && !output.destroyed) await new Promise((resolve) => setTimeout(resolve, 10))
      if (output.destroyed) return
    }
    doc.end()
  }
  fill().catch((error) => output.destroy(error))
  return output
}
