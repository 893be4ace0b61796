import { setImmediate as breathe } from 'node:timers/promises'
import { blocksOf } from '#domain/letters/letter-texts.ts'
import {
  drawLetterhead,
  greyInk,
  ink,
  type LetterheadSettings,
  openImage,
  pdfBytes,
} from '#server/platform/files/pdf.ts'
import { qrRuns } from '#server/platform/files/qr.ts'

/** Content of one letter file. Drawing reads nothing else. */
export type LetterDocument = {
  title: string
  language: string
  createdAt: Date
  settings: LetterheadSettings
  logo: Buffer | undefined
  pages: readonly LetterPage[]
}

export type LetterPage = {
  title: string
  number: string
  /** Filled text; see `blocksOf`. */
  body: string
  validity: string | null
  footer: string
  /** URL in the QR code, and the text beside it. */
  address: string
  addressWords: string
  date: string
  signatoryTitle: string
  signatoryName: string
  signature: Buffer | undefined
}

const margins = { top: 50, left: 56, right: 56, bottom: 64 }

/**
 * Draws letters into one PDF, each starting on a new page. Equal letters give equal bytes. `beforeEnd` may add to the
 * document.
 */
export async function drawLetters(
  { title, language, createdAt, settings, logo, pages }: LetterDocument,
  beforeEnd: (doc: PDFKit.PDFDocument) => void = () => {},
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margins,
    autoFirstPage: false,
    info: { Title: title, Author: settings.universityName, CreationDate: createdAt },
    lang: language,
  })
  const bytes = pdfBytes(doc)
  const pictures = new Map<Buffer, PDFKit.Mixins.ImageSrc>()
  /** Opens each picture once, so that the PDF stores it once however many pages show it. */
  const pictureOf = (source: Buffer | undefined) => {
    if (source && !pictures.has(source)) pictures.set(source, openImage(doc, source))
    return source && pictures.get(source)
  }
  for (const page of pages) {
    doc.addPage()
    drawFooter(doc, page.footer)
    drawLetterhead(doc, { title: page.title, settings, logo: pictureOf(logo) })
    drawPage(doc, page, pictureOf(page.signature))
    // Lets other requests run, and writes out the pages drawn so far.
    await breathe()
  }
  beforeEnd(doc)
  doc.end()
  return bytes
}

function drawPage(doc: PDFKit.PDFDocument, letter: LetterPage, signature: PDFKit.Mixins.ImageSrc | undefined) {
  const { left } = margins
  const width = doc.page.width - left - margins.right
  doc
    .fontSize(9.5)
    .fillColor(greyInk)
    .text(letter.number, left, doc.y - 6, { width })
  doc.moveDown(1).fontSize(10.5).fillColor(ink)
  for (const block of blocksOf(letter.body)) {
    if ('text' in block) doc.text(block.text, left, undefined, { width, lineGap: 1.5 }).moveDown(0.8)
    else drawFacts(doc, block.facts, left, width)
  }
  if (letter.validity) doc.text(letter.validity, left, undefined, { width })

  // Keep code and signature on one page.
  if (doc.y + 170 > doc.page.height - margins.bottom) doc.addPage()
  const top = doc.y + 18
  drawQr(doc, letter.address, left, top, 88)
  doc
    .fontSize(8.5)
    .fillColor(greyInk)
    .text(letter.addressWords, left + 104, top, { width: 180 })
  const signLeft = left + width - 170
  const inColumn = { width: 170 }
  doc.fontSize(10).fillColor(ink).text(letter.date, signLeft, top, inColumn)
  doc.text(letter.signatoryTitle, signLeft, undefined, inColumn)
  const nameTop = doc.y + 52
  if (signature) doc.image(signature, signLeft, doc.y + 2, { fit: [140, 48] })
  doc.font('Helvetica-Bold').text(letter.signatoryName, signLeft, nameTop, inColumn).font('Helvetica')
}

function drawFacts(doc: PDFKit.PDFDocument, rows: readonly [string, string][], left: number, width: number) {
  const labelWidth = 150
  for (const [label, value] of rows) {
    const height = Math.max(heightOf(doc, label, labelWidth - 8), heightOf(doc, value, width - labelWidth))
    if (doc.y + height > doc.page.height - margins.bottom) doc.addPage()
    const y = doc.y
    doc.fillColor(greyInk).text(label, left, y, { width: labelWidth - 8 })
    doc.fillColor(ink).text(value, left + labelWidth, y, { width: width - labelWidth })
    doc.x = left
    doc.y = y + height + 4
  }
  doc.moveDown(0.8)
}

/** Height of a text without line breaks; a text that fits on one line is not laid out twice. */
const heightOf = (doc: PDFKit.PDFDocument, text: string, width: number) =>
  doc.widthOfString(text) <= width ? doc.currentLineHeight(true) : doc.heightOfString(text, { width })

function drawFooter(doc: PDFKit.PDFDocument, text: string) {
  doc.page.margins.bottom = 0
  doc
    .font('Helvetica')
    .fontSize(8)
    .fillColor(greyInk)
    .text(text, margins.left, doc.page.height - 44, { lineBreak: false })
  doc.page.margins.bottom = margins.bottom
}

function drawQr(doc: PDFKit.PDFDocument, text: string, x: number, y: number, side: number) {
  const { size, runs } = qrRuns(text)
  const unit = (side / size).toFixed(5)
  // One path for all squares: pdfkit would keep every single rectangle in memory until the page ends.
  const squares = runs.map((run) => `${run.x} ${run.y} ${run.length} 1 re`).join('\n')
  doc.fillColor('#000000')
  const { addContent } = doc as unknown as { addContent(operators: string): void }
  addContent.call(doc, `q ${unit} 0 0 ${unit} ${x.toFixed(2)} ${y.toFixed(2)} cm\n${squares}\nf Q`)
}
