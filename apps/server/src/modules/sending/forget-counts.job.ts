import { z } from 'zod'
import { dayHours } from '#domain/campaigns/pace.ts'
import { defineJob } from '#server/platform/jobs.ts'

/**
 * Nightly: deletes sending counts, postponements of campaign mails per domain, and counted WhatsApp recipients, all
 * older than two days.
 */
export const forgetCountsJob = defineJob({
  name: 'forget-sending-counts',
  schedule: '55 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - 2 * dayHours * 3_600_000)
    await db.deleteFrom('sendingCounts').where('at', '<', before).execute()
    await db.deleteFrom('campaignDomains').where('postponedTo', '<', before).execute()
    await db.deleteFrom('whatsappPeople').where('countedAt', '<', before).execute()
  },
})
