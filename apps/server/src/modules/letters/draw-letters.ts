import { setImmediate as breathe } from 'node:timers/promises'
import { blocksOf, fillLetter } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { drawLetterhead, greyInk, ink, openImage, pdfBytes } from '#server/platform/files/pdf.ts'
import { qrRuns } from '#server/platform/files/qr.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings, type Settings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { letterAddress } from './letter-code.ts'
import type { LetterFacts } from './letter-facts.ts'
import type { LetterSigner } from './signing/signer.ts'

/** Version of a text, as stored. */
export type LetterTemplate = {
  id: string
  titleEn: string
  titleId: string
  bodyEn: string
  bodyId: string
  signatoryName: string
  signatoryTitle: string
  signatoryFileId: string | null
}

/** A letter of the register, as it is printed. */
export type PrintedLetter = {
  id: string
  number: string
  language: Language
  facts: LetterFacts
  issuedAt: Date
  validUntil: string | null
}

/** What all letters of one text share: settings and pictures, read once. */
type LetterLook = { settings: Readonly<Settings>; logo: Buffer | undefined; signature: Buffer | undefined }

/** Reads settings, logo and signature for letters of a text. */
async function lookOf(services: Services, { signatoryFileId }: LetterTemplate): Promise<LetterLook> {
  const settings = await getSettings(services.db)
  const [logo, signature] = await Promise.all([
    logoBytes(services, settings),
    logoBytes(services, { logoFileId: signatoryFileId }),
  ])
  return { settings, logo, signature }
}

type Text = Pick<LetterTemplate, 'titleEn' | 'titleId' | 'bodyEn' | 'bodyId'>

/** Title and body in a language, with their placeholders. */
export const textOf = (template: Text, language: Language) =>
  language === 'en'
    ? { title: template.titleEn, body: template.bodyEn }
    : { title: template.titleId, body: template.bodyId }

const margins = { top: 50, left: 56, right: 56, bottom: 64 }

/** One letter as the bytes of a PDF, signed; equal letters give equal bytes unless a certificate signs them. */
export async function drawLetter(
  services: Services,
  template: LetterTemplate,
  letter: PrintedLetter,
  signer: LetterSigner,
): Promise<Buffer> {
  const look = await lookOf(services, template)
  const doc = await newDocument(textOf(template, letter.language).title, look, letter)
  const bytes = pdfBytes(doc)
  drawOn(services, doc, template, letter, look.settings, picturesIn(doc, look))
  signer.reserve(doc)
  doc.end()
  return signer.sign(await bytes)
}

/** Letters one after the other as the bytes of one PDF, each on a page of its own; at least one. */
export async function drawLetters(
  services: Services,
  title: string,
  letters: readonly (PrintedLetter & { template: LetterTemplate })[],
): Promise<Buffer> {
  const looks = new Map<string, { look: LetterLook; pictures: Pictures }>()
  const firstLook = await lookOf(services, letters[0]!.template)
  const doc = await newDocument(title, firstLook, letters[0]!)
  const bytes = pdfBytes(doc)
  for (const [index, letter] of letters.entries()) {
    const { template } = letter
    let known = looks.get(template.id)
    if (!known) {
      const look = index === 0 ? firstLook : await lookOf(services, template)
      known = { look, pictures: picturesIn(doc, look) }
      looks.set(template.id, known)
    }
    if (index > 0) {
      // Other requests get their turn, and the pages drawn so far leave the document.
      await breathe()
      doc.addPage()
    }
    drawOn(services, doc, template, letter, known.look.settings, known.pictures)
  }
  doc.end()
  return bytes
}

async function newDocument(title: string, { settings }: LetterLook, { issuedAt, language }: PrintedLetter) {
  const { default: PDFDocument } = await import('pdfkit')
  return new PDFDocument({
    size: 'A4',
    margins,
    info: { Title: title, Author: settings.universityName, CreationDate: issuedAt },
    lang: language,
  })
}

type Pictures = { logo: PDFKit.Mixins.ImageSrc | undefined; signature: PDFKit.Mixins.ImageSrc | undefined }

/** Opened once, a picture is stored once however many pages show it. */
const picturesIn = (doc: PDFKit.PDFDocument, { logo, signature }: LetterLook): Pictures => ({
  logo: logo && openImage(doc, logo),
  signature: signature && openImage(doc, signature),
})

function drawOn(
  services: Services,
  doc: PDFKit.PDFDocument,
  template: LetterTemplate,
  letter: PrintedLetter,
  settings: Readonly<Settings>,
  { logo, signature }: Pictures,
) {
  const { language, number, issuedAt, validUntil } = letter
  const t = sentences(language)
  const { left } = margins
  const width = doc.page.width - left - margins.right
  const date = longDate(issuedAt, language, settings.timeZone)
  const { title, body } = textOf(template, language)
  const values = { ...letter.facts, number, date, university: settings.universityName }
  drawFooter(doc, `${number} · ${settings.universityName}`)
  drawLetterhead(doc, { title: fillLetter(title, values), settings, logo })
  doc
    .fontSize(9.5)
    .fillColor(greyInk)
    .text(t('letters:pdf.number', { number }), left, doc.y - 6, { width })
  doc.moveDown(1).fontSize(10.5).fillColor(ink)
  for (const block of blocksOf(fillLetter(body, values))) {
    if ('text' in block) doc.text(block.text, left, undefined, { width, lineGap: 1.5 }).moveDown(0.8)
    else drawFacts(doc, block.facts, left, width)
  }
  if (validUntil)
    doc.text(t('letters:pdf.validUntil', { date: longDate(validUntil, language) }), left, undefined, { width })

  // Code and signature stay on one page.
  if (doc.y + 170 > doc.page.height - margins.bottom) doc.addPage()
  const top = doc.y + 18
  drawQr(doc, letterAddress(services, letter.id), left, top, 88)
  doc
    .fontSize(8.5)
    .fillColor(greyInk)
    .text(t('letters:pdf.verify'), left + 104, top, { width: 180 })
  const signLeft = left + width - 170
  const inColumn = { width: 170 }
  doc.fontSize(10).fillColor(ink).text(date, signLeft, top, inColumn)
  doc.text(template.signatoryTitle || settings.signatoryTitle, signLeft, undefined, inColumn)
  const nameTop = doc.y + 52
  if (signature) doc.image(signature, signLeft, doc.y + 2, { fit: [140, 48] })
  doc
    .font('Helvetica-Bold')
    .text(template.signatoryName || settings.signatoryName, signLeft, nameTop, inColumn)
    .font('Helvetica')
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

/** Height of a text without line breaks; one that fits on a line is not laid out a second time. */
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
  // Written at once: pdfkit keeps every single rectangle in memory until the page ends.
  const squares = runs.map((run) => `${run.x} ${run.y} ${run.length} 1 re`).join('\n')
  doc.fillColor('#000000')
  const { addContent } = doc as unknown as { addContent(operators: string): void }
  addContent.call(doc, `q ${unit} 0 0 ${unit} ${x.toFixed(2)} ${y.toFixed(2)} cm\n${squares}\nf Q`)
}
