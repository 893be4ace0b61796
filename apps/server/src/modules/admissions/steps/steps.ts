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
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { closeRegistration } from './close-registration.ts'
import { confirmRegistration, requireOffer, revertConfirmation } from './confirm-registration.ts'
import { moveRegistration } from './move-registration.ts'
import { reopenRegistration } from './reopen-registration.ts'
import { submitRegistration } from './submit-registration.ts'

export type StepBody<A extends RequestedAction> = z.output<(typeof actionEndpoints)[A]['body']>

type Step<A extends RequestedAction> = (
  context: Context,
  id: string,
  body: StepBody<A>,
  appearance?: Appearance,
) => Promise<unknown>

/** A step whose action, and so the schema of its body, is only known at run time. */
export type AnyStep = (context: Context, id: string, body: object, appearance?: Appearance) => Promise<unknown>

/** Function for each step that people take. */
export const steps: { [A in RequestedAction]: Step<A> } = {
  submit: submitRegistration,
  verify: verifyRegistration,
  accept: acceptRegistration,
  reject: (context, id, { reason }, appearance) => rejectRegistration(context, id, reason, appearance),
  revertDecision: (context, id, { reason }) => revertDecision(context, id, reason),
  confirm: (context, id, { installmentPlanId, reason }) => confirmRegistration(context, id, installmentPlanId, reason),
  decline: (context, id, { reason }) => declineOffer(context, id, reason),
  revertConfirmation: (context, id, { reason }) => revertConfirmation(context, id, reason),
  withdraw: (context, id, { reason }) => closeRegistration(context, id, { action: 'withdraw', reason }),
  cancel: (context, id, { reason }) => closeRegistration(context, id, { action: 'cancel', reason }),
  revertWithdrawal: (context, id, { reason }) => reopenRegistration(context, id, 'revertWithdrawal', { reason }),
}

/** Verifies by hand, for example a registration without required documents; normally the last approval verifies. */
async function verifyRegistration(context: Context, id: string) {
  const { tx } = context
  const moved = await moveRegistration(context, id, 'verify')
  const { slots } = await refreshDocumentsState(tx, id)
  if (!requiredDocumentsSettled(slots)) throw conflict('documents_incomplete')
  await notify(context, {
    accountId: moved.accountId,
    event: 'registration-verified',
    params: { code: moved.code },
    link: `/pendaftaran/${id}`,
  })
}

/** Declines a published offer, by the applicant or by staff for the applicant; 409 if there is no such offer. */
async function declineOffer(context: Context, id: string, reason: string) {
  await requireOffer(context, id, 'decline')
  const moved = await closeRegistration(context, id, { action: 'decline', reason })
  if (moved.decision !== 'accepted') throw conflict('not_accepted')
}
