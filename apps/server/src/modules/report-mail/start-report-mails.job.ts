import { sql } from 'kysely'
import { z } from 'zod'
import { calendarOf } from '#domain/calendar.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { lastDue, nextDue } from './due-moments.ts'
import { sendReportMailJob } from './send-report-mail.job.ts'
import { startRuns } from './start-runs.ts'

/**
 * Every five minutes: starts due mails. After an outage, each is sent once, for the last due time it missed. A mail
 * that cannot be started does not delay others; the job fails at its end.
 */
export const startReportMailsJob = defineJob({
  name: 'start-report-mails',
  schedule: '*/5 * * * *',
  data: z.object({}),
  async run(services) {
    await failAbandonedRuns(services)
    const { timeZone } = await getSettings(services.db)
    const due = await services.db
      .selectFrom('reportMails')
      .select('id')
      .where('active', '=', true)
      .where('nextDueAt', '<=', services.clock.now())
      .orderBy('nextDueAt')
      .execute()
    const errors: unknown[] = []
    for (const { id } of due) await startMail(services, id, timeZone).catch((error) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  },
})

/** Younger runs still have their own jobs. */
const graceMs = 15 * 60_000

/**
 * Fails runs whose job ended without them because its process was killed at the last attempt; otherwise the owner would
 * see them waiting forever. The job itself is listed among the failed ones.
 */
async function failAbandonedRuns({ db, clock }: Services) {
  const now = clock.now()
  await sql`UPDATE report_mail_runs x SET state = 'failed', error = coalesce(x.error, 'interrupted'), finished_at = ${now}
    WHERE x.state = 'waiting' AND x.created_at < ${new Date(now.getTime() - graceMs)}
      AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = ${sendReportMailJob.name}
        AND j.data ->> 'runId' = x.id::text AND j.state IN ('created', 'retry', 'active'))`.execute(db)
}

const startMail = (services: Services, id: string, timeZone: string) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx, now } = context
    const mail = await tx
      .selectFrom('reportMails')
      .select(['rhythm', 'weekday', 'monthDay', 'hour', 'nextDueAt'])
      .where('id', '=', id)
      .where('active', '=', true)
      .where('nextDueAt', '<=', now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!mail) return
    const calendar = calendarOf(timeZone)
    const missedLast = lastDue(mail, now, calendar)
    const dueAt = new Date(Math.max(missedLast.getTime(), mail.nextDueAt.getTime()))
    await startRuns(context, id, dueAt, { byHand: false })
    await tx
      .updateTable('reportMails')
      .set({ nextDueAt: nextDue(mail, now, calendar) })
      .where('id', '=', id)
      .execute()
  })
