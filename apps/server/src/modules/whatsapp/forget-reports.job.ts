import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

const dayMs = 86_400_000

/** Deletes reports after 30 days and closed windows after 2 days, every night. */
export const forgetReportsJob = defineJob({
  name: 'forget-whatsapp-reports',
  schedule: '50 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
    await db.deleteFrom('whatsappReports').where('receivedAt', '<', daysAgo(30)).execute()
    await db.deleteFrom('whatsappWindows').where('lastAt', '<', daysAgo(2)).execute()
  },
})
