import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'

/** Milliseconds after which a running export counts as stopped: its server has ended without completing the row. */
const abandonAfterMs = 2 * 3_600_000

/**
 * Hourly: marks abandoned exports in the register as stopped. An export that is still sending completes its row at its
 * end all the same.
 */
export const endExportsJob = defineJob({
  name: 'end-abandoned-exports',
  schedule: '25 * * * *',
  data: z.object({}),
  async run({ db, clock }) {
    const now = clock.now()
    await db
      .updateTable('exports')
      .set({ status: 'stopped', finishedAt: now })
      .where('status', '=', 'running')
      .where('startedAt', '<', new Date(now.getTime() - abandonAfterMs))
      .execute()
  },
})
