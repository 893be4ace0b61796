import { sql } from 'kysely'
import { z } from 'zod'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { tellOfSession } from './tell-of-session.ts'

const batchSize = 200

/**
 * Reminds participants of test sessions, at the hours before the start set by the university. A seat booked after one
 * of these times gets no reminder for it; of several missed reminders only the last is sent. The reminder's row is
 * written with the message, and only the run that writes the row sends the message, so each is sent once.
 */
export const remindOfSessionsJob = defineJob({
  name: 'remind-of-test-sessions',
  schedule: '*/10 * * * *',
  data: z.object({}),
  run: async (services) => {
    const { testReminderHours, timeZone } = await getSettings(services.db)
    if (testReminderHours.length === 0) return 0
    let reminded = 0
    for (;;) {
      const count = await inTransaction(services, systemActor, async (context) => {
        const { tx } = context
        const due = await dueReminders(tx, testReminderHours, timeZone, services.clock.now())
        for (const { seatId, hours, session, ...holder } of due) {
          const [isNew] = await tx
            .insertInto('testSeatReminders')
            .values({ testSeatId: seatId, hoursBefore: hours, sentAt: services.clock.now() })
            .onConflict((conflict) => conflict.doNothing())
            .returning('testSeatId')
            .execute()
          if (isNew) await tellOfSession(context, holder, { event: 'test-reminder', session })
        }
        return due.length
      })
      reminded += count
      if (count < batchSize) return reminded
    }
  },
})

type Due = {
  seatId: string
  hours: number
  accountId: string
  registrationId: string
  session: { name: string; date: string; startTime: string; location: string }
}

/** Booked seats with a reminder due. Their rows stay locked, so that parallel runs take different seats. */
async function dueReminders(tx: Tx, hours: readonly number[], timeZone: string, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    SELECT p.id AS seat_id, h.hours, r.account_id, r.id AS registration_id,
      json_build_object('name', s.name, 'date', s.date, 'startTime', to_char(s.start_time, 'HH24:MI'),
        'location', s.location) AS session
    FROM test_sessions s
    JOIN LATERAL (SELECT min(x.hours) AS hours FROM unnest(${hours}::int[]) AS x (hours)
      WHERE (s.date + s.start_time) AT TIME ZONE ${timeZone} - x.hours * interval '1 hour' <= ${now}) h ON h.hours IS NOT NULL
    JOIN test_seats p ON p.test_session_id = s.id AND p.status = 'booked'
    JOIN registrations r ON r.id = p.registration_id
    WHERE s.active AND (s.date + s.start_time) AT TIME ZONE ${timeZone} > ${now}
      AND p.booked_at < (s.date + s.start_time) AT TIME ZONE ${timeZone} - h.hours * interval '1 hour'
      AND NOT EXISTS (SELECT FROM test_seat_reminders m WHERE m.test_seat_id = p.id AND m.hours_before <= h.hours)
    ORDER BY p.id LIMIT ${batchSize}
    FOR UPDATE OF p SKIP LOCKED`.execute(tx)
  return rows
}
