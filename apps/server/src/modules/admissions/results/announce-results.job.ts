import { sql } from 'kysely'
import { z } from 'zod'
import type { Language } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'

const batchSize = 100

/**
 * Tells applicants the published result of a wave and track. Runs at the time of publication and after every later
 * decision. `result_told_at` keeps an applicant from being told the same decision twice, so the job may run any number of
 * times; messages cannot, because the clean-up deletes them.
 */
export const announceResults = defineJob({
  name: 'announce-results',
  data: z.object({ waveId: z.uuid(), trackId: z.uuid() }),
  run: async (services, { waveId, trackId }) => {
    const now = services.clock.now()
    let count = 0
    for (let batch = batchSize; batch === batchSize; count += batch)
      batch = await services.db.transaction().execute((tx) => announceBatch(tx, services, waveId, trackId, now))
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

type Decided = {
  id: string
  code: string
  accountId: string
  decision: 'accepted' | 'not_accepted'
  language: Language
  name: string | null
  nameEn: string | null
  dueAt: Date | null
}

async function announceBatch(tx: Tx, services: Services, waveId: string, trackId: string, now: Date) {
  // The advisory lock serializes runs of a wave and track; the row locks keep decisions from being reverted meanwhile.
  await sql`SELECT pg_advisory_xact_lock(hashtext(${`announce ${waveId} ${trackId}`}))`.execute(tx)
  const { rows } = await sql<Decided>`
    SELECT r.id, r.code, r.account_id, r.decision, u.language, p.name, p.name_en,
      coalesce(d.confirmation_due_at, w.confirmation_due_at) AS due_at
    FROM registrations r
    JOIN accounts u ON u.id = r.account_id
    JOIN waves w ON w.id = r.wave_id
    LEFT JOIN study_programmes p ON p.id = r.accepted_programme_id
    LEFT JOIN track_details d
      ON d.track_id = r.track_id AND d.wave_id = r.wave_id AND d.entry_level_id = r.entry_level_id
    WHERE r.wave_id = ${waveId} AND r.track_id = ${trackId} AND r.status = 'decided' AND r.decision IS NOT NULL AND ${isPublished(now)}
      AND (r.result_told_at IS NULL OR r.result_told_at < r.decided_at)
    ORDER BY r.id LIMIT ${batchSize}
    FOR NO KEY UPDATE OF r`.execute(tx)
  for (const row of rows)
    await notify(tx, services, {
      accountId: row.accountId,
      event: row.decision === 'accepted' ? 'registration-accepted' : 'registration-not-accepted',
      params: {
        code: row.code,
        programme: (row.language === 'en' && row.nameEn) || row.name,
        due: row.dueAt ? dateTime(row.dueAt, row.language) : '',
      },
      link: `/pendaftaran/${row.id}`,
    })
  const ids = rows.map(({ id }) => id)
  await sql`UPDATE registrations SET result_told_at = ${now} WHERE id = ANY(${ids}::uuid[])`.execute(tx)
  return rows.length
}
