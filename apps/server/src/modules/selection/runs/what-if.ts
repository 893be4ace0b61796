import type { ChangedPlaces } from '#domain/selection/rules.ts'
import type { SelectionQuota } from '#server/modules/selection/compute/select.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { readInputOf } from './compute-run.ts'
import type { RunInput, StoredQuota } from './read-input.ts'
import { selectInThread } from './select-in-thread.ts'
import type { TimedOutput } from './select-thread.ts'

type Basis = { input: RunInput; output: TimedOutput }

/** Number of bases kept in memory, for the runs asked about last; each is about 20 MB for 100,000 applicants. */
const keptBases = 2
const bases = new Map<string, Promise<Basis>>()

function basisOf(services: Services, runId: string, inputHash: string): Promise<Basis> {
  const key = `${runId} ${inputHash}`
  const keptBasis = bases.get(key)
  if (keptBasis) return keptBasis
  const reading = readBasis(services, runId, inputHash)
  bases.set(key, reading)
  reading.catch(() => bases.delete(key))
  for (const old of [...bases.keys()].slice(0, -keptBases)) bases.delete(old)
  return reading
}

async function readBasis(services: Services, runId: string, inputHash: string): Promise<Basis> {
  const input = await readInputOf(services, runId)
  if (input.hash !== inputHash) throw conflict('selection_input_changed')
  return { input, output: await selectInThread(input.selection) }
}

/**
 * Result of a computed run with other quotas, recomputed in a worker thread and not stored. Throws 409
 * `selection_input_changed` if scores, choices or quotas changed since, 422 if tracks have more places than their
 * programme.
 */
export async function tryPlaces(services: Services, runId: string, places: readonly ChangedPlaces[]) {
  const { db } = services
  const run = await db
    .selectFrom('selectionRuns')
    .select(['status', 'inputHash'])
    .where('id', '=', runId)
    .executeTakeFirst()
  if (!run) throw notFound('selection_run')
  if (run.status === 'adopted') throw conflict('selection_adopted')
  if (run.status !== 'computed' || !run.inputHash) throw conflict('selection_not_computed')
  const { input, output: before } = await basisOf(services, runId, run.inputHash)
  const details = await db
    .selectFrom('programmeDetails')
    .select(['id', 'capacity'])
    .where('id', 'in', [runId, ...places.map(({ programmeDetailId }) => programmeDetailId)])
    .execute()
  const capacities = new Map(details.map(({ id, capacity }) => [id, capacity]))
  const quotas = changedQuotas(input.quotas, places, capacities)
  const after = await services.threads(() => selectInThread({ ...input.selection, quotas }))
  return {
    quotas: resultsOf(input, quotas, after),
    ...countMoves(input, before.placed, after.placed),
    ms: after.ms,
  }
}

function changedQuotas(
  quotas: readonly StoredQuota[],
  places: readonly ChangedPlaces[],
  capacities: ReadonlyMap<string, number>,
): SelectionQuota[] {
  const changed = quotas.map(({ parent, places: own, spillTurn, ties }) => ({ parent, places: own, spillTurn, ties }))
  for (const { programmeDetailId, trackId, places: number } of places) {
    const index = quotas.findIndex((one) => one.programmeDetailId === programmeDetailId && one.trackId === trackId)
    const capacity = capacities.get(programmeDetailId)
    if (index === -1 || capacity === undefined) throw invalid({ places: 'not_found' })
    changed[index]!.places = trackId ? number : capacity + number
  }
  for (const [index, { places: whole }] of changed.entries()) {
    const parts = changed.filter(({ parent }) => parent === index)
    if (parts.reduce((sum, part) => sum + part.places, 0) > whole)
      throw invalid({ places: { code: 'quotas_above_capacity', params: { capacity: whole } } })
  }
  return changed
}

/** By quota: the number placed, and the total of the last one admitted by rank. */
function resultsOf(
  { states, selection: { columns } }: RunInput,
  quotas: readonly SelectionQuota[],
  after: TimedOutput,
) {
  const tallies = quotas.map(({ parent, places }, number) => {
    const result = { number, places, placed: 0, lastTotal: null as number | null }
    return { parent, result, lastRank: 0 }
  })
  for (const [index, number] of columns.quota.entries()) {
    if (!after.placed[index]) continue
    const tally = tallies[number]!
    tally.result.placed++
    if (tally.parent !== null) tallies[tally.parent]!.result.placed++
    const rank = after.rank[index]!
    if (states[index] === 'open' && rank >= tally.lastRank) {
      tally.lastRank = rank
      tally.result.lastTotal = columns.total[index]! / 100
    }
  }
  return tallies.map(({ result }) => result)
}

/** Counts of applicants who gain a place, lose it, or move to another programme. */
function countMoves({ programmeIds, selection }: RunInput, before: Uint8Array, after: Uint8Array) {
  const { applicant } = selection.columns
  const placeOf = (placed: Uint8Array) => {
    const places = new Int32Array((applicant.at(-1) ?? -1) + 1).fill(-1)
    for (const [index, person] of applicant.entries()) if (placed[index]) places[person] = index
    return places
  }
  const [from, to] = [placeOf(before), placeOf(after)]
  const counts = { gained: 0, lost: 0, moved: 0 }
  for (const [person, old] of from.entries()) {
    const now = to[person]!
    if (old === -1 && now !== -1) counts.gained++
    else if (old !== -1 && now === -1) counts.lost++
    else if (old !== -1 && programmeIds[old] !== programmeIds[now]) counts.moved++
  }
  return counts
}
