import { randomBytes } from 'node:crypto'
import {
  type ChangedPlaces,
  type ChosenRules,
  type Hold,
  type SelectionRules,
  selectionRules,
} from '#domain/selection/rules.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { computeSelectionJob } from './compute-selection.job.ts'
import { requirePlaceForHold } from './hold-quota.ts'

/** Throws 403 for roles limited to some programmes, because a selection decides about all of them. */
export function requireWhole(actor: Actor) {
  if (!seesAll(actor)) throw new AppError(403, 'selection_by_whole')
}

/** Seed of the lots, visible to users: 16 random bytes in hexadecimal. */
const newSeed = () => randomBytes(16).toString('hex')

type Chosen = { name: string; scoreRunId: string | null; rules: ChosenRules }

/** Stores a new run and queues its computation. */
export async function createRun(services: Services, actor: Actor, { waveId, ...chosen }: Chosen & { waveId: string }) {
  requireWhole(actor)
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    await checkReferences(tx, waveId, chosen)
    const rules: SelectionRules = { ...chosen.rules, lotSeed: newSeed(), holds: [], places: [] }
    return insertRun(context, { ...chosen, waveId, rules, basedOnId: null })
  })
}

type NewRun = {
  name: string
  waveId: string
  scoreRunId: string | null
  rules: SelectionRules
  basedOnId: string | null
}

async function insertRun({ tx, services, actor, now }: Context, { rules, ...run }: NewRun) {
  const { id } = await tx
    .insertInto('selectionRuns')
    .values({
      ...run,
      rules: JSON.stringify(rules),
      createdAt: now,
      createdBy: actor.accountId || null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, { action: 'selection.create', on: { selection: id }, after: { ...run, ...rules } })
  await services.jobs.enqueue(tx, computeSelectionJob, { runId: id })
  return id
}

/** Copies a run with other quotas. Seed and holds stay, so that only the quotas make a difference. */
export async function copyRun(
  services: Services,
  actor: Actor,
  id: string,
  { name, places }: { name: string; places: ChangedPlaces[] },
) {
  requireWhole(actor)
  return inTransaction(services, actor, async (context) => {
    const { tx } = context
    const run = await tx
      .selectFrom('selectionRuns')
      .select(['waveId', 'scoreRunId', 'rules'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!run) throw notFound('selection_run')
    const rules = selectionRules.parse(run.rules)
    const changed = new Map(rules.places.map((one) => [`${one.programmeDetailId} ${one.trackId}`, one]))
    for (const one of places) changed.set(`${one.programmeDetailId} ${one.trackId}`, one)
    await checkPlaces(tx, run.waveId, [...changed.values()])
    const { waveId, scoreRunId } = run
    return insertRun(context, {
      name,
      waveId,
      scoreRunId,
      rules: { ...rules, places: [...changed.values()] },
      basedOnId: id,
    })
  })
}

/** Throws 422 if changed quotas belong to another wave or exceed the capacity of a programme. */
async function checkPlaces(tx: Tx, waveId: string, places: readonly ChangedPlaces[]) {
  if (places.length === 0) return
  const details = await tx
    .selectFrom('programmeDetails')
    .select(['id', 'capacity'])
    .where('waveId', '=', waveId)
    .execute()
  const quotas = await tx
    .selectFrom('trackQuotas')
    .select(['programmeDetailId', 'trackId', 'places'])
    .where('programmeDetailId', 'in', details.length > 0 ? details.map(({ id }) => id) : [waveId])
    .execute()
  for (const { programmeDetailId, trackId } of places) {
    const detail = details.find(({ id }) => id === programmeDetailId)
    const own = quotas.filter((quota) => quota.programmeDetailId === programmeDetailId)
    if (!detail || (trackId && !own.some((quota) => quota.trackId === trackId))) throw invalid({ places: 'not_found' })
    const sum = own.reduce((all, quota) => all + (placesIn(places, quota) ?? quota.places), 0)
    if (sum > detail.capacity) throw invalid({ places: 'quotas_above_capacity' })
  }
}

const placesIn = (places: readonly ChangedPlaces[], quota: { programmeDetailId: string; trackId: string }) =>
  places.find((one) => one.programmeDetailId === quota.programmeDetailId && one.trackId === quota.trackId)?.places

type RunChange = { name?: string; scoreRunId?: string | null; rules?: SelectionRules }

/**
 * Locks a run that may still change; 404 if missing, 409 if it is adopted, being adopted or `version` is stale. With
 * `noWait`, throws PostgreSQL's `lock_not_available` if another transaction has locked the run.
 */
export async function lockRun(tx: Tx, actor: Actor, id: string, version?: number, { noWait = false } = {}) {
  requireWhole(actor)
  const run = await tx
    .selectFrom('selectionRuns')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .$if(noWait, (rows) => rows.noWait())
    .executeTakeFirst()
  if (!run) throw notFound('selection_run')
  if (run.status === 'adopting') throw conflict('selection_adopting')
  if (run.status === 'adopted') throw conflict('selection_adopted')
  if (version !== undefined && run.version !== version) throw conflict('stale_version')
  return { ...run, rules: selectionRules.parse(run.rules) as SelectionRules }
}

/** Changes a run and queues its computation. */
async function saveRun(
  { tx, services, actor }: Context,
  run: Awaited<ReturnType<typeof lockRun>>,
  change: RunChange,
  audit: { action: string; before?: unknown; after?: unknown; reason?: string },
) {
  await tx
    .updateTable('selectionRuns')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.scoreRunId !== undefined && { scoreRunId: change.scoreRunId }),
      ...(change.rules && { rules: JSON.stringify(change.rules) }),
      status: 'computing',
      verifiedAt: null,
      verifiedHash: null,
      checks: null,
      failure: null,
      version: run.version + 1,
    })
    .where('id', '=', run.id)
    .execute()
  const { action: _, ...facts } = audit
  await recordAudit(tx, actor, { action: audit.action, on: { selection: run.id }, ...facts })
  await services.jobs.enqueue(tx, computeSelectionJob, { runId: run.id })
}

