import { sql } from 'kysely'
import { type SelectionRules, selectionRules } from '#domain/selection/rules.ts'
import { lockPublications } from '#server/modules/admissions/results/appearance.ts'
import { announceComingOf, decideMany } from '#server/modules/admissions/results/decide-many.ts'
import { readInput } from '#server/modules/selection/runs/read-input.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { decisionsOf } from './decisions.ts'

/**
 * Writes the output of a run as decisions of its wave, hidden until a later publication. One transaction, so a killed
 * process leaves nothing behind and the job starts again. Throws 409 `selection_input_changed` if scores, choices,
 * quotas or decisions changed since the run was computed. Does nothing if the run is not being adopted.
 */
export const adoptRun = (services: Services, actor: Actor, runId: string) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const run = await tx
      .selectFrom('selectionRuns')
      .selectAll()
      .where('id', '=', runId)
      .where('status', '=', 'adopting')
      .forUpdate()
      .executeTakeFirst()
    if (!run) return
    const rules = selectionRules.parse(run.rules) as SelectionRules
    await lockPublications(tx, run.waveId, 'decide')
    await lockWave(tx, runId, run.waveId)
    const now = services.clock.now()
    const { hash } = await readInput(tx, run, await getSettings(tx), now)
    if (hash !== run.inputHash) throw conflict('selection_input_changed')
    await savePlaces(tx, actor, rules, now)
    const decisions = await decisionsOf(tx, runId, now)
    for (const action of ['revertDecision', 'accept', 'reject'] as const)
      await decideMany(
        context,
        action,
        decisions.filter((decision) => decision.action === action),
        runId,
      )
    const reserve = await replaceReserve(tx, runId, run.waveId, now)
    if (run.scoreRunId)
      await tx
        .updateTable('scoreRuns')
        .set({ pinnedAt: now })
        .where('id', '=', run.scoreRunId)
        .where('pinnedAt', 'is', null)
        .execute()
    await tx
      .updateTable('selectionRuns')
      .set({ status: 'adopted', adoptedAt: now, adoptedBy: actor.accountId || null, failure: null })
      .where('id', '=', runId)
      .execute()
    const countOf = (action: string) => decisions.filter((decision) => decision.action === action).length
    await recordAudit(tx, actor, {
      action: 'selection.adopt',
      on: { selection: runId },
      after: {
        outputHash: run.outputHash,
        accepted: countOf('accept'),
        notAccepted: countOf('reject'),
        reverted: countOf('revertDecision'),
        reserve,
      },
    })
    await announceComingOf(context, run.waveId, now)
  })

/**
 * Locks the run's registrations, then the capacities of the wave, in the same order as every decision. Parallel manual
 * decisions, scores and quota changes wait: they either commit first and count as changed input, or come too late.
 */
async function lockWave(tx: Tx, runId: string, waveId: string) {
  await sql`SELECT count(*) FROM (SELECT r.id FROM registrations r
    WHERE r.id IN (SELECT e.registration_id FROM selection_entries e WHERE e.selection_run_id = ${runId})
    ORDER BY r.id FOR NO KEY UPDATE OF r) locked`.execute(tx)
  await sql`SELECT count(*) FROM (SELECT d.id FROM programme_details d WHERE d.wave_id = ${waveId}
    ORDER BY d.id FOR NO KEY UPDATE) locked`.execute(tx)
}

/** Saves the quotas that the run changed, as a what-if copy does. */
async function savePlaces(tx: Tx, actor: Actor, { places }: SelectionRules, now: Date) {
  for (const { programmeDetailId, trackId, places: number } of places) {
    if (trackId)
      await tx
        .updateTable('trackQuotas')
        .set({ places: number })
        .where('programmeDetailId', '=', programmeDetailId)
        .where('trackId', '=', trackId)
        .execute()
    await tx
      .updateTable('programmeDetails')
      .set(({ eb }) => ({ version: eb('version', '+', 1), updatedAt: now, ...(!trackId && { overOffer: number }) }))
      .where('id', '=', programmeDetailId)
      .execute()
    const after = trackId ? { trackId, places: number } : { overOffer: number }
    await recordAudit(tx, actor, { action: 'quota.update', on: { 'prodi-detail': programmeDetailId }, after })
  }
}

/**
 * Closes the waiting reserve places of earlier runs of the wave, except those already offered, and adds the candidates
 * of this run. A list belongs to a programme and class programme, and to a track if the places are divided by track, so
 * ranks continue across entry levels.
 */
async function replaceReserve(tx: Tx, runId: string, waveId: string, now: Date) {
  await sql`UPDATE reserve_places p SET status = 'closed', ended_at = ${now}, version = p.version + 1
    FROM selection_runs s WHERE s.id = p.selection_run_id AND s.wave_id = ${waveId} AND p.status = 'waiting'`.execute(
    tx,
  )
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('reservePlaces')
    .columns(['selectionRunId', 'registrationId', 'programmeId', 'classProgrammeId', 'trackId', 'rank'])
    .expression(
      sql`SELECT e.selection_run_id, e.registration_id, e.programme_id, r.class_programme_id, q.track_id,
          row_number() OVER (PARTITION BY e.programme_id, r.class_programme_id, q.track_id
            ORDER BY r.entry_level_id, e.reserve_rank)::int
        FROM selection_entries e
        JOIN selection_quotas q ON q.selection_run_id = e.selection_run_id AND q.number = e.quota_number
        JOIN registrations r ON r.id = e.registration_id AND r.status = 'verified'
        WHERE e.selection_run_id = ${runId} AND e.outcome = 'reserve'`,
    )
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0)
}
