import type { RegistrationFacts } from './facts.ts'
import { type RequestedAction, registrationActions } from './registration-actions.ts'
import { canRun, registrationTransitions } from './registration-status.ts'
import { missingForSubmission } from './submission.ts'

export type Verdict = {
  action: RequestedAction
  allowed: boolean
  reason: string | null
  params: Record<string, string | number>
}

/** Whoever asks: an applicant about the own registration, or staff with permissions. */
export type Asker = { applicant: boolean; may(permission: string): boolean }

/** Whether a step can be taken now, and if not, which rule stands in the way. The step itself checks again. */
export function verdictOn(action: RequestedAction, facts: RegistrationFacts, now: Date): Verdict {
  const refuse = (reason: string, params: Verdict['params'] = {}): Verdict => ({
    action,
    allowed: false,
    reason,
    params,
  })
  if (!canRun(action, facts.status)) return refuse('wrong_status', { status: facts.status })
  const confirmable = () => {
    const { confirmationDueAt } = facts.window
    if (facts.result === 'not_accepted') return refuse('not_accepted')
    if (facts.result === 'waiting') return refuse('result_not_published')
    return confirmationDueAt && now >= confirmationDueAt ? refuse('confirmation_closed') : null
  }
  const rule = (): Verdict | null => {
    if (action === 'submit') {
      const missing = missingForSubmission(facts, now)
      return missing.length > 0 ? refuse('submission_incomplete', { count: missing.length }) : null
    }
    if (action === 'verify') return facts.documentsSettled ? null : refuse('documents_incomplete')
    if (action === 'confirm') return confirmable()
    if (action === 'revertConfirmation') return (facts.reRegistration?.paid ?? 0) > 0 ? refuse('money_paid') : null
    return null
  }
  const refused = rule()
  if (refused) return refused
  return { action, allowed: true, reason: null, params: {} }
}

/** The steps this reader is offered at all: by role and permission. */
export function actionsFor({ applicant, may }: Asker): RequestedAction[] {
  return registrationActions.filter((action) => {
    const { by, access } = registrationTransitions[action]
    if (!may(access)) return false
    if (applicant) return (by as readonly string[]).includes('applicant')
    return (by as readonly string[]).includes('staff') && (action !== 'confirm' || may('pendaftaran-confirm'))
  })
}

export const allowedActions = (facts: RegistrationFacts, asker: Asker, now: Date): Verdict[] =>
  actionsFor(asker).map((action) => verdictOn(action, facts, now))
