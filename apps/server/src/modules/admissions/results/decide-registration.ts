import { sql } from 'kysely'
import { verifyIfComplete } from '#server/modules/admissions/documents/documents-changed.ts'
import { takePlace } from '#server/modules/admissions/places.ts'
import { endReservePlace, vacatePlace } from '#server/modules/admissions/reserve/reserve-places.ts'
import { lockRegistration } from '#server/modules/admissions/steps/lock-registration.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import { reachesProgramme } from '#server/platform/access/row-scope.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import type { Appearance } from './appearance.ts'
import { decisionBases, describeProblems, findProblems } from './decision-facts.ts'
import { announceIfPublished } from './publish-results.ts'

type Acceptance = { programmeId: string; consent: boolean; reason?: string | undefined }

/**
 * Accepts for a chosen programme, or with consent for another; the applicant is notified after publication. 409 if
 * there is no place left or a problem blocks.
 */
export async function acceptRegistration(
  context: Context,
  id: string,
  { programmeId, consent, reason }: Acceptance,
  appearance: Appearance = 'at_once',
) {
  const { tx, actor } = context
  // Saving scores takes this lock too, so the checked scores cannot change before the decision.
  await lockRegistration(tx, id)
  const basis = (await decisionBases(tx, [id], programmeId)).get(id)
  const problems = basis ? findProblems(basis, await getSettings(tx), programmeId) : []
  const moved = await moveRegistration(context, id, 'accept', {
    reason,
    appearance,
    note: { consent, ...(problems.length > 0 && { despite: problems.map(({ check }) => check) }) },
    set: {
      decision: 'accepted',
      acceptedProgrammeId: programmeId,
      programmeId,
      decisionReason: reason ?? null,
      decidedBy: actor.accountId || null,
    },
  })
  const chosen = await tx
    .selectFrom('registrationChoices')
    .select('position')
    .where('registrationId', '=', id)
    .where('programmeId', '=', programmeId)
    .executeTakeFirst()
  if (!chosen && !consent) throw invalid({ programmeId: 'programme_not_chosen' })
  if (!reachesProgramme(actor, programmeId)) throw invalid({ programmeId: 'choice_not_offered' })
  const blocking = problems.filter(({ mode }) => mode === 'block')
  if (blocking.length > 0)
    throw conflict('decision_blocked', { problems: describeProblems(blocking, actor.language).join('; ') })
  await takePlace(tx, moved, programmeId)
  await announceIfPublished(context, id)
}

export async function rejectRegistration(
  context: Context,
  id: string,
  reason: string,
  appearance: Appearance = 'at_once',
) {
  const { actor } = context
  await moveRegistration(context, id, 'reject', {
    reason,
    appearance,
    set: {
      decision: 'not_accepted',
      acceptedProgrammeId: null,
      decisionReason: reason,
      decidedBy: actor.accountId || null,
    },
  })
  await announceIfPublished(context, id)
}

/**
 * Returns the registration to its status before the decision and to its first choice; verifies it if its documents were
 * settled since.
 */
export async function revertDecision(context: Context, id: string, reason: string) {
  const { tx, services } = context
  const firstChoice = await tx
    .selectFrom('registrationChoices')
    .select('programmeId')
    .where('registrationId', '=', id)
    .orderBy('position')
    .executeTakeFirst()
  await lockRegistration(tx, id)
  // Reverting an unpublished decision leaves the earlier public refusal shown; reverting a public one removes it.
  await sql`DELETE FROM shown_refusals USING registrations r
    WHERE registration_id = r.id AND r.id = ${id} AND ${isPublished(services.clock.now())}`.execute(tx)
  const moved = await moveRegistration(context, id, 'revertDecision', {
    reason,
    set: {
      decision: null,
      acceptedProgrammeId: null,
      decisionReason: null,
      decidedBy: null,
      decidedAt: null,
      offerDueAt: null,
      programmeId: firstChoice?.programmeId ?? null,
    },
  })
  await endReservePlace(context, id, 'reverted')
  await vacatePlace(context, moved)
  await verifyIfComplete(context, id)
}
