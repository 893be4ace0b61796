import { sql } from 'kysely'
import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { documentsOpenIn } from '#domain/documents/document-status.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { followDocuments } from './documents-changed.ts'

/** Days before the date at which an applicant is reminded of a document that follows. */
const reminderDays = [7, 1]
const batchSize = 100

/**
 * Reminds applicants of documents that follow, and makes a document missing again after its date. Each reminder is sent
 * once; of several missed ones only the last.
 */
export const followUpDocumentsJob = defineJob({
  name: 'follow-up-documents',
  schedule: '20 6 * * *',
  data: z.object({}),
  run: async (services) => {
    let handled = 0
    for (;;) {
      const count = await inTransaction(services, systemActor, async (context) => {
        const due = await lockDue(context.tx, universityCalendar().dayOf(context.now))
        for (const document of due) await (document.daysLeft < 0 ? lapse : remind)(context, document)
        return due.length
      })
      handled += count
      if (count < batchSize) return handled
    }
  },
})

type Due = {
  id: string
  name: string
  deferredUntil: string
  reviewedAt: Date | null
  daysLeft: number
  registrationId: string
  accountId: string
  code: string
}

/** Documents with a reminder due or past their date. Locks their registrations, because reviews do so too. */
async function lockDue(tx: Tx, today: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    SELECT d.id, d.name, d.deferred_until, d.reviewed_at, d.deferred_until - ${today}::date AS days_left,
      r.id AS registration_id, r.account_id, r.code
    FROM documents d JOIN registrations r ON r.id = d.registration_id
    WHERE d.status = 'deferred' AND r.status = ANY (${[...documentsOpenIn]})
      AND d.deferred_until <= ${today}::date + ${Math.max(...reminderDays)}::int
      AND (d.deferred_until < ${today}::date OR (SELECT min(days) FROM unnest(${reminderDays}::int[]) days
        WHERE d.deferred_until <= ${today}::date + days) < coalesce(d.reminded_days_before, 1000))
    ORDER BY r.id, d.id LIMIT ${batchSize}
    FOR NO KEY UPDATE OF r SKIP LOCKED`.execute(tx)
  return rows
}

async function remind(context: Context, { id, daysLeft, ...document }: Due) {
  const remindedDaysBefore = Math.min(...reminderDays.filter((days) => daysLeft <= days))
  // A review may have changed the document before the lock.
  const reminded = await context.tx
    .updateTable('documents')
    .set({ remindedDaysBefore })
    .where('id', '=', id)
    .where('status', '=', 'deferred')
    .where('deferredUntil', '=', document.deferredUntil)
    .returning('id')
    .executeTakeFirst()
  if (reminded) await tell(context, 'document-due', document)
}

async function lapse(context: Context, { id, reviewedAt, ...document }: Due) {
  const { tx, actor } = context
  const lapsed = await tx
    .updateTable('documents')
    .set((eb) => ({
      status: 'empty' as const,
      dueOn: document.deferredUntil,
      deferredUntil: null,
      remindedDaysBefore: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('status', '=', 'deferred')
    .where('deferredUntil', '=', document.deferredUntil)
    .returning('id')
    .executeTakeFirst()
  if (!lapsed) return
  await recordAudit(tx, actor, {
    action: 'document.lapse',
    on: { document: id },
    before: { status: 'deferred', until: document.deferredUntil },
    after: { status: 'empty' },
  })
  await followDocuments(context, document.registrationId, { settledAt: reviewedAt })
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
