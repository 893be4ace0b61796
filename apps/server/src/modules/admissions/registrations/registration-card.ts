import QRCode from 'qrcode'
import { paletteOf } from '#domain/settings/palette.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate, timeRange, weekdayDate } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { conflict } from '#server/platform/errors.ts'
import { newPdf, pdfBytes } from '#server/platform/files/pdf.ts'
import { photoForPrint } from '#server/platform/files/photo-for-print.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sameText, signatureOf } from '#server/platform/signed-text.ts'
import { sentences } from '#server/platform/text.ts'
import { getRegistration } from './load-registrations.ts'

const kind = 'registration card'

/** Text in the QR code: registration code and a signature made with the installation's secret key. */
export const cardCode = (services: Pick<Services, 'config'>, code: string) =>
  `${code}-${signatureOf(services, kind, code)}`

/** Registration code of a genuine card; undefined if the signature is wrong. */
export function codeOfCard(services: Pick<Services, 'config'>, signedCode: string): string | undefined {
  const end = signedCode.lastIndexOf('-')
  const code = signedCode.slice(0, Math.max(end, 0))
  return sameText(signedCode.slice(end + 1), signatureOf(services, kind, code)) ? code : undefined
}

type Size = 'a4' | 'a6'
type Contents = Awaited<ReturnType<typeof contentsOf>>

/**
 * Draws the registration card as PDF; 409 until the configured share of the fee is paid. Records downloads by others.
 */
export async function registrationCard(services: Services, actor: Actor, id: string, size: Size, language: Language) {
  const contents = await contentsOf(services, actor, id, language)
  // The card contains another person's photo and date of birth.
  if (contents.accountId !== actor.accountId || actor.seenBy)
    await recordAudit(services.db, actor, { action: 'card.download', on: { registration: id }, after: { size } })
  return { name: contents.code, bytes: await (size === 'a6' ? drawA6(contents) : drawA4(contents)) }
}

async function contentsOf(services: Services, actor: Actor, id: string, language: Language) {
  const now = services.clock.now()
  const { row, cardReady } = await getRegistration(services.db, actor, id, now)
  if (!cardReady) throw conflict('fee_not_settled')
  const settings = await getSettings(services.db)
  const t = sentences(language)
  const birth = await services.db
    .selectFrom('applicants')
    .select(['birthPlace', 'birthDate'])
    .where('id', '=', row.applicantId)
    .executeTakeFirstOrThrow()
  const { seat } = row
  const facts: [string, string][] = [
    [t('admissions:card.code'), row.code],
    [t('admissions:card.name'), row.name],
    [
      t('admissions:card.birth'),
      [birth.birthPlace, birth.birthDate && longDate(birth.birthDate, language)].filter(Boolean).join(', '),
    ],
    [t('admissions:card.school'), row.schoolName ?? ''],
    [t('admissions:card.wave'), `${row.wave.name} ${row.wave.academicYear}`],
    [t('admissions:card.track'), row.track.name],
    [t('admissions:card.class'), row.classProgramme.name],
    ...row.choices.map((choice): [string, string] => [
      t('admissions:card.choice', { position: choice.position }),
      choice.name,
    ]),
    ...(row.track.hasTest
      ? ([
          [
            t('admissions:card.test'),
            seat
              ? `${seat.name}, ${weekdayDate(seat.date, language)}, ${timeRange(seat.startTime, seat.endTime)}`
              : t('admissions:card.noTest'),
          ],
          ...(seat && seat.mode === 'onsite' ? [[t('admissions:card.place'), seat.location]] : []),
        ] as [string, string][])
      : []),
  ]
  return {
    code: row.code,
    accountId: row.accountId,
    settings,
    logo: await logoBytes(services, settings),
    facts,
    title: t('admissions:card.title'),
    photoWord: t('admissions:card.photo'),
    scan: t('admissions:card.scan'),
    bring: row.track.hasTest ? t('admissions:card.bring') : '',
    printed: t('admissions:card.printed', { at: dateTime(now, language) }),
    photo: await photoForPrint(services, row.photoFileId),
    qr: await QRCode.toBuffer(
      `${services.config.publicUrl}/verifikasi/${encodeURIComponent(cardCode(services, row.code))}`,
      {
        margin: 0,
        width: 480,
        errorCorrectionLevel: 'M',
      },
    ),
  }
}

