import { sql } from 'kysely'
import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { documentsOpenIn } from '#domain/documents/document-status.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { publicDecision } from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { followDocuments } from './documents-changed.ts'

/** Days before the date at which an applicant is reminded of a document that follows. */
const reminderDays = [7, 1]

/**
 * Reminds applicants of documents that follow, and makes a document missing again after its date. Each reminder is sent
 * once; of several missed ones only the last. One that fails is tried again the next day and stops no other.
 */
export const followUpDocumentsJob = defineJob({
  name: 'follow-up-documents',
  schedule: '20 6 * * *',
  data: z.object({}),
  run: async (services) => {
    const today = universityCalendar().dayOf(services.clock.now())
    const ids = await findDue(services.db, today, services.clock.now())
    let handled = 0
    for (const id of ids) {
      try {
        handled += await inTransaction(services, systemActor, (context) => handle(context, id, today))
      } catch (error) {
        services.log.error({ err: error, document: id }, 'a document that follows could not be handled')
      }
    }
    return handled
  },
})

async function handle(context: Context, id: string, today: string) {
  const document = await lockDue(context.tx, id, today)
  if (!document) return 0
  await (document.daysLeft < 0 ? lapse : remind)(context, document)
  return 1
}

type Due = {
  id: string
  name: string
  deferredUntil: string
  settledAt: Date | null
  daysLeft: number
  registrationId: string
  accountId: string
  code: string
}

/** SQL condition on `documents d`: a reminder is due, or the date has passed. */
const isDue = (today: string) => sql<boolean>`d.status = 'deferred' AND NOT d.never_lapses
  AND d.deferred_until <= ${today}::date + ${Math.max(...reminderDays)}::int
  AND (d.deferred_until < ${today}::date OR (SELECT min(days) FROM unnest(${reminderDays}::int[]) days
    WHERE d.deferred_until <= ${today}::date + days) < coalesce(d.reminded_days_before, 1000))`

/** Due documents of open registrations, without those of applicants who know that they are not accepted. */
async function findDue(db: Db, today: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT d.id FROM documents d JOIN registrations r ON r.id = d.registration_id
    WHERE ${isDue(today)} AND r.status = ANY (${[...documentsOpenIn]}) AND ${publicDecision(now)} IS DISTINCT FROM 'not_accepted'
    ORDER BY r.id, d.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The document, if it is still due. Locks its registration first, as reviews do. */
async function lockDue(tx: Tx, id: string, today: string): Promise<Due | undefined> {
  await sql`SELECT FROM registrations WHERE id = (SELECT registration_id FROM documents WHERE id = ${id})
    FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<Due>`
    SELECT d.id, d.name, d.deferred_until, greatest(d.reviewed_at, d.postponed_at) AS settled_at,
      d.deferred_until - ${today}::date AS days_left, r.id AS registration_id, r.account_id, r.code
    FROM documents d JOIN registrations r ON r.id = d.registration_id
    WHERE d.id = ${id} AND ${isDue(today)} AND r.status = ANY (${[...documentsOpenIn]})`.execute(tx)
  return rows[0]
}

async function remind(context: Context, { id, daysLeft, ...document }: Due) {
  const remindedDaysBefore = Math.min(...reminderDays.filter((days) => daysLeft <= days))
  await context.tx.updateTable('documents').set({ remindedDaysBefore }).where('id', '=', id).execute()
  await tell(context, 'document-due', document)
}

async function lapse(context: Context, { id, settledAt, ...document }: Due) {
  const { tx, actor } = context
  await tx
    .updateTable('documents')
    .set((eb) => ({
      status: 'empty' as const,
      dueOn: document.deferredUntil,
      deferredUntil: null,
      remindedDaysBefore: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, actor, {
    action: 'document.lapse',
    on: { document: id },
    before: { status: 'deferred', until: document.deferredUntil },
    after: { status: 'empty' },
  })
  await followDocuments(context, document.registrationId, { settledAt })
  await tell(context, 'document-overdue', document)
}

type Told = Pick<Due, 'name' | 'deferredUntil' | 'registrationId' | 'accountId' | 'code'>

const tell = (context: Context, event: 'document-due' | 'document-overdue', document: Told) =>
  notify(context, {
    accountId: document.accountId,
    event,
    params: (language: Language) => ({
      document: document.name,
      due: longDate(document.deferredUntil, language),
      code: document.code,
    }),
    link: `/pendaftaran/${document.registrationId}/file`,
  })
