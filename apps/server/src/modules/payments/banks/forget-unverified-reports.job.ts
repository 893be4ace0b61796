import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

const dayMs = 86_400_000
/** Days. Enough to find out why a bank's signature failed; meanwhile the sweep asks the bank about the money. */
const keptDays = 30

/** Deletes old calls without a valid signature every night. Genuine reports are in `bank_reports` and stay. */
export const forgetUnverifiedReportsJob = defineJob({
  name: 'forget-unverified-reports',
  schedule: '50 2 * * *',
  data: z.object({}),
  async run({ db, clock }) {
    await db
      .deleteFrom('unverifiedReports')
      .where('receivedAt', '<', new Date(clock.now().getTime() - keptDays * dayMs))
      .execute()
  },
})
