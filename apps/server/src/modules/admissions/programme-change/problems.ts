import type { ErrorCode } from '#domain/errors.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { reachesProgramme } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import type { ChangeTarget, ChangingBill, ChangingRegistration, Place } from './facts.ts'

export type Problem = { code: ErrorCode; params?: Record<string, unknown> }

/** Why a registration cannot be moved, wherever to. */
export function problemsOfRegistration(registration: ChangingRegistration): Problem[] {
  const { status, decision, published, npm, programmeId } = registration
  if (npm || status === 'enrolled') return [{ code: 'change_enrolled', params: { npm: npm ?? '' } }]
  if (status === 'withdrawn' || status === 'cancelled' || status === 'expired') return [{ code: 'change_ended' }]
  if (status === 'draft' || !programmeId) return [{ code: 'change_draft' }]
  if (status === 'decided' && !published) return [{ code: 'change_unpublished' }]
  if (decision === 'not_accepted') return [{ code: 'change_not_accepted' }]
  return []
}

type Wanted = {
  registration: ChangingRegistration
  target: ChangeTarget
  place: Place | undefined
  bills: readonly ChangingBill[]
  hasTuition: boolean
}

/** Everything that stands in the way of one change, all at once. */
export async function problemsOfChange(db: Db, actor: Actor, wanted: Wanted): Promise<Problem[]> {
  const { registration, target, place, bills, hasTuition } = wanted
  const problems = problemsOfRegistration(registration)
  if (target.programmeId === registration.programmeId && target.classProgrammeId === registration.classProgrammeId)
    problems.push({ code: 'change_same' })
  else if (!place?.offered || !reachesProgramme(actor, target.programmeId))
    problems.push({ code: 'change_not_offered' })
  else {
    if (place.taken >= (place.capacity ?? 0))
      problems.push({ code: 'programme_full', params: { capacity: place.capacity ?? 0 } })
    if (!hasTuition && registration.decision === 'accepted') problems.push({ code: 'change_tuition_missing' })
  }
  if (target.classProgrammeId !== registration.classProgrammeId && !registration.decision) {
    const lost = await choicesNotInClass(db, registration, target)
    if (lost > 0) problems.push({ code: 'change_choices_not_in_class', params: { count: lost } })
  }
  const pending = await db
    .selectFrom('approvalRequests as q')
    .innerJoin('bills as b', 'b.id', 'q.billId')
    .select('b.number')
    .where('q.status', '=', 'pending')
    .where('q.kind', 'not in', ['reversal', 'refund'])
    .where('q.billId', 'in', [...bills.map(({ id }) => id), '00000000-0000-0000-0000-000000000000'])
    .orderBy('q.requestedAt')
    .execute()
  if (pending.length > 0)
    problems.push({ code: 'change_approval_pending', params: { number: pending[0]!.number, count: pending.length } })
  return problems
}

/** A registration has one class: its other choices have to be offered there as well while nothing is decided. */
async function choicesNotInClass(
  db: Db,
  { id, programmeId, waveId, entryLevelId }: ChangingRegistration,
  to: ChangeTarget,
) {
  const { count } = await db
    .selectFrom('registrationChoices as k')
    .leftJoin('programmeDetails as d', (join) =>
      join
        .onRef('d.programmeId', '=', 'k.programmeId')
        .on('d.waveId', '=', waveId)
        .on('d.entryLevelId', '=', entryLevelId)
        .on('d.classProgrammeId', '=', to.classProgrammeId)
        .on('d.active', '=', true)
        .on('d.open', '=', true),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('k.registrationId', '=', id)
    .where('k.programmeId', 'not in', [to.programmeId, programmeId ?? to.programmeId])
    .where('d.id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Problems with their sentences. */
export const said = (problems: readonly Problem[], language: Language) => {
  const t = sentences(language)
  return problems.map(({ code, params }) => ({ code, message: t(`errors:${code}`, params ?? {}) }))
}
