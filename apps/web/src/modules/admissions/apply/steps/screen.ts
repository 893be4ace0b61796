import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import type { ApiError } from '#web/api/client.ts'
import {
  formOf,
  type Problem,
  type RegistrationForm,
  reachableStep,
  type StepKey,
} from '#web/modules/admissions/apply/registration-form.ts'

/** Agreeing is asked on the last screen only, so no field of the form shows it. */
type Blocked = Problem | { key: 'form.agreeNeeded'; minimum?: undefined }

/** State of a step's screen apart from the form; not stored on the device. */
export type Screen = {
  /** Problem that concerns no single field and blocks moving on. */
  problem: Blocked | null
  failure: ApiError | null
  sending: boolean
  agreed: boolean
}

export const emptyScreen: Screen = { problem: null, failure: null, sending: false, agreed: false }

export type ScreenEvent =
  | { kind: 'trackChosen' }
  | { kind: 'agreed'; agreed: boolean }
  | { kind: 'blocked'; problem: Blocked }
  | { kind: 'sending' }
  | { kind: 'sent' }
  | { kind: 'failed'; failure: ApiError }
  | { kind: 'stepChanged' }

export function nextScreen(screen: Screen, event: ScreenEvent): Screen {
  switch (event.kind) {
    case 'trackChosen':
      return { ...screen, problem: null }
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

type RequestedStep = {
  /** Step in the address. */
  step: string | null
  /** Registration in the address. */
  registrationId: string | null
}

/** Step to show: the address's if the track has it, otherwise the draft's; never beyond an unanswered step. */
export function stepOnScreen(form: RegistrationForm, steps: readonly StepKey[], address: RequestedStep): StepKey {
  const hasStep = (step: string | null): step is StepKey => steps.includes(step as StepKey)
  const step = hasStep(address.step) ? address.step : hasStep(form.step) ? form.step : 'track'
  return address.registrationId ? step : reachableStep(step, form)
}

/**
 * Merges the server draft into the form. Returns the draft's answers if the address names another registration or the
 * draft was changed elsewhere, the same object if nothing changed, and null if the registration is no longer a draft.
 */
export function mergeServerDraft(
  form: RegistrationForm,
  detail: RegistrationDetail,
  addressId: string | null,
): RegistrationForm | null {
  if (detail.status !== 'draft') return null
  const isSame = form.registrationId === detail.id
  if (addressId && !isSame) return formOf(detail)
  if (!isSame || form.version === detail.version) return form
  const { step, testSessionId } = form
  return { ...formOf(detail), step, ...(testSessionId && { testSessionId }) }
}
