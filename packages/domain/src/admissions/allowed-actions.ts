import type { RegistrationFacts } from './facts.ts'
import { canRun, registrationTransitions } from './registration-status.ts'
import { type RequestedAction, registrationActions } from './requested-actions.ts'
import { missingForSubmission } from './submission.ts'

export type Verdict = {
  action: RequestedAction
  allowed: boolean
  reason: string | null
  params: Record<string, string | number>
}

/** The reader: an applicant with their own registration, or staff with permissions. */
export type Asker = { applicant: boolean; may(permission: string): boolean }

/** Whether an action is allowed now, and which rule blocks it. The action itself checks again. */
export function verdictOn(action: RequestedAction, facts: RegistrationFacts, now: Date): Verdict {
  const refuse = (reason: string, params: Verdict['params'] = {}): Verdict => ({
    action,
    allowed: false,
    reason,
    params,
  })
  if (!canRun(action, facts.status)) return refuse('wrong_status', { status: facts.status })
  const answerRefusal = () => {
    if (facts.result === 'not_accepted') return refuse('not_accepted')
    return facts.result === 'waiting' ? refuse('result_not_published') : null
  }
  const lateRefusal = () => {
    const { confirmationDueAt } = facts.window
    return confirmationDueAt && now >= confirmationDueAt ? refuse('confirmation_closed') : null
  }
  const actionRefusal = (): Verdict | null => {
    if (action === 'submit') {
      const missing = missingForSubmission(facts, now)
      return missing.length > 0 ? refuse('submission_incomplete', { count: missing.length }) : null
    }
    if (action === 'verify') return facts.documentsSettled ? null : refuse('documents_incomplete')
    if (action === 'confirm') return answerRefusal() ?? lateRefusal()
    if (action === 'decline') return answerRefusal()
    if (action === 'revertConfirmation') return (facts.reRegistration?.paid ?? 0) > 0 ? refuse('money_paid') : null
    return null
  }
  const refusal = actionRefusal()
  if (refusal) return refusal
  return { action, allowed: true, reason: null, params: {} }
}

/** Whether the action answers an offer; staff need `pendaftaran-confirm` to answer for an applicant. */
const answersOffer = (action: RequestedAction) => action === 'confirm' || action === 'decline'

/** Actions offered by the reader's role and permissions, whether allowed now or not. */
export function actionsFor({ applicant, may }: Asker): RequestedAction[] {
  return registrationActions.filter((action) => {
    const { by, access } = registrationTransitions[action]
    if (!may(access)) return false
    if (applicant) return (by as readonly string[]).includes('applicant')
    return (by as readonly string[]).includes('staff') && (!answersOffer(action) || may('pendaftaran-confirm'))
  })
}

export const allowedActions = (facts: RegistrationFacts, asker: Asker, now: Date): Verdict[] =>
  actionsFor(asker).map((action) => verdictOn(action, facts, now))
