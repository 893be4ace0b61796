import { requiredDocumentsSettled } from '#domain/documents/document-status.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { publicDecision } from '#server/platform/access/decision-scope.ts'
import type { Context } from '#server/platform/use-case.ts'
import { refreshDocumentsState } from './document-slots.ts'

type Reopening = {
  /** When the reopened required document was settled; a verification since then relied on it. */
  settledAt: Date | null
}

/**
 * Verifies or unverifies a registration according to its documents, without a message; returns the step taken. The row
 * lock makes two last approvals wait for each other, so the second sees both. `verifiedBefore`: time of an earlier
 * verification that becomes valid again.
 */
export async function followDocuments(
  context: Omit<Context, 'actor'>,
  registrationId: string,
  reopening?: Reopening,
  verifiedBefore?: Date | null,
) {
  const { tx, now } = context
  const registration = await tx
    .selectFrom('registrations as r')
    .select(['r.status', 'r.verifiedAt'])
    .select(publicDecision(now).as('publicDecision'))
    .where('r.id', '=', registrationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { slots } = await refreshDocumentsState(tx, registrationId)
  const settled = requiredDocumentsSettled(slots)
  if (registration.status === 'paid' && settled) {
    await moveRegistration(
      { ...context, actor: systemActor },
      registrationId,
      'verify',
      verifiedBefore ? { at: verifiedBefore } : {},
    )
    return 'verify' as const
  }
  const { verifiedAt } = registration
  // A hidden decision must not show by a verification that does not come or does not go.
  if (registration.status === 'decided' && registration.publicDecision === null) {
    const goes = verifiedAt && reopening && !settled && restsOn(verifiedAt, reopening)
    if (!goes && (verifiedAt || !settled)) return null
    const changed = goes ? null : (verifiedBefore ?? now)
    await tx.updateTable('registrations').set({ verifiedAt: changed }).where('id', '=', registrationId).execute()
    return goes ? ('unverify' as const) : ('verify' as const)
  }
  if (registration.status === 'verified' && reopening && !settled && restsOn(verifiedAt, reopening)) {
    await moveRegistration({ ...context, actor: systemActor }, registrationId, 'unverify', {
      set: { verifiedAt: null },
    })
    return 'unverify' as const
  }
  return null
}

const restsOn = (verifiedAt: Date | null, { settledAt }: Reopening) =>
  !verifiedAt || !settledAt || verifiedAt >= settledAt

/** Verifies a paid registration whose documents are settled, and notifies the applicant. */
export async function verifyIfComplete(context: Omit<Context, 'actor'>, registrationId: string) {
  const { tx } = context
  const moved = await followDocuments(context, registrationId)
  if (moved !== 'verify') return
  const { accountId, code } = await tx
    .selectFrom('registrations')
    .select(['accountId', 'code'])
    .where('id', '=', registrationId)
    .executeTakeFirstOrThrow()
  await notify(context, { accountId, event: 'registration-verified', params: { code } })
}
