import { greyInk, ink, pdfBytes } from '#server/platform/files/pdf.ts'
import { photoForPrint } from '#server/platform/files/photo-for-print.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetContents, SheetPerson, SheetRoom } from './sheet-contents.ts'

async function openPdf({ settings }: SheetContents, title: string, options: { landscape?: boolean } = {}) {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    layout: options.landscape ? 'landscape' : 'portrait',
    margin: 36,
    autoFirstPage: false,
    info: { Title: title, Author: settings.universityName },
    lang: 'id',
  })
  const bytes = pdfBytes(doc)
  const end = () => {
    doc.end()
    return bytes
  }
  return { doc, end }
}

/** Door signs, one page per room, legible from a few metres. Once places are given, an empty room gets no sign. */
export async function drawDoorSigns(contents: SheetContents) {
  const { t, settings, session, when, rooms } = contents
  const { doc, end } = await openPdf(contents, t('test-sessions:print.door'), { landscape: true })
  const namedRooms = rooms.filter(({ name }) => name !== null)
  const usedRooms = namedRooms.filter(({ people }) => people.length > 0)
  for (const room of [usedRooms, namedRooms].find(({ length }) => length > 0) ?? rooms) {
    doc.addPage()
    const width = doc.page.width - 72
    const centred = { width, align: 'center' } as const
    doc.font('Helvetica').fontSize(18).fillColor(greyInk).text(settings.universityName, 36, 48, centred)
    doc
      .font('Helvetica-Bold')
      .fontSize(fittingSize(doc, room.name ?? session.location, width, 96))
      .fillColor(ink)
      .text(room.name ?? session.location, 36, 130, centred)
    doc.fontSize(fittingSize(doc, session.name, width, 36)).text(session.name, 36, 270, centred)
    doc.font('Helvetica').fontSize(26).text(when, centred)
    doc.moveDown(0.5).fontSize(20).fillColor(greyInk).text(rangeOf(contents, room), centred)
  }
  return end()
}

/** The largest font size up to `most` at which the text fits on one line. */
function fittingSize(doc: PDFKit.PDFDocument, text: string, width: number, most: number) {
  const widthAtMost = doc.fontSize(most).widthOfString(text)
  return Math.max(18, Math.min(most, Math.floor((most * width) / Math.max(widthAtMost, 1))))
}

/** "24 people, seats A1–C8"; empty without people. */
function rangeOf({ t }: SheetContents, { people }: SheetRoom) {
  if (people.length === 0) return ''
  const [first, last] = [people[0]?.seat, people.at(-1)?.seat]
  const count = t('test-sessions:print.peopleCount', { count: people.length })
  return first && last ? `${count}, ${t('test-sessions:print.seats', { first, last })}` : count
}

const labelsAcross = 2
const labelsDown = 5
const gap = 8
/** Photos read at once; each may have some megabytes. */
const photosAtOnce = 4

/** Desk labels with photo, ten on a page, in the order of rooms and seats. */
export async function drawLabels(services: Services, contents: SheetContents) {
  const { t, rooms } = contents
  const { doc, end } = await openPdf(contents, t('test-sessions:print.labels'))
  const labels = rooms.flatMap((room) => room.people.map((person) => ({ person, room })))
  if (labels.length === 0) doc.addPage().font('Helvetica').fontSize(12).text(t('test-sessions:print.nobody'))
  const photos = new Map<SheetPerson, Buffer | undefined>()
  for (let start = 0; start < labels.length; start += photosAtOnce)
    await Promise.all(
      labels
        .slice(start, start + photosAtOnce)
        .map(async ({ person }) => photos.set(person, await photoForPrint(services, person.photoFileId))),
    )
  for (const [index, { person, room }] of labels.entries()) {
    const place = index % (labelsAcross * labelsDown)
    if (place === 0) doc.addPage()
    const width = (doc.page.width - 72 - gap) / labelsAcross
    const height = (doc.page.height - 72 - gap * (labelsDown - 1)) / labelsDown
    const x = 36 + (place % labelsAcross) * (width + gap)
    const y = 36 + Math.floor(place / labelsAcross) * (height + gap)
    drawLabel(doc, contents, { person, room, photo: photos.get(person) }, { x, y, width, height })
  }
  return end()
}

type Label = { person: SheetPerson; room: SheetRoom; photo: Buffer | undefined }
type Box = { x: number; y: number; width: number; height: number }

function drawLabel(
  doc: PDFKit.PDFDocument,
  { t, session }: SheetContents,
  { person, room, photo }: Label,
  { x, y, width, height }: Box,
) {
  doc.rect(x, y, width, height).lineWidth(0.5).stroke('#a1a5b7')
  const photoHeight = height - 16
  const photoWidth = (photoHeight * 3) / 4
  const frame = [x + 8, y + 8, photoWidth, photoHeight] as const
  if (photo) {
    doc
      .save()
      .rect(...frame)
      .clip()
    doc.image(photo, frame[0], frame[1], { cover: [photoWidth, photoHeight], align: 'center', valign: 'center' })
    doc.restore()
  }
  doc
    .rect(...frame)
    .lineWidth(0.5)
    .stroke('#a1a5b7')
  const left = x + photoWidth + 18
  const column = { width: width - photoWidth - 26, ellipsis: true }
  doc
    .font('Helvetica-Bold')
    .fontSize(24)
    .fillColor(ink)
    .text(person.seat || '-', left, y + 10, { ...column, height: 28 })
  doc.font('Helvetica').fontSize(9).fillColor(greyInk)
  doc.text(room.name ?? t('test-sessions:print.noRoom'), left, y + 38, { ...column, height: 22 })
  doc
    .font('Helvetica-Bold')
    .fontSize(11)
    .fillColor(ink)
    .text(person.name, left, y + 62, { ...column, height: 40 })
  doc
    .font('Helvetica')
    .fontSize(10)
    .text(person.code, left, y + 104, { ...column, height: 14 })
  doc
    .fontSize(8)
    .fillColor(greyInk)
    .text(session.name, left, y + 120, { ...column, height: 20 })
}
