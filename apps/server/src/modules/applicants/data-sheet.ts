import { buffer } from 'node:stream/consumers'
import { formatPhone } from '#domain/accounts/phone.ts'
import { type ProfileField, profileFieldsOf, profileSections } from '#domain/applicants/profile.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { notFound } from '#server/platform/errors.ts'
import { newPdf, type Pdf } from '#server/platform/files/pdf.ts'
import { getFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { licenceOf } from './driving-licence.ts'
import { type ProfileRecord, profileOf } from './profile.ts'

const photoWidth = 85
/** Ratio of a 3 × 4 cm photo. */
const photoHeight = (photoWidth * 4) / 3

function answerOf(profile: ProfileRecord, field: ProfileField, language: Language): string {
  const t = sentences(language)
  const { names } = profile
  switch (field) {
    case 'birthDate':
      return profile.birthDate ? longDate(profile.birthDate, language) : ''
    case 'gender':
      return profile.gender ? t(`applicants:gender.${profile.gender}`) : ''
    case 'citizenship':
      return profile.citizenship === 'ID' ? t('applicants:citizenship.ID') : profile.citizenship
    case 'religionId':
      return names.religion ?? ''
    case 'ethnicGroupId':
      return names.ethnicGroup ?? ''
    case 'phone':
    case 'guardianPhone':
      return profile[field] ? formatPhone(profile[field]) : ''
    case 'guardianConsent':
      return profile.guardianConsentAt ? longDate(profile.guardianConsentAt, language) : ''
    case 'provinceId':
      return names.province ?? ''
    case 'cityId':
      return names.city ?? ''
    case 'districtId':
      return names.district ?? ''
    case 'villageId':
      return names.village ?? ''
    case 'lastEducation':
      return profile.lastEducation ? t(`applicants:education.${profile.lastEducation}`) : ''
    case 'schoolId':
      return names.school ? `${names.school} (NPSN ${names.schoolNpsn}), ${names.schoolCity}` : ''
    case 'schoolTypeId':
      return names.schoolType ?? ''
    case 'schoolMajorId':
      return names.schoolMajor ?? ''
    case 'graduationYear':
      return profile.graduationYear ? String(profile.graduationYear) : ''
    case 'photoFileId':
      return ''
    default:
      return String(profile[field] ?? '')
  }
}

async function readPicture(services: Services, fileId: string | null) {
  if (!fileId) return undefined
  const { storageKey } = await getFile(services.db, fileId)
  return buffer(await services.files.read(storageKey))
}

const registrationsOf = ({ db }: Services, accountId: string) =>
  db
    .selectFrom('registrations as r')
    .innerJoin('waves', 'waves.id', 'r.waveId')
    .innerJoin('tracks', 'tracks.id', 'r.trackId')
    .leftJoin('students', 'students.registrationId', 'r.id')
    .select(['r.code', 'waves.name as wave', 'waves.academicYear', 'tracks.name as track', 'students.npm'])
    .where('r.accountId', '=', accountId)
    .orderBy('r.createdAt', 'desc')
    .execute()

/** Prints facts beside the photo: long values wrap before the last `reservedWidth` points, where the photo is. */
function printFactsBeside(
  { doc, left, width }: Pdf,
  rows: readonly (readonly [string, string])[],
  reservedWidth: number,
) {
  const labelWidth = 160
  const valueWidth = width - labelWidth - reservedWidth
  for (const [label, value] of rows) {
    const y = doc.y
    const height = doc.heightOfString(value || '-', { width: valueWidth })
    doc.fillColor('#5e6278').text(label, left, y, { width: labelWidth - 8 })
    doc.fillColor('#1e1e2d').text(value || '-', left + labelWidth, y, { width: valueWidth })
    doc.x = left
    doc.y = y + height + 4
  }
}

/** Prints the actor's profile with photo as the student data sheet. */
export async function printDataSheet(services: Services, actor: Actor, language: Language): Promise<Buffer> {
  const { db, clock } = services
  const now = clock.now()
  const profile = await profileOf(db, actor.accountId, now)
  if (!profile) throw notFound('profile')
  const [settings, licence, registrations] = await Promise.all([
    getSettings(db),
    licenceOf(services, actor),
    registrationsOf(services, actor.accountId),
  ])
  const t = sentences(language)
  const pdf = await newPdf({
    title: t('applicants:dataSheet.title'),
    settings,
    logo: await readPicture(services, settings.logoFileId),
    footer: t('applicants:dataSheet.printed', { date: dateTime(now, language, settings.timeZone) }),
    pageWord: (page, total) => t('applicants:dataSheet.page', { page, of: total }),
  })

  const photo = await readPicture(services, profile.photoFileId)
  const photoLeft = pdf.left + pdf.width - photoWidth
  const photoTop = pdf.doc.y
  if (photo) {
    pdf.doc.image(photo, photoLeft, photoTop, { cover: [photoWidth, photoHeight], align: 'center', valign: 'center' })
  } else {
    pdf.doc
      .rect(photoLeft, photoTop, photoWidth, photoHeight)
      .lineWidth(0.5)
      .dash(3, { space: 3 })
      .stroke('#5e6278')
      .undash()
    pdf.doc
      .fillColor('#5e6278')
      .text('3 × 4', photoLeft, photoTop + photoHeight / 2 - 6, { width: photoWidth, align: 'center' })
  }
  pdf.doc.x = pdf.left
  pdf.doc.y = photoTop - 12

  for (const section of profileSections) {
    pdf.heading(t(`applicants:section.${section}`))
    const fields: readonly ProfileField[] = profileFieldsOf[section]
    const rows = fields
      .filter((field) => field !== 'photoFileId' && (field !== 'guardianConsent' || profile.guardianConsent))
      .map((field) => [t(`applicants:field.${field}`), answerOf(profile, field, language)] as const)
    if (section === 'contact') rows.splice(1, 0, [t('applicants:field.email'), profile.email])
    if (section === 'identity') printFactsBeside(pdf, rows, photoWidth + 16)
    else pdf.facts(rows)
    // Continue below the photo: otherwise facts or the next heading could overlap it.
    if (section === 'identity') pdf.doc.y = Math.max(pdf.doc.y, photoTop + photoHeight)
  }

  pdf.heading(settings.simLabel[language])
  pdf.facts([
    [
      t('applicants:dataSheet.drives'),
      !licence
        ? t('applicants:dataSheet.unanswered')
        : !licence.drives
          ? t('applicants:dataSheet.doesNotDrive')
          : `${licence.class} · ${licence.number} · ${t('applicants:dataSheet.validUntil', { date: longDate(licence.expiresOn!, language) })}`,
    ],
  ])
  if (registrations.length > 0) {
    pdf.heading(t('applicants:dataSheet.registrations'))
    pdf.facts(
      registrations.flatMap(({ code, wave, academicYear, track, npm }) => [
        [code, `${track} · ${wave} · ${academicYear}`] as const,
        ...(npm ? [[t('applicants:dataSheet.studentNumber'), npm] as const] : []),
      ]),
    )
  }

  const { doc } = pdf
  if (doc.y > doc.page.height - doc.page.margins.bottom - 110) doc.addPage()
  doc.moveDown(1.2).fillColor('#1e1e2d').text(t('applicants:dataSheet.declaration'), pdf.left)
  doc
    .moveDown(3.5)
    .text(`(${profile.fullName})`, pdf.left + pdf.width - 200, undefined, { width: 200, align: 'center' })
  doc.fillColor('#5e6278').text(t('applicants:dataSheet.signature'), { width: 200, align: 'center' })
  return pdf.bytes()
}