export const updateRun = (services: Services, actor: Actor, id: string, change: Chosen & { version: number }) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const { version, ...chosen } = change
    const run = await lockRun(tx, actor, id, version)
    await checkReferences(tx, run.waveId, chosen)
    const rules = { ...run.rules, ...chosen.rules }
    await saveRun(
      context,
      run,
      { ...chosen, rules },
      {
        action: 'selection.update',
        before: { name: run.name, scoreRunId: run.scoreRunId, ...run.rules },
        after: { name: chosen.name, scoreRunId: chosen.scoreRunId, ...rules },
      },
    )
  })

export const recomputeRun = (services: Services, actor: Actor, id: string, version: number) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const run = await lockRun(tx, actor, id, version)
    await saveRun(context, run, {}, { action: 'selection.compute' })
  })

/**
 * Holds a place for an applicant or excludes the applicant; replaces an earlier hold of the same applicant. 409 if the
 * place exceeds the quota.
 */
export const holdInRun = (
  services: Services,
  actor: Actor,
  id: string,
  { version, ...hold }: Hold & { version: number },
) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const run = await lockRun(tx, actor, id, version)
    const choices = await tx
      .selectFrom('registrationChoices as c')
      .innerJoin('registrations as r', 'r.id', 'c.registrationId')
      .select('c.programmeId')
      .where('r.id', '=', hold.registrationId)
      .where('r.waveId', '=', run.waveId)
      .execute()
    if (choices.length === 0) throw invalid({ registrationId: 'not_found' })
    if (hold.programmeId && !choices.some(({ programmeId }) => programmeId === hold.programmeId))
      throw invalid({ programmeId: 'programme_not_chosen' })
    const holds = [...run.rules.holds.filter((one) => one.registrationId !== hold.registrationId), hold]
    if (hold.kind === 'place')
      await requirePlaceForHold(tx, { waveId: run.waveId, rules: { ...run.rules, holds } }, hold, services.clock.now())
    const audit = { action: 'selection.hold', after: hold, reason: hold.reason }
    await saveRun(context, run, { rules: { ...run.rules, holds } }, audit)
  })

export const releaseHoldInRun = (
  services: Services,
  actor: Actor,
  id: string,
  registrationId: string,
  version: number,
) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const run = await lockRun(tx, actor, id, version)
    const hold = run.rules.holds.find((one) => one.registrationId === registrationId)
    if (!hold) throw notFound('selection_hold')
    const holds = run.rules.holds.filter((one) => one !== hold)
    const audit = { action: 'selection.release', before: hold }
    await saveRun(context, run, { rules: { ...run.rules, holds } }, audit)
  })

export const removeRun = (services: Services, actor: Actor, id: string, version: number) =>
  services.db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, actor, id, version)
    await tx.deleteFrom('selectionRuns').where('id', '=', id).execute()
    const before = { name: run.name, waveId: run.waveId, ...run.rules }
    await recordAudit(tx, actor, { action: 'selection.remove', on: { selection: id }, before })
  })

/** Throws 422 for a wave, track, programme, test or score run that does not exist or belongs to another wave. */
async function checkReferences(tx: Tx, waveId: string, { scoreRunId, rules }: Chosen) {
  const wave = await tx.selectFrom('waves').select('id').where('id', '=', waveId).executeTakeFirst()
  if (!wave) throw invalid({ waveId: 'not_found' })
  if (scoreRunId) {
    const run = await tx.selectFrom('scoreRuns').select('waveId').where('id', '=', scoreRunId).executeTakeFirst()
    if (run?.waveId !== waveId) throw invalid({ scoreRunId: 'not_found' })
  }
  const known = async (table: 'tracks' | 'tests' | 'studyProgrammes', ids: readonly string[]) => {
    const uniqueIds = [...new Set(ids)]
    if (uniqueIds.length === 0) return true
    const found = await tx.selectFrom(table).select('id').where('id', 'in', uniqueIds).execute()
    return found.length === uniqueIds.length
  }
  const programmeIds = rules.criteria.flatMap(({ programmeId }) => programmeId ?? [])
  const testIds = rules.criteria.flatMap(({ tests }) => tests.map(({ testId }) => testId))
  if (
    !(await known(
      'tracks',
      rules.tracks.map(({ trackId }) => trackId),
    ))
  )
    throw invalid({ tracks: 'not_found' })
  if (!(await known('studyProgrammes', programmeIds)) || !(await known('tests', testIds)))
    throw invalid({ criteria: 'not_found' })
}
