import { sql } from 'kysely'
import {
  type RegistrationAction,
  type RegistrationStatus,
  registrationTransitions,
} from '#domain/admissions/registration-status.ts'
import { type Appearance, appearanceColumns, lockPublications } from '#server/modules/admissions/results/appearance.ts'
import { lockRegistration } from '#server/modules/admissions/steps/lock-registration.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { publicDecision, statusBeforeDecision, statusFor } from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, forbidden, notFound } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { moveStep, recordSteps, undoSteps } from './registration-steps.ts'

type Extra = {
  reason?: string | undefined
  /** Columns to change together with the status. */
  set?: {
    decision?: 'accepted' | 'not_accepted' | null
    acceptedProgrammeId?: string | null
    decisionReason?: string | null
    decidedBy?: string | null
    programmeId?: string | null
    installmentPlanId?: string | null
    verifiedAt?: null
    decidedAt?: null
    confirmedAt?: null
    enrolledAt?: null
    offerDueAt?: Date | null
  }
  /** For a decision: when it becomes public. */
  appearance?: Appearance
  /** For the offer of a reserve place: the selection the list comes from. */
  selectionRunId?: string
  /** Added to `after` in the audit log. */
  note?: object
  /** Time of the step; now by default. */
  at?: Date
}

/** SQL for the former status of registration `r` that an action returns to. */
const earlierStatuses = { closed_from: sql<RegistrationStatus>`r.closed_from`, before_decision: statusBeforeDecision }

/** Statuses that close a pending request for another programme. */
const endsRequests: readonly RegistrationStatus[] = ['withdrawn', 'cancelled', 'expired', 'enrolled']

const kindOfActor = (actor: Actor) => (actor.accountId === '' ? 'system' : isApplicant(actor) ? 'applicant' : 'staff')

/**
 * Takes a step by the table of transitions; throws 403 or 409. Checks and writes the status in one statement: of two
 * people deciding at once, the second gets 409 with the new status. The row stays locked until the transaction ends;
 * lock money and places only after it.
 */
export async function moveRegistration(
  { tx, services, actor }: Context,
  id: string,
  action: RegistrationAction,
  { reason, set = {}, appearance, selectionRunId, note, at }: Extra = {},
) {
  const { from, to, by, access, ...step } = registrationTransitions[action]
  if (!(by as readonly string[]).includes(kindOfActor(actor))) throw forbidden(access ?? 'system')
  // `now` is read under the lock, so the times in the history have the order in which the steps were taken.
  const locked = await lockRegistration(tx, id)
  if (appearance && locked) await lockPublications(tx, locked.waveId, 'decide')
  const now = services.clock.now()
  const closes = to === 'withdrawn' || to === 'cancelled' || action === 'expireOffer'
  const moved = await tx
    .updateTable('registrations as r')
    .from((eb) =>
      eb
        .selectFrom('registrations')
        .select(['id', 'status', 'programmeId', 'acceptedProgrammeId'])
        .where('id', '=', id)
        .as('was'),
    )
    .set((eb) => ({
      ...set,
      // A decision by a person replaces the selection's.
      ...('decision' in set && { selectionRunId: null }),
      ...(appearance && appearanceColumns(appearance, now)),
      status: to in earlierStatuses ? earlierStatuses[to as keyof typeof earlierStatuses] : (to as RegistrationStatus),
      ...('at' in step && { [step.at]: at ?? now }),
      ...(closes && { closedFrom: eb.ref('r.status') }),
      ...(to === 'closed_from' && { closedAt: null, closedFrom: null }),
      updatedAt: now,
    }))
    .whereRef('r.id', '=', 'was.id')
    .where('r.status', 'in', from as readonly RegistrationStatus[])
    .where(visibleTo(actor))
    .returning([
      'r.id',
      'r.code',
      'r.accountId',
      'r.status',
      'r.waveId',
      'r.trackId',
      'r.entryLevelId',
      'r.classProgrammeId',
      'r.programmeId',
      'r.acceptedProgrammeId',
      'r.decision',
      'r.installmentPlanId',
      'r.publishedAfter',
      'was.status as before',
      'was.programmeId as programmeBefore',
      'was.acceptedProgrammeId as acceptedBefore',
    ])
    .executeTakeFirst()
  if (!moved) throw await refusalOf(tx, actor, id, action, now)
  if (endsRequests.includes(moved.status)) await closeRequest(tx, actor, id, now)
  if ('undoes' in step) await undoSteps(tx, id, step.undoes, now)
  await recordSteps(tx, actor, id, [
    ...('step' in step
      ? [
          {
            step: step.step,
            at: at ?? now,
            ...(appearance && { publishedAfter: moved.publishedAfter, selectionRunId: selectionRunId ?? null }),
          },
        ]
      : []),
    ...(moved.programmeId !== moved.programmeBefore
      ? [moveStep(moved.programmeBefore, moved.classProgrammeId, now)]
      : []),
  ])
  await recordAudit(tx, actor, {
    action: `registration.${action}`,
    on: { registration: id },
    before: { status: moved.before },
    after: { status: moved.status, ...set, ...note },
    reason,
  })
  return moved
}

export type MovedRegistration = Awaited<ReturnType<typeof moveRegistration>>

/** The 409 with the current status as the actor may know it; 404 if the actor may not see the registration. */
async function refusalOf(tx: Tx, actor: Actor, id: string, action: RegistrationAction, now: Date) {
  const current = await tx
    .selectFrom('registrations as r')
    .select(['r.status', 'r.verifiedAt', publicDecision(now).as('publicDecision')])
    .where('r.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!current) return notFound('registration')
  return conflict('wrong_status', { action, status: statusFor(actor, current) })
}

/** Closes the pending request of a registration that ends or enrols. The caller holds the registration's lock. */
const closeRequest = (tx: Tx, actor: Actor, registrationId: string, now: Date) =>
  tx
    .updateTable('programmeRequests')
    .set({ status: 'closed', decidedAt: now, decidedBy: actor.accountId || null })
    .where('registrationId', '=', registrationId)
    .where('status', '=', 'pending')
    .execute()
