import { z } from 'zod'
import { bankCalendar } from '#domain/calendar.ts'
import { shiftDay } from '#domain/days.ts'
import { defineJob } from '#server/platform/jobs.ts'

/** Every night: numbers of requests count for one day; those of a month stay for whoever looks into a dispute. */
export const forgetExternalIds = defineJob({
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
