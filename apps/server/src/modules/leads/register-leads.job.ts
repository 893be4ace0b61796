import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { addNote, moveLead } from './change-lead.ts'

/** Every minute: marks leads as registered once their account has submitted a registration. */
export const registerLeadsJob = defineJob({
  name: 'register-leads',
  schedule: '* * * * *',
  data: z.object({}),
  run: ({ db, clock }) =>
    db.transaction().execute(async (tx) => {
      const now = clock.now()
      const { rows } = await sql<{ id: string; stage: 'new' }>`
        SELECT l.id, l.stage FROM leads l WHERE l.account_id IS NOT NULL AND l.stage <> 'registered'
          AND l.merged_into IS NULL
          AND EXISTS (SELECT FROM registrations r WHERE r.account_id = l.account_id AND r.submitted_at IS NOT NULL)
          -- Skip leads whose registered stage staff took back.
          AND NOT EXISTS (SELECT FROM lead_notes n WHERE n.lead_id = l.id AND n.kind = 'stage' AND n.stage = 'registered')
        ORDER BY l.id LIMIT 500 FOR UPDATE SKIP LOCKED`.execute(tx)
      for (const lead of rows) {
        const stage = await moveLead(tx, lead, 'register', now)
        await addNote(tx, lead.id, null, { kind: 'stage', stage }, now)
      }
    }),
})
