import { sql } from 'kysely'
import { z } from 'zod'
import { reminderHours } from '#domain/events/events.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { tellVisitors } from './tell-visitors.ts'

const batchSize = 500

/**
 * Reminds visitors a day before their session, except those who register within that day. The time of the reminder is
 * saved with the message under a lock that parallel runs skip, so each is sent once.
 */
export const remindVisitorsJob = defineJob({
  name: 'remind-event-visitors',
  schedule: '*/10 * * * *',
  data: z.object({}),
  run: async (services) => {
    let reminded = 0
    for (;;) {
      const count = await inTransaction(services, systemActor, async (context) => {
        const { tx, now } = context
        const until = new Date(now.getTime() + reminderHours * 3_600_000)
        const { rows } = await sql<{ id: string }>`
          UPDATE event_visitors SET reminded_at = ${now} WHERE id IN (
            SELECT v.id FROM event_visitors v JOIN event_sessions s ON s.id = v.session_id
              JOIN events e ON e.id = v.event_id
            WHERE v.reminded_at IS NULL AND v.state = 'registered' AND NOT v.walk_in
              AND e.status IN ('published', 'closed') AND s.starts_at > ${now} AND s.starts_at <= ${until}
              AND v.created_at < s.starts_at - ${reminderHours} * interval '1 hour'
            ORDER BY v.id LIMIT ${batchSize} FOR UPDATE OF v SKIP LOCKED)
          RETURNING id`.execute(tx)
        await tellVisitors(
          context,
          'event-reminder',
          rows.map(({ id }) => id),
        )
        return rows.length
      })
      reminded += count
      if (count < batchSize) return reminded
    }
  },
})
