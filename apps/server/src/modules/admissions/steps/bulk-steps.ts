import { sql } from 'kysely'
import { verdictOn } from '#domain/admissions/allowed-actions.ts'
import { registrationTransitions } from '#domain/admissions/registration-status.ts'
import type { BulkAction } from '#domain/admissions/requested-actions.ts'
import type { BulkAnswer, BulkItem } from '#domain/admissions/schemas.ts'
import { mustGet } from '#domain/must.ts'
import { placesTaken } from '#server/modules/admissions/places.ts'
import {
  findRegistrations,
  type LoadedRegistration,
} from '#server/modules/admissions/registrations/load-registrations.ts'
import { decisionBases, describeProblems, findProblems } from '#server/modules/admissions/results/decision-facts.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import { isIntakePublished } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { type AnyStep, type StepBody, steps } from './steps.ts'

export type Bulk = {
  action: BulkAction
  ids: string[]
  programmeId?: string | undefined
  consent: boolean
  reason?: string | undefined
  installmentPlanId: string | null
}

function requireBulk(actor: Actor, { action }: Bulk) {
  requirePermission(actor, registrationTransitions[action].access)
  if (action === 'confirm') requirePermission(actor, 'pendaftaran-confirm')
}

export const bulkAnswer = (items: BulkItem[]): BulkAnswer => {
  const done = items.filter((item) => item.done).length
  return { done, refused: items.length - done, items }
}

type Params = Record<string, string | number>
export const refusedItem = (
  id: string,
  registration: { code: string; name: string } | undefined,
  reason: string,
  params: Params = {},
): BulkItem => ({
  id,
  code: registration?.code ?? null,
  name: registration?.name ?? null,
  done: false,
  reason,
  params,
})

/** Reason and parameters of an expected refusal; rethrows every other error. */
export function asRefusal(error: unknown): { reason: string; params: Params } {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const [field] = Object.values(error.fields ?? {}).flat()
  const reason = field ? (typeof field === 'string' ? field : field.code) : error.code
  const params = Object.fromEntries(
    Object.entries(error.details).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  ) as Params
  return { reason, params }
}

/**
 * Whether each registration may take the step. Each acceptance uses up a place, so a later one in the list may be
 * refused.
 */
export async function previewBulk({ db, clock }: Services, actor: Actor, bulk: Bulk): Promise<BulkAnswer> {
  requireBulk(actor, bulk)
  const now = clock.now()
  const loaded = await loadById(db, actor, bulk.ids, now)
  const places = bulk.action === 'accept' ? await placesLeft(db, [...loaded.values()]) : new Map<string, number>()
  const settings = await getSettings(db)
  const bases = bulk.action === 'accept' ? await decisionBases(db, [...loaded.keys()], bulk.programmeId) : new Map()
  const answer = bulkAnswer(
    unique(bulk.ids).map((id) => {
      const found = loaded.get(id)
      if (!found) return refusedItem(id, undefined, 'not_found')
      const verdict = verdictOn(bulk.action, found.facts, now)
      if (!verdict.allowed) return refusedItem(id, found.row, verdict.reason ?? 'wrong_status', verdict.params)
      const item = { id, code: found.row.code, name: found.row.name, done: true, reason: null, params: {} }
      if (bulk.action !== 'accept') return item
      const place = findPlace(found, bulk, places)
      if ('refusal' in place) return refusedItem(id, found.row, place.refusal)
      const problems = findProblems(mustGet(bases, id), settings, place.programmeId)
      const blocking = problems.filter(({ mode }) => mode === 'block')
      if (blocking.length > 0)
        return refusedItem(id, found.row, 'decision_blocked', {
          problems: describeProblems(blocking, actor.language).join('; '),
        })
      places.set(place.key, mustGet(places, place.key) - 1)
      return { ...item, warnings: describeProblems(problems, actor.language) }
    }),
  )
  if (bulk.action !== 'accept' && bulk.action !== 'reject') return answer
  const decided = answer.items.filter(({ done }) => done).map(({ id }) => id)
  return { ...answer, intakes: await undecidedBeside(db, actor, decided, now) }
}

/** Counts other undecided registrations in the waves and tracks of the registrations to decide. */
async function undecidedBeside(db: Db, actor: Actor, ids: readonly string[], now: Date) {
  const { rows } = await sql<NonNullable<BulkAnswer['intakes']>[number]>`
    SELECT r.wave_id, r.track_id, w.name || ', ' || t.name AS name, bool_or(${isIntakePublished(now)}) AS published,
      (count(*) FILTER (WHERE r.status IN ('paid', 'verified') AND r.id <> ALL(${[...ids]}::uuid[])))::int AS undecided
    FROM registrations r JOIN waves w ON w.id = r.wave_id JOIN tracks t ON t.id = r.track_id
    WHERE (r.wave_id, r.track_id) IN (SELECT o.wave_id, o.track_id FROM registrations o WHERE o.id = ANY(${[...ids]}::uuid[]))
      AND ${visibleTo(actor)}
    GROUP BY r.wave_id, r.track_id, w.name, t.name ORDER BY w.name, t.name`.execute(db)
  return rows
}

