import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import type { ApiError } from '#web/api/client.ts'
import {
  formOf,
  type Problem,
  type RegistrationForm,
  reachable,
  type StepKey,
} from '#web/modules/admissions/apply/registration-form.ts'

/** What the screen of one step holds besides the form; the device does not keep it. */
export type Screen = {
  /** What stands beside no field and keeps the applicant on this step. */
  problem: Problem | null
  failure: ApiError | null
  sending: boolean
  agreed: boolean
  /** Test session picked and not taken yet. */
  sessionId: string | null
}

export const emptyScreen: Screen = { problem: null, failure: null, sending: false, agreed: false, sessionId: null }

export type ScreenEvent =
  | { kind: 'trackChosen' }
  | { kind: 'sessionChosen'; sessionId: string | null }
  | { kind: 'agreed'; agreed: boolean }
  | { kind: 'blocked'; problem: Problem }
  | { kind: 'sending' }
  | { kind: 'sent' }
  | { kind: 'failed'; failure: ApiError }
  | { kind: 'stepChanged' }

export function nextScreen(screen: Screen, event: ScreenEvent): Screen {
  switch (event.kind) {
    case 'trackChosen':
      return { ...screen, problem: null }
    case 'sessionChosen':
      return { ...screen, sessionId: event.sessionId }
    case 'agreed':
      return { ...screen, agreed: event.agreed, problem: null }
    case 'blocked':
      return { ...screen, problem: event.problem }
    case 'sending':
      return { ...screen, problem: null, failure: null, sending: true }
    case 'sent':
      return { ...screen, sending: false }
    case 'failed':
      return { ...screen, failure: event.failure, sending: false }
    case 'stepChanged':
      return { ...screen, problem: null, failure: null }
  }
}

type Asked = {
  /** Step of the address. */
  step: string | null
  /** Registration of the address. */
  registrationId: string | null
}

/** The step to show: of the address if the track has it, else of the draft, and never past an unanswered one. */
export function stepOnScreen(form: RegistrationForm, steps: readonly StepKey[], asked: Asked): StepKey {
  const has = (step: string | null): step is StepKey => steps.includes(step as StepKey)
  const step = has(asked.step) ? asked.step : has(form.step) ? form.step : 'track'
  return asked.registrationId ? step : reachable(step, form)
}

/**
 * The form once the server's draft was read: filled from a draft that another address or device began, or that was
 * changed elsewhere; the same object where nothing changes; null once the registration is no draft.
 */
export function takenUp(
  form: RegistrationForm,
  detail: RegistrationDetail,
  askedId: string | null,
): RegistrationForm | null {
  if (detail.status !== 'draft') return null
  const isSame = form.registrationId === detail.id
  if (askedId && !isSame) return formOf(detail)
  return isSame && form.version !== detail.version ? { ...formOf(detail), step: form.step } : form
}
