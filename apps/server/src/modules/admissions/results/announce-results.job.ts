import { sql } from 'kysely'
import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import { offerDueAt } from '#server/modules/admissions/offers/offer-due.ts'
import { endTests } from '#server/modules/admissions/steps/tests-ended.ts'
import { notifyMany } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'

const batchSize = 1_000

/**
 * Notifies applicants about the published result of a wave and track, in random order. Runs at the time of publication
 * and after every later decision. `result_told_at` prevents a second message about the same decision, so the job may
 * run repeatedly and in parallel; stored messages would not, because the clean-up deletes them. A killed job runs again
 * after `heartbeatSeconds` and notifies the rest.
 */
export const announceResultsJob = defineJob({
  name: 'announce-results',
  heartbeatSeconds: 30,
  data: z.object({ waveId: z.uuid(), trackId: z.uuid() }),
  run: async (services, { waveId, trackId }) => {
    const now = services.clock.now()
    const { rows } = await sql<{ id: string }>`
      SELECT r.id FROM registrations r
      WHERE r.wave_id = ${waveId} AND r.track_id = ${trackId} AND ${isUntold} AND ${isPublished(now)}
      ORDER BY random()`.execute(services.db)
    let count = 0
    for (let start = 0; start < rows.length; start += batchSize) {
      const ids = rows.slice(start, start + batchSize).map(({ id }) => id)
      count += await inTransaction(services, systemActor, (context) => announceBatch({ ...context, now }, ids))
    }
    await services.db
      .updateTable('resultPublications')
      .set({ announcedAt: now })
      .where('waveId', '=', waveId)
      .where('trackId', '=', trackId)
      .where('publishAt', '<=', now)
      .where('announcedAt', 'is', null)
      .execute()
    return count
  },
})

/** Applicants who still see an earlier refusal are not notified about another one. */
const isUntold = sql<boolean>`(r.status = 'decided' AND r.decision IS NOT NULL
  AND (r.result_told_at IS NULL OR r.result_told_at < r.decided_at)
  AND NOT (r.decision = 'not_accepted' AND EXISTS (SELECT FROM shown_refusals x WHERE x.registration_id = r.id)))`

type Decided = {
  id: string
  code: string
  accountId: string
  decision: 'accepted' | 'not_accepted'
  name: string | null
  nameEn: string | null
  dueAt: Date | null
}

/**
 * Notifies the applicants among these registrations who were not notified yet; returns their number. Row locks, taken
 * in id order, make a parallel run wait and then skip them, and keep decisions from being reverted meanwhile.
 */
async function announceBatch(context: Omit<Context, 'actor'>, ids: readonly string[]) {
  const { tx, now } = context
  const { rows } = await sql<Decided>`
    SELECT r.id, r.code, r.account_id, r.decision, p.name, p.name_en, ${offerDueAt} AS due_at
    FROM registrations r
    LEFT JOIN study_programmes p ON p.id = r.accepted_programme_id
    WHERE r.id = ANY(${[...ids]}::uuid[]) AND ${isUntold} AND ${isPublished(now)}
    ORDER BY r.id
    FOR NO KEY UPDATE OF r`.execute(tx)
  const isLate = ({ decision, dueAt }: Decided) => decision === 'accepted' && dueAt !== null && dueAt <= now
  const lateIds = rows.filter(isLate).map(({ id }) => id)
  // An offer announced after its deadline could never be answered.
  const lateDueAt = universityCalendar().endOfDayAfter(now, (await getSettings(tx)).offerDays)
  // Thousands of offers share a few deadlines, and formatting a date takes as long as writing a message.
  const dueTexts = new Map<string, string>()
  const dueText = (dueAt: Date, language: Language) => {
    const key = `${language} ${dueAt.getTime()}`
    const known = dueTexts.get(key) ?? dateTime(dueAt, language)
    dueTexts.set(key, known)
    return known
  }
  const noticeOf = (row: Decided) => {
    const dueAt = isLate(row) ? lateDueAt : row.dueAt
    return {
      accountId: row.accountId,
      params: (language: Language) => ({
        code: row.code,
        programme: (language === 'en' && row.nameEn) || row.name,
        due: dueAt ? dueText(dueAt, language) : '',
      }),
      link: `/pendaftaran/${row.id}`,
    }
  }
  for (const [decision, event] of [
    ['accepted', 'registration-accepted'],
    ['not_accepted', 'registration-not-accepted'],
  ] as const)
    await notifyMany(context, event, rows.filter((row) => row.decision === decision).map(noticeOf))
  await sql`UPDATE registrations SET result_told_at = ${now},
      offer_due_at = CASE WHEN id = ANY(${lateIds}::uuid[]) THEN ${lateDueAt}::timestamptz ELSE offer_due_at END
    WHERE id = ANY(${rows.map(({ id }) => id)}::uuid[])`.execute(tx)
  await endTests(
    context,
    rows.filter(({ decision }) => decision === 'not_accepted').map(({ id }) => id),
  )
  return rows.length
}
