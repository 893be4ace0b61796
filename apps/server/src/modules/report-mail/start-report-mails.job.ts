import { z } from 'zod'
import { calendarOf } from '#domain/calendar.ts'
import { lastDue, nextDue } from '#domain/report-mail/rhythm.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { startRuns } from './start-runs.ts'

/** Every five minutes: starts the mails that are due. After a standstill each is sent once, for the last moment it missed. */
export const startReportMailsJob = defineJob({
  name: 'start-report-mails',
  schedule: '*/5 * * * *',
  data: z.object({}),
  async run(services) {
    const { timeZone } = await getSettings(services.db)
    const due = await services.db
      .selectFrom('reportMails')
      .select('id')
      .where('active', '=', true)
      .where('nextDueAt', '<=', services.clock.now())
      .orderBy('nextDueAt')
      .execute()
    for (const { id } of due) await startMail(services, id, timeZone)
  },
})

const startMail = (services: Services, id: string, timeZone: string) =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
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
    await startRuns(tx, services, id, dueAt, { byHand: false })
    await tx
      .updateTable('reportMails')
      .set({ nextDueAt: nextDue(mail, now, calendar) })
      .where('id', '=', id)
      .execute()
  })
