import type { z } from 'zod'
import type { actionEndpoints } from '#domain/admissions/endpoints.ts'
import type { RequestedAction } from '#domain/admissions/requested-actions.ts'
import { requiredDocumentsSettled } from '#domain/documents/document-status.ts'
import { refreshDocumentsState } from '#server/modules/admissions/documents/document-slots.ts'
import type { Appearance } from '#server/modules/admissions/results/appearance.ts'
import {
  acceptRegistration,
  rejectRegistration,
  revertDecision,
} from '#server/modules/admissions/results/decide-registration.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { closeRegistration } from './close-registration.ts'
import { confirmRegistration, requireOffer, revertConfirmation } from './confirm-registration.ts'
import { moveRegistration } from './move-registration.ts'
import { reopenRegistration } from './reopen-registration.ts'
import { submitRegistration } from './submit-registration.ts'

export type StepBody<A extends RequestedAction> = z.output<(typeof actionEndpoints)[A]['body']>

type Step<A extends RequestedAction> = (
  tx: Tx,
  services: Services,
  actor: Actor,
  id: string,
  body: StepBody<A>,
  appearance?: Appearance,
) => Promise<unknown>

/** Function for each step that people take. */
export const steps: { [A in RequestedAction]: Step<A> } = {
  submit: submitRegistration,
  verify: verifyRegistration,
  accept: acceptRegistration,
  reject: (tx, services, actor, id, { reason }, appearance) =>
    rejectRegistration(tx, services, actor, id, reason, appearance),
  revertDecision: (tx, services, actor, id, { reason }) => revertDecision(tx, services, actor, id, reason),
  confirm: (tx, services, actor, id, { installmentPlanId, reason }) =>
    confirmRegistration(tx, services, actor, id, installmentPlanId, reason),
  decline: (tx, services, actor, id, { reason }) => declineOffer(tx, services, actor, id, reason),
  revertConfirmation: (tx, services, actor, id, { reason }) => revertConfirmation(tx, services, actor, id, reason),
  withdraw: (tx, services, actor, id, { reason }) => closeRegistration(tx, services, actor, id, 'withdraw', reason),
  cancel: (tx, services, actor, id, { reason }) => closeRegistration(tx, services, actor, id, 'cancel', reason),
  revertWithdrawal: (tx, services, actor, id, { reason }) =>
    reopenRegistration(tx, services, actor, id, 'revertWithdrawal', { reason }),
}

/** Verifies by hand, for example a registration without required documents; normally the last approval verifies. */
async function verifyRegistration(tx: Tx, services: Services, actor: Actor, id: string) {
  const moved = await moveRegistration(tx, services, actor, id, 'verify')
  const { slots } = await refreshDocumentsState(tx, id)
  if (!requiredDocumentsSettled(slots)) throw conflict('documents_incomplete')
  await notify(tx, services, {
    accountId: moved.accountId,
    event: 'registration-verified',
    params: { code: moved.code },
    link: `/pendaftaran/${id}`,
  })
}

/** Declines a published offer, by the applicant or by staff for the applicant; 409 if there is no such offer. */
async function declineOffer(tx: Tx, services: Services, actor: Actor, id: string, reason: string) {
  await requireOffer(tx, services, actor, id, 'decline')
  const moved = await closeRegistration(tx, services, actor, id, 'decline', reason)
  if (moved.decision !== 'accepted') throw conflict('not_accepted')
}
