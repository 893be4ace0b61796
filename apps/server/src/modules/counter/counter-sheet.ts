import QRCode from 'qrcode'
import { hasMailbox } from '#domain/accounts/mailbox.ts'
import { formatPhone } from '#domain/accounts/phone.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import { issueLink } from '#server/modules/accounts/links.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { newPdf } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'

/**
 * Content of the registration sheet, in the applicant's language unless another is chosen. An account without an e-mail
 * address gets a new `signIn` link for choosing a password; the audit log records it.
 */
export async function sheetOf(services: Services, actor: Actor, id: string, chosen?: Language) {
  const { db, clock } = services
  const now = clock.now()
  const { row } = await getRegistration(db, actor, id, now)
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'phone', 'language', 'passwordHash', 'consentVersion'])
    .where('id', '=', row.accountId)
    .executeTakeFirstOrThrow()
  const language = chosen ?? account.language
  const t = sentences(language)
  const mailbox = hasMailbox(account.email)
  const purpose = account.passwordHash ? 'reset-password' : 'invitation'
  const signIn = mailbox
    ? null
    : await inTransaction(services, actor, async (context) => {
        const { tx } = context
        await recordAudit(tx, actor, {
          action: 'account.print_sign_in',
          on: { account: account.id },
          after: { purpose },
        })
        return issueLink(context, purpose, { ...account, language })
      })
  const facts: [string, string][] = [
    [t('counter:sheet.code'), row.code],
    [t('counter:field.name'), row.name],
    [t('counter:field.phone'), account.phone ? formatPhone(account.phone) : ''],
    [t('counter:field.email'), mailbox ? account.email : t('counter:sheet.noEmail')],
    [t('counter:sheet.wave'), `${row.wave.name} ${row.wave.academicYear}`],
    [t('counter:sheet.track'), row.track.name],
    [t('counter:sheet.class'), row.classProgramme.name],
    ...row.choices.map(({ position, name }): [string, string] => [t('counter:sheet.choice', { position }), name]),
  ]
  return { code: row.code, name: row.name, signInName: account.email, signIn, facts, now, language }
}

/** Draws the registration sheet as PDF. The applicant signs it at the counter and takes a copy home. */
export async function drawSheet(services: Services, actor: Actor, id: string, chosen?: Language) {
  const settings = await getSettings(services.db)
  const sheet = await sheetOf(services, actor, id, chosen)
  const { language } = sheet
  const t = sentences(language)
  const pdf = await newPdf({
    title: t('counter:sheet.title'),
    settings,
    logo: await logoBytes(services, settings),
    footer: t('counter:sheet.printed', { at: dateTime(sheet.now, language), name: actor.name }),
  })
  const { doc, left, width } = pdf
  const write = (text: string) => doc.text(text, left, undefined, { width }).moveDown(0.3)
  pdf.facts(sheet.facts)
  pdf.heading(t('counter:sheet.next'))
  for (const step of ['data', 'files', 'pay', 'wait'] as const) write(`•  ${t(`counter:sheet.steps.${step}`)}`)
  pdf.heading(t('counter:sheet.signIn'))
  if (sheet.signIn) {
    const link = `${services.config.publicUrl}${sheet.signIn.path}`
    write(t('counter:sheet.signInName', { name: sheet.signInName, address: services.config.publicUrl }))
    write(t('counter:sheet.signInCode', { until: dateTime(sheet.signIn.expiresAt, language) }))
    const codeTop = doc.y
    doc.image(await QRCode.toBuffer(link, { margin: 0, width: 480 }), left, codeTop, { width: 84 })
    doc
      .fontSize(8)
      .text(link, left + 100, codeTop, { width: width - 100 })
      .fontSize(10)
    doc.y = codeTop + 92
  } else write(t('counter:sheet.byMail', { address: services.config.publicUrl }))
  pdf.heading(t('counter:sheet.statement'))
  write(t('counter:sheet.consent', { university: settings.universityName }))
  if (doc.y + 110 > doc.page.height - doc.page.margins.bottom) doc.addPage()
  doc.moveDown(1)
  const top = doc.y
  const columns: [string, string][] = [
    [t('counter:sheet.placeAndDate'), sheet.name],
    [t('counter:sheet.clerk'), actor.name],
  ]
  for (const [index, [above, below]] of columns.entries()) {
    const x = left + index * (width / 2)
    const columnWidth = width / 2 - 24
    doc.text(above, x, top, { width: columnWidth })
    doc
      .moveTo(x, top + 76)
      .lineTo(x + columnWidth, top + 76)
      .lineWidth(0.5)
      .stroke()
    doc.text(below, x, top + 82, { width: columnWidth })
  }
  return { name: sheet.code, bytes: await pdf.bytes() }
}
