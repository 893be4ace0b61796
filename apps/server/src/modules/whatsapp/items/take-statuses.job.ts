import { defineJob } from '#server/platform/jobs.ts'
import { readStatus, takeRead, takeStatusesQueue } from './take-statuses.ts'
import { NotUnderstood, understandItems } from './understand-items.ts'

/** Processes stored reports that a failed or stopped process left behind, one by one. */
export const takeStatusesJob = defineJob({
  ...takeStatusesQueue,
  schedule: '*/5 * * * *',
  run: (services) =>
    understandItems(services, 'status', async (context, { connectionId, raw }) => {
      const status = readStatus(raw)
      if (typeof status === 'string') throw new NotUnderstood(status)
      await takeRead(context, connectionId, [status])
    }),
})