function drawPhoto(doc: PDFKit.PDFDocument, { photo, photoWord }: Contents, x: number, y: number, width: number) {
  const height = (width * 4) / 3
  if (photo) {
    doc.save().rect(x, y, width, height).clip()
    doc.image(photo, x, y, { cover: [width, height], align: 'center', valign: 'center' }).restore()
  } else
    doc
      .fontSize(8)
      .fillColor('#5e6278')
      .text(photoWord, x, y + height / 2 - 4, { width, align: 'center' })
  doc.rect(x, y, width, height).lineWidth(0.5).stroke('#a1a5b7')
}

async function drawA4(contents: Contents) {
  const { title, settings, logo, facts, qr, scan, bring, printed } = contents
  const pdf = await newPdf({ title, settings, logo, footer: printed })
  const { doc, left, width } = pdf
  const top = doc.y + 6
  const photoWidth = 110
  drawPhoto(doc, contents, left + width - photoWidth, top, photoWidth)
  doc.y = top
  const labelWidth = 130
  for (const [label, value] of facts) {
    const valueWidth = width - photoWidth - 24 - labelWidth
    const height = Math.max(
      doc.heightOfString(label, { width: labelWidth - 8 }),
      doc.heightOfString(value || '-', { width: valueWidth }),
    )
    const y = doc.y
    doc
      .fontSize(10)
      .fillColor('#5e6278')
      .text(label, left, y, { width: labelWidth - 8 })
    doc.fillColor('#1e1e2d').text(value || '-', left + labelWidth, y, { width: valueWidth })
    doc.y = y + height + 6
  }
  const codeTop = Math.max(doc.y, top + (photoWidth * 4) / 3) + 20
  doc.image(qr, left, codeTop, { width: 96 })
  doc
    .fontSize(9)
    .fillColor('#5e6278')
    .text(scan, left + 112, codeTop + 8, { width: width - 112 })
  if (bring)
    doc
      .moveDown(0.6)
      .fillColor('#1e1e2d')
      .text(bring, { width: width - 112 })
  return pdf.bytes()
}

async function drawA6({ title, settings, facts, qr, scan, printed, ...rest }: Contents) {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({ size: 'A6', margin: 18, info: { Title: title, Author: settings.universityName } })
  const written = pdfBytes(doc)
  const left = 18
  const width = doc.page.width - 36
  // Shade 8 of every primary colour is dark enough for white text.
  doc.rect(0, 0, doc.page.width, 40).fill(paletteOf(settings.primaryColour).shades[8]!)
  doc
    .font('Helvetica-Bold')
    .fontSize(11)
    .fillColor('#ffffff')
    .text(settings.universityName, left, 8, { width, lineBreak: false, ellipsis: true })
  doc.font('Helvetica').fontSize(8.5).text(title, left, 24, { width })
  drawPhoto(doc, { title, settings, facts, qr, scan, printed, ...rest }, left + width - 66, 50, 66)
  doc.y = 50
  const bottom = doc.page.height - 18 - 70
  // Only the A4 card has the school (index 3); A6 needs the space for choices and test.
  for (const [label, value] of facts.filter((_, index) => index !== 3)) {
    if (doc.y > bottom - 24) break
    const valueWidth = doc.y < 146 ? width - 76 : width
    doc.font('Helvetica').fontSize(6.5).fillColor('#5e6278').text(label, left, doc.y, { width: valueWidth })
    doc
      .font('Helvetica-Bold')
      .fontSize(8)
      .fillColor('#1e1e2d')
      .text(value || '-', left, doc.y, { width: valueWidth })
    doc.moveDown(0.25)
  }
  const y = bottom
  doc.image(qr, left, y, { width: 70 })
  doc
    .font('Helvetica')
    .fontSize(7)
    .fillColor('#5e6278')
    .text(scan, left + 80, y + 12, { width: width - 80, height: 30 })
  doc.text(printed, left + 80, y + 44, { width: width - 80, height: 20 })
  doc.end()
  return written
}
