import { sql } from 'kysely'
import type { z } from 'zod'
import { calendarOf } from '#domain/calendar.ts'
import type { createReportMail, MailWords, readReportMail, saveReportMail } from '#domain/report-mail/endpoints.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { maskEmail } from '#server/platform/access/masks.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { nextDue, type Rhythm } from './due-moments.ts'
import { checkQuestion } from './mail-question.ts'
import { possibleRecipients } from './recipients.ts'
import { startRuns } from './start-runs.ts'

type NewMail = z.output<typeof createReportMail.body>
/** The response of a mail without its description; times may be Dates. */
export type OwnMail = Omit<z.input<typeof readReportMail.response>['data'], keyof MailWords> & { columns: string[] }
type ChangedMail = z.output<typeof saveReportMail.body>

/** Fields that the rhythm does not use are null. */
const rhythmOf = ({ rhythm, weekday, monthDay, hour }: Rhythm) => ({
  rhythm,
  weekday: rhythm === 'weekly' ? weekday : null,
  monthDay: rhythm === 'monthly' ? monthDay : null,
  hour,
})

async function valuesOf({ db, clock }: Services, body: ChangedMail | NewMail) {
  const { name, format, skipsEmpty, lastDays } = body
  const calendar = calendarOf((await getSettings(db)).timeZone)
  const rhythm = rhythmOf(body)
  const now = clock.now()
  return { name, format, skipsEmpty, lastDays, ...rhythm, nextDueAt: nextDue(rhythm, now, calendar), updatedAt: now }
}

/**
 * Adds a scheduled mail of the actor; 403 without the report's permission, 422 for an invalid question or recipient.
 */
export async function createMail(services: Services, actor: Actor, body: NewMail): Promise<OwnMail> {
  const { report, question, columns, recipientIds } = body
  await checkQuestion(services, actor, body)
  const values = await valuesOf(services, body)
  return services.db.transaction().execute(async (tx) => {
    await requireRecipients(tx, actor, report, recipientIds)
    const { id } = await tx
      .insertInto('reportMails')
      .values({ ...values, report, question, columns, ownerId: actor.accountId, createdAt: values.updatedAt })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setRecipients(tx, id, recipientIds)
    await recordAudit(tx, actor, {
      action: 'report-mail.create',
      on: { 'report-mail': id },
      after: summaryOf(body, report),
    })
    return getMail(tx, actor, id)
  })
}

const summaryOf = (body: ChangedMail | NewMail, report: string) => ({
  name: body.name,
  list: `laporan-${report}`,
  format: body.format,
  ...rhythmOf(body),
  recipients: body.recipientIds.length,
})

/** Changes a mail of the actor. Existing recipients who lost the permission are kept but get nothing. */
export async function saveMail(services: Services, actor: Actor, id: string, body: ChangedMail): Promise<OwnMail> {
  const before = await getMail(services.db, actor, id)
  const { report, question, recipients } = before
  await checkQuestion(services, actor, { report, question, lastDays: body.lastDays })
  const { nextDueAt, ...values } = await valuesOf(services, body)
  // Keep the due time: if it has just passed, the mail must still be sent.
  const isSameRhythm = JSON.stringify(rhythmOf(before)) === JSON.stringify(rhythmOf(body))
  return services.db.transaction().execute(async (tx) => {
    const known = new Set(recipients.map((recipient) => recipient.id))
    await requireRecipients(
      tx,
      actor,
      report,
      body.recipientIds.filter((recipientId) => !known.has(recipientId)),
    )
    await changeMail(tx, actor, id, body.version, isSameRhythm ? values : { ...values, nextDueAt })
    await tx.deleteFrom('reportMailRecipients').where('mailId', '=', id).execute()
    await setRecipients(tx, id, body.recipientIds)
    await recordAudit(tx, actor, {
      action: 'report-mail.update',
      on: { 'report-mail': id },
      after: summaryOf(body, report),
    })
    return getMail(tx, actor, id)
  })
}

