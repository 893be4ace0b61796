import { requiredDocumentsSettled } from '#domain/documents/document-status.ts'
import { moveRegistration } from '#server/modules/admissions/move-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/authorization.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { refreshDocumentsState } from './document-slots.ts'

/**
 * Draws the consequences after a document or the payment changed: a paid registration whose required documents are all
 * settled is verified. The row lock makes two last approvals at the same moment wait for each other, so that the second
 * one sees both.
 */
export async function documentsChanged(tx: Tx, services: Services, registrationId: string) {
  const registration = await tx
    .selectFrom('registrations')
    .select(['status', 'code', 'accountId'])
    .where('id', '=', registrationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { slots, documentsState } = await refreshDocumentsState(tx, registrationId)
  if (registration.status === 'paid' && requiredDocumentsSettled(slots)) {
    await moveRegistration(tx, services, systemActor, registrationId, 'verify')
    await notify(tx, services, {
      accountId: registration.accountId,
      event: 'registration-verified',
      params: { code: registration.code },
    })
  }
  return documentsState
}
