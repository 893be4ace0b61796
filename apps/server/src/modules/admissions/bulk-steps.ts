import { sql } from 'kysely'
import { verdictOn } from '#domain/admissions/allowed-actions.ts'
import type { BulkAction } from '#domain/admissions/registration-actions.ts'
import { registrationTransitions } from '#domain/admissions/registration-status.ts'
import type { BulkAnswer, BulkItem } from '#domain/admissions/schemas.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { findRegistrations, type LoadedRegistration, placesTaken } from './load-registrations.ts'
import { type StepBody, steps } from './steps.ts'
import { requirePermission } from './visible-registrations.ts'

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
  known: { code: string; name: string } | undefined,
  reason: string,
  params: Params = {},
): BulkItem => ({
  id,
  code: known?.code ?? null,
  name: known?.name ?? null,
  done: false,
  reason,
  params,
})

/** An expected refusal as one line of the answer; anything else goes on as the failure it is. */
export function asRefusal(error: unknown): { reason: string; params: Params } {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const [field] = Object.values(error.fields ?? {}).flat()
  const reason = field ? (typeof field === 'string' ? field : field.code) : error.code
  const params = Object.fromEntries(
    Object.entries(error.details).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  ) as Params
  return { reason, params }
}

/** For which of the chosen registrations the step can be taken, counting the places each acceptance would use up. */
export async function previewBulk({ db, clock }: Services, actor: Actor, bulk: Bulk): Promise<BulkAnswer> {
  requireBulk(actor, bulk)
  const now = clock.now()
  const loaded = await byId(db, actor, bulk.ids, now)
  const places = bulk.action === 'accept' ? await placesLeft(db, [...loaded.values()]) : new Map<string, number>()
  return bulkAnswer(
    unique(bulk.ids).map((id) => {
      const found = loaded.get(id)
      if (!found) return refusedItem(id, undefined, 'not_found')
      const verdict = verdictOn(bulk.action, found.facts, now)
      if (!verdict.allowed) return refusedItem(id, found.row, verdict.reason ?? 'wrong_status', verdict.params)
      const problem = bulk.action === 'accept' ? place(found, bulk, places) : null
      if (problem) return refusedItem(id, found.row, problem)
      return { id, code: found.row.code, name: found.row.name, done: true, reason: null, params: {} }
    }),
  )
}

/** Takes the step for one after the other, each in its own transaction: one refusal changes nothing for the others. */
export async function runBulk(services: Services, actor: Actor, bulk: Bulk): Promise<BulkAnswer> {
  requireBulk(actor, bulk)
  const loaded = await byId(services.db, actor, bulk.ids, services.clock.now())
  const items: BulkItem[] = []
  for (const id of unique(bulk.ids)) {
    const found = loaded.get(id)
    if (!found) {
      items.push(refusedItem(id, undefined, 'not_found'))
      continue
    }
    const refusal = await runOne(services, actor, found, bulk)
    items.push(
      refusal
        ? refusedItem(id, found.row, refusal.reason, refusal.params)
        : { id, code: found.row.code, name: found.row.name, done: true, reason: null, params: {} },
    )
  }
  return bulkAnswer(items)
}

async function runOne(services: Services, actor: Actor, { row }: LoadedRegistration, bulk: Bulk) {
  let refusal: ReturnType<typeof asRefusal> | null = null
  for (const body of bodiesOf(
    row.choices.map((choice) => choice.id),
    bulk,
  )) {
    try {
      await services.db.transaction().execute((tx) => takeStep(tx, services, actor, row.id, bulk.action, body))
      return null
    } catch (error) {
      refusal = asRefusal(error)
      if (refusal.reason !== 'programme_full') return refusal
    }
  }
  return refusal ?? { reason: 'choices_required', params: {} }
}

const takeStep = (tx: Tx, services: Services, actor: Actor, id: string, action: BulkAction, body: object) =>
  (steps[action] as (...all: unknown[]) => Promise<unknown>)(tx, services, actor, id, body)

/** What each step is given; an acceptance without a programme tries the choices in their order. */
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

const byId = async (db: Db, actor: Actor, ids: readonly string[], now: Date) =>
  new Map((await findRegistrations(db, actor, ids, now)).map((loaded) => [loaded.row.id, loaded]))

const placeKey = (programmeId: string, row: LoadedRegistration['row']) =>
  [programmeId, row.wave.id, row.classProgramme.id, row.entryLevel.id].join(' ')

async function placesLeft(db: Db, loaded: readonly LoadedRegistration[]) {
  const waveIds = unique(loaded.map(({ row }) => row.wave.id))
  const { rows } = await sql<{ key: string; left: number }>`
    SELECT concat_ws(' ', d.programme_id, d.wave_id, d.class_programme_id, d.entry_level_id) AS key,
      d.capacity - ${placesTaken(sql`d.programme_id`, sql`d`)} AS left
    FROM programme_details d WHERE d.active AND d.wave_id = ANY(${waveIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.key, row.left]))
}

/** Takes a place of the first programme that still has one; the reason if none has. */
function place({ row }: LoadedRegistration, bulk: Bulk, places: Map<string, number>): string | null {
  const chosen = row.choices.map((choice) => choice.id)
  if (bulk.programmeId && !bulk.consent && !chosen.includes(bulk.programmeId)) return 'programme_not_chosen'
  const wanted = bulk.programmeId ? [bulk.programmeId] : chosen
  if (wanted.length === 0) return 'choices_required'
  const key = wanted.map((id) => placeKey(id, row)).find((candidate) => (places.get(candidate) ?? 0) > 0)
  if (!key) return wanted.every((id) => !places.has(placeKey(id, row))) ? 'choice_not_offered' : 'programme_full'
  places.set(key, places.get(key)! - 1)
  return null
}
