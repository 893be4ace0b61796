import { sql } from 'kysely'
import { lockRun, requireWhole } from '#server/modules/selection/runs/change-run.ts'
import { readInputOf } from '#server/modules/selection/runs/compute-run.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { adoptSelectionJob } from './adopt-selection.job.ts'

/**
 * Queues the adoption of a verified run; needs the permission to decide. Throws 409 if the run is not verified, if
 * `version` is stale, if another run of the wave is being adopted or was adopted since, or if scores, choices, quotas
 * or decisions changed since. The job checks for changes again under its locks.
 */
export async function requestAdoption(services: Services, actor: Actor, id: string, version: number) {
  requireWhole(actor)
  requirePermission(actor, 'pendaftaran-decide')
  const { hash } = await readInputOf(services, id)
  await services.db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, actor, id, version)
    if (run.status !== 'computed') throw conflict('selection_not_computed')
    if (!run.verifiedHash || run.verifiedHash !== run.outputHash) throw conflict('selection_not_verified')
    const isChanged = hash !== run.inputHash
    await refuseBesideOther(tx, run, isChanged)
    if (isChanged) throw conflict('selection_input_changed')
    await tx
      .updateTable('selectionRuns')
      .set({ status: 'adopting', adoptedBy: actor.accountId || null, failure: null, version: run.version + 1 })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'selection.request', on: { selection: id } })
    const { accountId, name, role, request = null } = actor
    await services.jobs.enqueue(tx, adoptSelectionJob, { runId: id, actor: { accountId, name, role, request } })
  })
}

type Run = { id: string; waveId: string; computedAt: Date | null }

/** Throws 409 naming the other run and its adopter. Requests for runs of the same wave wait for each other. */
async function refuseBesideOther(tx: Tx, { id, waveId, computedAt }: Run, isChanged: boolean) {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`adoption ${waveId}`}, 0))`.execute(tx)
  const other = await tx
    .selectFrom('selectionRuns as s')
    .leftJoin('accounts as a', 'a.id', 's.adoptedBy')
    .select(['s.name', 's.status', 'a.name as by'])
    .where('s.waveId', '=', waveId)
    .where('s.id', '<>', id)
    .where((eb) => eb.or([eb('s.status', '=', 'adopting'), eb('s.adoptedAt', isChanged ? '>=' : '>', computedAt)]))
    .orderBy('s.adoptedAt', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw conflict(other.status === 'adopting' ? 'selection_wave_adopting' : 'selection_wave_adopted', {
      name: other.name,
      by: other.by ?? '–',
    })
}
