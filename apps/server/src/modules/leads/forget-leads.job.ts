import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { getSettings } from '#server/platform/settings.ts'
import { eraseLeads } from './delete-lead.ts'

/** Leads deleted per transaction. */
const batch = 200

/** Nightly: deletes leads left untouched for the months set in the settings. */
export const forgetLeadsJob = defineJob({
  name: 'forget-leads',
  schedule: '45 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    const { keepLeadsMonths } = await getSettings(db)
    for (let count = batch; count === batch; )
      count = await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ id: string }>`
          SELECT id FROM leads WHERE merged_into IS NULL
            AND touched_at < ${now}::timestamptz - make_interval(months => ${keepLeadsMonths})
          ORDER BY touched_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`.execute(tx)
        await eraseLeads(
          tx,
          rows.map(({ id }) => id),
          'retention',
          now,
        )
        return rows.length
      })
  },
})
