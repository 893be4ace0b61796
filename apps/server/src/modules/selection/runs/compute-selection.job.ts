import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { ThreadError } from '#server/platform/threads/threads.ts'
import { computeRun } from './compute-run.ts'

/**
 * Computes a run in the background. A failure is shown with the run, and a user may compute it again. A killed job runs
 * once more after `heartbeatSeconds`.
 */
export const computeSelectionJob = defineJob({
  name: 'compute-selection',
  maxAttempts: 2,
  heartbeatSeconds: 30,
  data: z.object({ runId: z.uuid() }),
  run: async (services, { runId }) => {
    try {
      await computeRun(services, runId)
    } catch (error) {
      services.log.error({ err: error, runId }, 'selection failed')
      await services.db
        .updateTable('selectionRuns')
        .set({ status: 'failed', failure: error instanceof ThreadError ? error.fault : 'broken' })
        .where('id', '=', runId)
        .where('status', '=', 'computing')
        .execute()
    }
  },
})