/** Pauses or resumes a mail. Times that pass during the pause are not sent later. */
export async function pauseMail(
  services: Services,
  actor: Actor,
  id: string,
  { active, version }: { active: boolean; version: number },
) {
  const mail = await getMail(services.db, actor, id)
  const calendar = calendarOf((await getSettings(services.db)).timeZone)
  const now = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    await changeMail(tx, actor, id, version, { active, nextDueAt: nextDue(mail, now, calendar), updatedAt: now })
    const action = active ? 'report-mail.resume' : 'report-mail.pause'
    await recordAudit(tx, actor, { action, on: { 'report-mail': id }, after: { name: mail.name } })
    return getMail(tx, actor, id)
  })
}

async function changeMail(tx: Tx, actor: Actor, id: string, version: number, values: object) {
  const changed = await tx
    .updateTable('reportMails')
    .set(values)
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('ownerId', '=', actor.accountId)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()
  if (changed) return
  await getMail(tx, actor, id)
  throw conflict('stale_version')
}

export const deleteMail = (services: Services, actor: Actor, id: string) =>
  services.db.transaction().execute(async (tx) => {
    const { name } = await getMail(tx, actor, id)
    await tx.deleteFrom('reportMails').where('id', '=', id).where('ownerId', '=', actor.accountId).execute()
    await recordAudit(tx, actor, { action: 'report-mail.delete', on: { 'report-mail': id }, before: { name } })
    return { id }
  })

/** Sends a mail of the actor to all its recipients now, even if it is paused. */
export const sendMailNow = (services: Services, actor: Actor, id: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { name, report } = await getMail(tx, actor, id)
    requirePermission(actor, `laporan-${report}`)
    const runs = await startRuns(context, id, services.clock.now(), { byHand: true })
    await recordAudit(tx, actor, {
      action: 'report-mail.send',
      on: { 'report-mail': id },
      after: { name, recipients: runs.length },
    })
    return { recipients: runs.length }
  })

async function requireRecipients(tx: Tx, actor: Actor, report: ReportSlug, ids: readonly string[]) {
  if (ids.length === 0) return
  const found = await possibleRecipients(tx, actor, report)
    .where(sql<boolean>`a.id = ANY(${ids}::uuid[])`)
    .select('a.id')
    .execute()
  if (found.length < new Set(ids).size) throw invalid({ recipientIds: 'report_mail_recipient' })
}

const setRecipients = (tx: Tx, mailId: string, ids: readonly string[]) =>
  tx
    .insertInto('reportMailRecipients')
    .values([...new Set(ids)].map((accountId) => ({ mailId, accountId })))
    .execute()

/** A mail of the actor with shortened addresses of recipients; 404 for other accounts' mails. */
export async function getMail(db: Db, actor: Actor, id: string): Promise<OwnMail> {
  const row = await db
    .selectFrom('reportMails')
    .select([
      'id',
      'name',
      'report',
      'question',
      'columns',
      'rhythm',
      'weekday',
      'monthDay',
      'hour',
      'format',
      'skipsEmpty',
    ])
    .select(['lastDays', 'active', 'nextDueAt', 'version'])
    .where('id', '=', id)
    .where('ownerId', '=', actor.accountId)
    .executeTakeFirst()
  if (!row) throw notFound('report_mail')
  const found = await db
    .selectFrom('reportMailRecipients as x')
    .innerJoin('accounts as a', 'a.id', 'x.accountId')
    .innerJoin('roles as r', 'r.id', 'a.roleId')
    .select(['a.id', 'a.name', 'a.email', 'r.name as role'])
    .where('x.mailId', '=', id)
    .orderBy('a.name')
    .orderBy('a.id')
    .execute()
  const recipients = found.map((recipient) => ({ ...recipient, email: maskEmail(recipient.email) }))
  const recipientIds = recipients.map((recipient) => recipient.id)
  return { ...row, report: row.report as ReportSlug, recipients, recipientIds }
}
