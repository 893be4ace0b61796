import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

const dayMs = 86_400_000

/**
 * Days items are kept. Reports are also in `whatsapp_reports`. Items that were not understood stay longest, because a
 * later version may understand them.
 */
const keptDays = { status: 3, message: 30, notUnderstood: 90 }

/** Nightly: deletes reports after 30 days, closed windows after 2 days, and items after `keptDays`. */
export const forgetReportsJob = defineJob({
  name: 'forget-whatsapp-reports',
  schedule: '50 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
    await db.deleteFrom('whatsappReports').where('receivedAt', '<', daysAgo(30)).execute()
    await db.deleteFrom('whatsappWindows').where('lastAt', '<', daysAgo(2)).execute()
    const items = db.deleteFrom('whatsappItems').where('handledAt', 'is not', null)
    const understood = items.where('problem', 'is', null)
    await understood.where('kind', '=', 'status').where('receivedAt', '<', daysAgo(keptDays.status)).execute()
    await understood.where('receivedAt', '<', daysAgo(keptDays.message)).execute()
    await items.where('receivedAt', '<', daysAgo(keptDays.notUnderstood)).execute()
  },
})