/** Takes the step for each registration in its own transaction: a refusal does not roll back the others. */
export async function runBulk(services: Services, actor: Actor, bulk: Bulk): Promise<BulkAnswer> {
  requireBulk(actor, bulk)
  const loaded = await loadById(services.db, actor, bulk.ids, services.clock.now())
  const items: BulkItem[] = []
  for (const id of unique(bulk.ids)) {
    const found = loaded.get(id)
    if (!found) {
      items.push(refusedItem(id, undefined, 'not_found'))
      continue
    }
    const refusal = await runForRegistration(services, actor, found, bulk)
    items.push(
      refusal
        ? refusedItem(id, found.row, refusal.reason, refusal.params)
        : { id, code: found.row.code, name: found.row.name, done: true, reason: null, params: {} },
    )
  }
  return bulkAnswer(items)
}

async function runForRegistration(services: Services, actor: Actor, { row }: LoadedRegistration, bulk: Bulk) {
  let refusal: ReturnType<typeof asRefusal> | null = null
  for (const body of bodiesOf(
    row.choices.map((choice) => choice.id),
    bulk,
  )) {
    try {
      await inTransaction(services, actor, (context) => takeStep(context, row.id, bulk.action, body))
      return null
    } catch (error) {
      refusal = asRefusal(error)
      if (refusal.reason !== 'programme_full' && refusal.reason !== 'track_full') return refusal
    }
  }
  return refusal ?? { reason: 'choices_required', params: {} }
}

const takeStep = (context: Context, id: string, action: BulkAction, body: object) =>
  (steps[action] as AnyStep)(context, id, body, 'with_next')

/** Request bodies to try in turn: an acceptance without a programme tries the choices in their order. */
function bodiesOf(
  choices: readonly string[],
  { action, programmeId, consent, reason, installmentPlanId }: Bulk,
): object[] {
  if (action === 'verify') return [{} satisfies StepBody<'verify'>]
  if (action === 'reject') return [{ reason: reason! } satisfies StepBody<'reject'>]
  if (action === 'confirm') return [{ installmentPlanId } satisfies StepBody<'confirm'>]
  return (programmeId ? [programmeId] : choices).map(
    (id) => ({ programmeId: id, consent, reason }) satisfies StepBody<'accept'>,
  )
}

const unique = (ids: readonly string[]) => [...new Set(ids)]

const loadById = async (db: Db, actor: Actor, ids: readonly string[], now: Date) =>
  new Map((await findRegistrations(db, actor, ids, now)).map((loaded) => [loaded.row.id, loaded]))

const placeKey = (programmeId: string, row: LoadedRegistration['row']) =>
  [programmeId, row.wave.id, row.classProgramme.id, row.entryLevel.id].join(' ')

async function placesLeft(db: Db, loaded: readonly LoadedRegistration[]) {
  const waveIds = unique(loaded.map(({ row }) => row.wave.id))
  const { rows } = await sql<{ key: string; left: number }>`
    SELECT concat_ws(' ', d.programme_id, d.wave_id, d.class_programme_id, d.entry_level_id) AS key,
      d.capacity + d.over_offer - ${placesTaken(sql`d.programme_id`, sql`d`)} AS left
    FROM programme_details d WHERE d.active AND d.wave_id = ANY(${waveIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.key, row.left]))
}

type Place = { programmeId: string; key: string } | { refusal: string }

/** The first programme with a free place, or the reason why there is none. */
function findPlace({ row }: LoadedRegistration, bulk: Bulk, places: Map<string, number>): Place {
  const chosen = row.choices.map((choice) => choice.id)
  if (bulk.programmeId && !bulk.consent && !chosen.includes(bulk.programmeId))
    return { refusal: 'programme_not_chosen' }
  const programmeIds = bulk.programmeId ? [bulk.programmeId] : chosen
  if (programmeIds.length === 0) return { refusal: 'choices_required' }
  const programmeId = programmeIds.find((id) => (places.get(placeKey(id, row)) ?? 0) > 0)
  if (programmeId) return { programmeId, key: placeKey(programmeId, row) }
  return {
    refusal: programmeIds.every((id) => !places.has(placeKey(id, row))) ? 'choice_not_offered' : 'programme_full',
  }
}
