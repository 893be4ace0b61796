import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

/** Days to keep the name of a visitor who may not or cannot be contacted. */
const keptDays = 30

/** Erases visitors who are not leads, for lack of consent or phone, some weeks after their session. The counts stay. */
export const forgetGuestsJob = defineJob({
  name: 'forget-event-guests',
  schedule: '40 2 * * *',
  data: z.object({}),
  run: async ({ db, clock }) => {
    const now = clock.now()
    const { numAffectedRows } = await sql`
      UPDATE event_visitors v SET name = '-', name_key = '-', school_name = NULL, wish = NULL, grade = NULL,
        erased_at = ${now}
      FROM event_sessions s WHERE s.id = v.session_id AND v.lead_id IS NULL AND v.erased_at IS NULL
        AND s.ends_at < ${new Date(now.getTime() - keptDays * 86_400_000)}`.execute(db)
    return Number(numAffectedRows ?? 0)
  },
})
