import QRCode from 'qrcode'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate } from '#locales/format.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { conflict } from '#server/platform/errors.ts'
import { newPdf } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'

const standing: readonly string[] = ['decided', 'confirmed', 'enrolled']

/** The acceptance letter as an A4 page; 409 without a published acceptance that stands. */
export async function acceptanceLetter(services: Services, actor: Actor, id: string, language: Language) {
  const { row, facts } = await getRegistration(services.db, actor, id, services.clock.now())
  if (facts.result !== 'accepted' || !standing.includes(row.status) || !row.acceptedProgramme)
    throw conflict(facts.result === 'waiting' ? 'result_not_published' : 'not_accepted')
  const settings = await getSettings(services.db)
  const t = sentences(language)
  const programme = row.acceptedProgramme.name
  const { confirmationDueAt } = facts.window
  const pdf = await newPdf({
    title: t('offers:letter.title'),
    settings,
    logo: await logoBytes(services, settings),
    footer: `${row.code} · ${settings.universityName}`,
  })
  const { doc, left, width } = pdf
  const paragraph = (text: string) => doc.text(text, left, undefined, { width }).moveDown(0.8)
  paragraph(t('offers:letter.opening', { university: settings.universityName }))
  pdf.facts([
    [t('offers:letter.name'), row.name],
    [t('offers:letter.code'), row.code],
    ...(row.schoolName ? [[t('offers:letter.school'), row.schoolName] as [string, string]] : []),
    [t('offers:letter.programme'), programme],
    [t('offers:letter.class'), row.classProgramme.name],
    [t('offers:letter.track'), row.track.name],
    [t('offers:letter.wave'), `${row.wave.name} ${row.wave.academicYear}`],
  ])
  doc.moveDown(0.8)
  paragraph(
    row.status === 'decided'
      ? confirmationDueAt
        ? t('offers:letter.confirmBefore', { due: dateTime(confirmationDueAt, language) })
        : t('offers:letter.confirm')
      : t('offers:letter.confirmed'),
  )
  const qr = await QRCode.toBuffer(
    `${services.config.publicUrl}/verifikasi/${encodeURIComponent(cardCode(services, row.code))}`,
    { margin: 0, width: 260, errorCorrectionLevel: 'M' },
  )
  const top = doc.y + 14
  doc.image(qr, left, top, { width: 88 })
  doc.fontSize(8.5).text(t('offers:letter.verify'), left + 104, top, { width: 190 })
  const signLeft = left + width - 170
  doc.fontSize(10).text(longDate(row.decidedAt ?? services.clock.now(), language, settings.timeZone), signLeft, top, {
    width: 170,
  })
  doc.text(settings.signatoryTitle, signLeft, undefined, { width: 170 })
  doc
    .font('Helvetica-Bold')
    .text(settings.signatoryName, signLeft, doc.y + 34, { width: 170 })
    .font('Helvetica')
  return { name: `${t('offers:letter.file')}-${row.code}`, bytes: await pdf.bytes() }
}
