import { closeRegistration } from '#server/modules/admissions/steps/close-registration.ts'
import { requireOffer } from '#server/modules/admissions/steps/confirm-registration.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/** Declines a published offer, by the applicant or by staff for the applicant; 409 if there is no such offer. */
export async function declineOffer(tx: Tx, services: Services, actor: Actor, id: string, reason: string) {
  await requireOffer(tx, services, actor, id, 'decline')
  const moved = await closeRegistration(tx, services, actor, id, 'decline', reason)
  if (moved.decision !== 'accepted') throw conflict('not_accepted')
}
