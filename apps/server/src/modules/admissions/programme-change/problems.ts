import type { ErrorCode } from '#domain/errors.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { reachesProgramme } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'
import type { ChangeTarget, ChangingBill, ChangingRegistration, Place } from './facts.ts'

export type Problem = { code: ErrorCode; params?: Record<string, unknown> }

/** Reasons why a registration cannot be moved to any programme. */
export function problemsOfRegistration(registration: ChangingRegistration): Problem[] {
  const { status, decision, unpublished, npm, programmeId } = registration
  if (npm || status === 'enrolled') return [{ code: 'change_enrolled', params: { npm: npm ?? '' } }]
  if (status === 'withdrawn' || status === 'cancelled' || status === 'expired') return [{ code: 'change_ended' }]
  if (status === 'draft' || !programmeId) return [{ code: 'change_draft' }]
  if (unpublished) return [{ code: 'change_unpublished' }]
  if (decision === 'not_accepted') return [{ code: 'change_not_accepted' }]
  return []
}

type PlannedChange = {
  registration: ChangingRegistration
  target: ChangeTarget
  place: Place | undefined
  bills: readonly ChangingBill[]
  hasTuition: boolean
}

/** All problems of a change. */
export async function problemsOfChange(db: Db, actor: Actor, change: PlannedChange): Promise<Problem[]> {
  const { registration, target, place, bills, hasTuition } = change
  const problems = problemsOfRegistration(registration)
  if (target.programmeId === registration.programmeId && target.classProgrammeId === registration.classProgrammeId)
    problems.push({ code: 'change_same' })
  else if (!place?.offered || !reachesProgramme(actor, target.programmeId))
    problems.push({ code: 'change_not_offered' })
  else {
    if (place.taken >= (place.capacity ?? 0))
      problems.push({ code: 'programme_full', params: { capacity: place.capacity ?? 0 } })
    else if (!place.hasPlaceForTrack && registration.decision === 'accepted')
      problems.push({ code: 'change_track_full' })
    if (!hasTuition && registration.decision === 'accepted') problems.push({ code: 'change_tuition_missing' })
  }
  if (target.classProgrammeId !== registration.classProgrammeId && !registration.decision) {
    const missingChoices = await choicesNotInClass(db, registration, target)
    if (missingChoices > 0) problems.push({ code: 'change_choices_not_in_class', params: { count: missingChoices } })
  }
  const pendingRequests = await db
    .selectFrom('approvalRequests as q')
    .innerJoin('bills as b', 'b.id', 'q.billId')
    .select('b.number')
    .where('q.status', '=', 'pending')
    .where('q.kind', 'not in', ['reversal', 'refund'])
    .where('q.billId', 'in', [...bills.map(({ id }) => id), '00000000-0000-0000-0000-000000000000'])
    .orderBy('q.requestedAt')
    .execute()
  const [first] = pendingRequests
  if (first)
    problems.push({
      code: 'change_approval_pending',
      params: { number: first.number, count: pendingRequests.length },
    })
  return problems
}

/** Counts other choices that the new class does not offer: an undecided registration has one class for all choices. */
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

/** The problems with their sentences. */
export const describeProblems = (problems: readonly Problem[], language: Language) => {
  const t = sentences(language)
  return problems.map(({ code, params }) => ({ code, message: t(`errors:${code}`, params ?? {}) }))
}
