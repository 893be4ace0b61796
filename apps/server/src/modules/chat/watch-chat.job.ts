import { type NotNull, sql } from 'kysely'
import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { notifyMany } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { chatAnswerEvent } from './chat-answer-event.ts'
import { addOfficeMinutes, officeHoursOf } from './office-hours.ts'
import { assign } from './staff/assign.ts'

/** Returns unanswered conversations to the queue and notifies applicants about unread answers, every minute. */
export const watchChatJob = defineJob({
  name: 'watch-chat',
  schedule: '* * * * *',
  data: z.object({}),
  async run(services) {
    await returnUnanswered(services)
    await mailUnread(services)
  },
})

/** Maximum conversations checked, and maximum applicants notified, in one run. */
const maxPerRun = 500

async function returnUnanswered({ db, clock }: Services) {
  const now = clock.now()
  const settings = await getSettings(db)
  const hours = officeHoursOf(settings)
  const waiting = await db
    .selectFrom('conversations')
    .select(['id', 'waitingSince', 'assignedAt'])
    .where('waitingSince', 'is not', null)
    .where('assigneeId', 'is not', null)
    .$narrowType<{ waitingSince: NotNull }>()
    .orderBy('waitingSince')
    .limit(maxPerRun)
    .execute()
  for (const { id, waitingSince, assignedAt } of waiting) {
    const since = assignedAt && assignedAt > waitingSince ? assignedAt : waitingSince
    if (addOfficeMinutes(hours, universityCalendar(), since, settings.chatReturnMinutes) > now) continue
    await db.transaction().execute(async (tx) => {
      const conversation = await tx
        .selectFrom('conversations')
        .selectAll()
        .where('id', '=', id)
        .where('waitingSince', '=', waitingSince)
        .where('assignedAt', '=', assignedAt)
        .where('assigneeId', 'is not', null)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (!conversation) return
      const change = { happening: 'returned', detail: null } as const
      await assign({ tx, actor: systemActor, now }, conversation, { assigneeId: null }, change)
    })
  }
}

/**
 * Notifies applicants about unread answers not sent by WhatsApp. Sends no further notice until the applicant reads or
 * writes.
 */
async function mailUnread(services: Services) {
  const { db, clock } = services
  const now = clock.now()
  const { chatTellMinutes } = await getSettings(db)
  await inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const { rows } = await sql<{ id: string; accountId: string; body: string; byWhatsapp: boolean }>`
      SELECT v.id, v.account_id, m.body, NOT m.waits AND coalesce(v.proven_phone = a.phone, false) AS by_whatsapp
      FROM conversations v
        JOIN accounts a ON a.id = v.account_id
        LEFT JOIN chat_marks k ON k.conversation_id = v.id AND k.account_id = v.account_id
        -- Latest staff answer not sent by WhatsApp: files never are, and a message may be queued or failed.
        CROSS JOIN LATERAL (SELECT s.body, s.public_seq, s.at, coalesce(w.status = 'queued', false) AS waits
          FROM chat_messages s LEFT JOIN messages w ON w.id = s.message_id
          WHERE s.conversation_id = v.id AND s.author = 'staff' AND s.public_seq > coalesce(k.seq, 0)
            AND (s.message_id IS NULL OR w.status IN ('queued', 'failed'))
          ORDER BY s.public_seq DESC LIMIT 1) m
      WHERE v.kind = 'person' AND v.account_id IS NOT NULL AND v.last_message_at > ${now}::timestamptz - interval '2 days'
        AND m.at <= ${now}::timestamptz - make_interval(mins => ${chatTellMinutes})
        AND NOT EXISTS (SELECT FROM chat_messages p WHERE p.conversation_id = v.id AND p.author = 'person'
          AND p.public_seq > m.public_seq)
        -- Already notified, and the applicant has neither read nor written since.
        AND NOT (v.told_public_seq > 0 AND coalesce(k.seq, 0) < v.told_public_seq
          AND NOT EXISTS (SELECT FROM chat_messages p WHERE p.conversation_id = v.id AND p.author = 'person'
            AND p.public_seq > v.told_public_seq))
      ORDER BY v.id LIMIT ${maxPerRun} FOR UPDATE OF v SKIP LOCKED`.execute(tx)
    if (rows.length === 0) return
    await notifyMany(
      context,
      chatAnswerEvent,
      rows.map(({ accountId, body, byWhatsapp }) => ({
        accountId,
        // No WhatsApp notice while the answer is still queued for WhatsApp. None to an unproven number either, because
        // anyone can type a stranger's number into their account.
        withoutWhatsapp: !byWhatsapp,
        params: { text: body.length > 300 ? `${body.slice(0, 300).replace(/[\ud800-\udbff]$/, '')}…` : body || '📎' },
        link: '/apps/chat/drawer-chat',
      })),
    )
    // The conversations are locked, so no answer can arrive between the query and this update.
    const ids = rows.map(({ id }) => id)
    await sql`UPDATE conversations SET told_public_seq = last_public_seq WHERE id = ANY(${ids}::uuid[])`.execute(tx)
  })
}

/** Nightly: deletes journal entries older than a day. */
export const forgetChatEventsJob = defineJob({
  name: 'forget-chat-events',
  schedule: '35 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    await sql`DELETE FROM chat_events WHERE at < ${now}::timestamptz - interval '1 day'`.execute(db)
  },
})
