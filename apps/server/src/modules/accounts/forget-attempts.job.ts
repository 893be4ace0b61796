import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

/** Hourly: deletes failed sign-ins older than a day and expired Google codes. */
export const forgetAttemptsJob = defineJob({
  name: 'forget-sign-in-attempts',
  schedule: '15 * * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    const yesterday = new Date(now.getTime() - 86_400_000)
    await db.deleteFrom('signInAttempts').where('lastAt', '<', yesterday).execute()
    await db.deleteFrom('signInExchanges').where('expiresAt', '<', now).execute()
  },
})
