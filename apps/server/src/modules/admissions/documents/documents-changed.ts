import { requiredDocumentsSettled } from '#domain/documents/document-status.ts'
import { moveRegistration } from '#server/modules/admissions/steps/move-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
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
  tx: Tx,
  services: Services,
  registrationId: string,
  reopening?: Reopening,
  verifiedBefore?: Date | null,
) {
  const registration = await tx
    .selectFrom('registrations')
    .select(['status', 'verifiedAt'])
    .where('id', '=', registrationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { slots } = await refreshDocumentsState(tx, registrationId)
  const settled = requiredDocumentsSettled(slots)
  if (registration.status === 'paid' && settled) {
    await moveRegistration(
      tx,
      services,
      systemActor,
      registrationId,
      'verify',
      verifiedBefore ? { at: verifiedBefore } : {},
    )
    return 'verify' as const
  }
  const { verifiedAt } = registration
  if (registration.status === 'verified' && reopening && !settled && restsOn(verifiedAt, reopening)) {
    await moveRegistration(tx, services, systemActor, registrationId, 'unverify', { set: { verifiedAt: null } })
    return 'unverify' as const
  }
  return null
}

const restsOn = (verifiedAt: Date | null, { settledAt }: Reopening) =>
  !verifiedAt || !settledAt || verifiedAt >= settledAt

/** Verifies a paid registration whose documents are settled, and notifies the applicant. */
export async function verifyIfComplete(tx: Tx, services: Services, registrationId: string) {
  const moved = await followDocuments(tx, services, registrationId)
  if (moved !== 'verify') return
  const { accountId, code } = await tx
    .selectFrom('registrations')
    .select(['accountId', 'code'])
    .where('id', '=', registrationId)
    .executeTakeFirstOrThrow()
  await notify(tx, services, { accountId, event: 'registration-verified', params: { code } })
}
