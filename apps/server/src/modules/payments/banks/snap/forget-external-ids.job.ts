import { z } from 'zod'
import { bankCalendar, shiftDay } from '#domain/calendar.ts'
import { defineJob } from '#server/platform/jobs.ts'

/**
 * Deletes request numbers older than a month every night. A number counts for one day; it is stored longer to clear up
 * disputes.
 */
export const forgetExternalIdsJob = defineJob({
  name: 'forget-external-ids',
  schedule: '55 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    await db
      .deleteFrom('snapExternalIds')
      .where('day', '<', shiftDay(bankCalendar.dayOf(clock.now()), -30))
      .execute()
  },
})
