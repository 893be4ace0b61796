import QRCode from 'qrcode'
import { paletteOf } from '#domain/settings/palette.ts'
import type { CardLayout } from '#domain/students/endpoints.ts'
import { openImage, pdfBytes } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import type { Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { studentCardAddress } from './student-card-code.ts'

export type CardFace = {
  npm: string
  copy: number
  name: string
  programme: string
  faculty: string
  academicYear: string
  photo: Buffer | undefined
}

type Contents = { layout: CardLayout; faces: readonly CardFace[]; settings: Settings; logo: Buffer | undefined }

const points = (millimetres: number) => (millimetres * 72) / 25.4
// ISO/IEC 7810 ID-1: 85.6 × 53.98 mm.
const cardWidth = points(85.6)
const cardHeight = points(53.98)
const markLength = points(4)
const markGap = points(1)

const across = 2
const down = 5
const gap = points(2)

/** Draws cards with crop marks: one per page in card size, or ten per A4 page. */
export async function drawCards(services: Pick<Services, 'config'>, { layout, faces, settings, logo }: Contents) {
  const { default: PDFDocument } = await import('pdfkit')
  const frame = points(8)
  const size: [number, number] | 'A4' = layout === 'card' ? [cardWidth + 2 * frame, cardHeight + 2 * frame] : 'A4'
  const t = sentences('id')
  const doc = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    info: { Title: t('students:card.title'), Author: settings.universityName },
    lang: 'id',
  })
  const bytes = pdfBytes(doc)
  const shared = logo && openImage(doc, logo)
  for (const [index, face] of faces.entries()) {
    const place = layout === 'card' ? 0 : index % (across * down)
    if (place === 0) doc.addPage()
    const column = place % across
    const row = Math.floor(place / across)
    const left =
      layout === 'card' ? frame : (doc.page.width - across * cardWidth - gap) / 2 + column * (cardWidth + gap)
    const top =
      layout === 'card'
        ? frame
        : (doc.page.height - down * cardHeight - (down - 1) * gap) / 2 + row * (cardHeight + gap)
    const qr = await QRCode.toBuffer(studentCardAddress(services, face.npm, face.copy), {
      margin: 0,
      width: 300,
      errorCorrectionLevel: 'M',
    })
    drawFace(doc, { face, settings, logo: shared, qr, title: t('students:card.title') }, left, top)
    drawCropMarks(doc, left, top, layout === 'card' ? markLength : Math.min(markLength, gap / 2))
  }
  doc.end()
  return bytes
}

type Face = { face: CardFace; settings: Settings; logo: PDFKit.Mixins.ImageSrc | undefined; qr: Buffer; title: string }

function drawFace(doc: PDFKit.PDFDocument, { face, settings, logo, qr, title }: Face, left: number, top: number) {
  const inner = points(3)
  const bandHeight = points(12)
  doc.save().roundedRect(left, top, cardWidth, cardHeight, points(3.18)).clip()
  doc.rect(left, top, cardWidth, cardHeight).fill('#ffffff')
  // Shade 8 of every primary colour is dark enough for white text.
  doc.rect(left, top, cardWidth, bandHeight).fill(paletteOf(settings.primaryColour).shades[8]!)
  const logoSize = points(8)
  if (logo) doc.image(logo, left + inner, top + points(2), { fit: [logoSize, logoSize] })
  const titleLeft = left + inner + (logo ? logoSize + points(2) : 0)
  const titleWidth = cardWidth - (titleLeft - left) - inner
  const oneLine = { width: titleWidth, height: 10, lineBreak: false, ellipsis: true } as const
  doc
    .font('Helvetica-Bold')
    .fontSize(8.5)
    .fillColor('#ffffff')
    .text(settings.universityName, titleLeft, top + points(2.6), oneLine)
  doc
    .font('Helvetica')
    .fontSize(6.5)
    .text(title, titleLeft, top + points(6.6), oneLine)
  const photoWidth = points(21)
  const photoHeight = points(28)
  const photoTop = top + bandHeight + points(3)
  if (face.photo) {
    doc
      .save()
      .rect(left + inner, photoTop, photoWidth, photoHeight)
      .clip()
    doc.image(face.photo, left + inner, photoTop, {
      cover: [photoWidth, photoHeight],
      align: 'center',
      valign: 'center',
    })
    doc.restore()
  }
  const textLeft = left + inner + photoWidth + points(3)
  const qrSize = points(19)
  const textWidth = cardWidth - (textLeft - left) - inner
  doc
    .font('Helvetica-Bold')
    .fontSize(9)
    .fillColor('#1e1e2d')
    .text(face.name, textLeft, photoTop, { width: textWidth, height: 22, ellipsis: true })
  doc.fontSize(11).text(face.npm, textLeft, photoTop + 24, { width: textWidth, lineBreak: false })
  const factWidth = textWidth - qrSize - points(1)
  doc
    .font('Helvetica')
    .fontSize(6.5)
    .fillColor('#5e6278')
    .text(`${face.programme}\n${face.faculty}\n${face.academicYear}`, textLeft, photoTop + 40, {
      width: factWidth,
      height: photoTop + photoHeight - (photoTop + 40),
      ellipsis: true,
    })
  doc.image(qr, left + cardWidth - inner - qrSize, top + cardHeight - inner - qrSize, { width: qrSize })
  doc.restore()
}

function drawCropMarks(doc: PDFKit.PDFDocument, left: number, top: number, length: number) {
  const right = left + cardWidth
  const bottom = top + cardHeight
  const clear = Math.min(markGap, length / 4)
  doc.lineWidth(0.25).strokeColor('#1e1e2d')
  for (const x of [left, right])
    doc
      .moveTo(x, top - clear)
      .lineTo(x, top - length)
      .moveTo(x, bottom + clear)
      .lineTo(x, bottom + length)
  for (const y of [top, bottom])
    doc
      .moveTo(left - clear, y)
      .lineTo(left - length, y)
      .moveTo(right + clear, y)
      .lineTo(right + length, y)
  doc.stroke()
}
