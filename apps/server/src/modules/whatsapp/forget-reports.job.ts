import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

const day = 86_400_000

/** Every night: reports that have done their work, and windows that closed long ago. */
export const forgetWhatsappReports = defineJob({
  name: 'forget-whatsapp-reports',
  schedule: '50 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const before = (days: number) => new Date(clock.now().getTime() - days * day)
    await db.deleteFrom('whatsappReports').where('receivedAt', '<', before(30)).execute()
    await db.deleteFrom('whatsappWindows').where('lastAt', '<', before(2)).execute()
  },
})
