import { z } from 'zod'
import { systemActor } from '#server/platform/access/authorization.ts'
import { AppError } from '#server/platform/errors.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { adoptRun } from './adopt-run.ts'

const text = z.string()

/**
 * Adopts a run in the background as the user who requested it. A refusal resets the run to `computed` with the reason.
 * A killed job runs again after `heartbeatSeconds`; its transaction leaves nothing behind.
 */
export const adoptSelectionJob = defineJob({
  name: 'adopt-selection',
  heartbeatSeconds: 30,
  data: z.object({
    runId: z.uuid(),
    actor: z.object({
      accountId: text,
      name: text,
      role: z.object({ id: text, name: text }),
      request: z.object({ ip: text, id: text }).nullable(),
    }),
  }),
  run: async (services, { runId, actor: { request, ...person } }) => {
    try {
      await adoptRun(services, { ...systemActor, ...person, ...(request && { request }) }, runId)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await services.db
        .updateTable('selectionRuns')
        .set({ status: 'computed', adoptedBy: null, failure: error.code })
        .where('id', '=', runId)
        .where('status', '=', 'adopting')
        .execute()
    }
  },
})
