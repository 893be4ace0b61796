import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

const dayMs = 86_400_000
/** Long enough to find out why a bank's signature failed; its money is asked about by the sweep meanwhile. */
const keptDays = 30

/** Every night: forgets what came without a signature. Reports that count are in `bank_reports` and stay. */
export const forgetUnverifiedReports = defineJob({
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
