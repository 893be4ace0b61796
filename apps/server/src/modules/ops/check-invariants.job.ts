import { z } from 'zod'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { runChecks } from './run-checks.ts'

/** Checks the books every night; differences are announced and listed until they disappear. */
export const checkInvariantsJob = defineJob({
  name: 'check-invariants',
  schedule: '30 2 * * *',
  data: z.object({}),
  async run(services) {
    const { found, fresh } = await runChecks(services, systemActor)
    if (found > 0) services.log.error({ found, fresh }, 'the books contradict themselves')
  },
})
