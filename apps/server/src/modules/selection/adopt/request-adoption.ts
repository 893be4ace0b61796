import { lockRun, requireWhole } from '#server/modules/selection/runs/change-run.ts'
import { readInputOf } from '#server/modules/selection/runs/compute-run.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { adoptSelectionJob } from './adopt-selection.job.ts'

/**
 * Queues the adoption of a verified run, with the permission to decide. Throws 409 if the run is not verified, if `version`
 * is stale, or if scores, choices, quotas or decisions changed since; the job checks the latter again under its locks.
 */
export async function requestAdoption(services: Services, actor: Actor, id: string, version: number) {
  requireWhole(actor)
  requirePermission(actor, 'pendaftaran-decide')
  const { hash } = await readInputOf(services, id)
  await services.db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, actor, id, version)
    if (run.status !== 'computed') throw conflict('selection_not_computed')
    if (!run.verifiedHash || run.verifiedHash !== run.outputHash) throw conflict('selection_not_verified')
    if (hash !== run.inputHash) throw conflict('selection_input_changed')
    await tx
      .updateTable('selectionRuns')
      .set({ status: 'adopting', failure: null, version: run.version + 1 })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, 'selection.request', { type: 'selection', id })
    const { accountId, name, role, request = null } = actor
    await services.jobs.enqueue(tx, adoptSelectionJob, { runId: id, actor: { accountId, name, role, request } })
  })
}
