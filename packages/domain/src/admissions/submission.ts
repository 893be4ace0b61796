import type { ErrorCode } from '#domain/errors.ts'
import type { RegistrationFacts } from './facts.ts'
import type { WindowState } from './intake-schemas.ts'

export type Missing = { field: string; code: ErrorCode; params?: Record<string, string | number> }

export const windowState = (window: { opensAt: Date; closesAt: Date }, now: Date): WindowState =>
  now < window.opensAt ? 'upcoming' : now < window.closesAt ? 'open' : 'closed'

/** Problem with the donation, if any. If donating is optional, no amount is fine. */
export function donationProblem({ asksDonation, donationAmount, donation }: RegistrationFacts): Missing | null {
  if (!asksDonation || !donation) return null
  const { required, minimumAmount } = donation
  if (donationAmount === null)
    return required ? { field: 'donationAmount', code: 'donation_required', params: { minimum: minimumAmount } } : null
  if (donationAmount < minimumAmount && (required || donationAmount > 0))
    return { field: 'donationAmount', code: 'donation_too_low', params: { minimum: minimumAmount } }
  return null
}

/** Problems with the choices, each under its position. */
export function choiceProblems({ choices, maxChoices }: RegistrationFacts): Missing[] {
  if (choices.length === 0) return [{ field: 'choices', code: 'choices_required' }]
  const problems: Missing[] = []
  if (choices.length > maxChoices)
    problems.push({ field: 'choices', code: 'choices_too_many', params: { maximum: maxChoices } })
  if (new Set(choices.map((choice) => choice.programmeId)).size < choices.length)
    problems.push({ field: 'choices', code: 'choices_not_distinct' })
  for (const [index, choice] of choices.entries()) {
    const field = `choices.${index}`
    if (!choice.offered) problems.push({ field, code: 'choice_not_offered' })
    else if (choice.placesLeft <= 0) problems.push({ field, code: 'choice_full' })
  }
  return problems
}

/** Everything that blocks the submission of a draft. */
export function missingForSubmission(facts: RegistrationFacts, now: Date): Missing[] {
  const state = windowState(facts.window, now)
  const donation = donationProblem(facts)
  return [
    ...facts.missingProfileFields.map((field): Missing => ({ field: `profile.${field}`, code: 'field_required' })),
    ...choiceProblems(facts),
    ...(donation ? [donation] : []),
    ...(state === 'upcoming' ? [{ field: 'window', code: 'window_not_open' } as Missing] : []),
    ...(state === 'closed' ? [{ field: 'window', code: 'window_closed' } as Missing] : []),
    ...(facts.quotaLeft !== null && facts.quotaLeft <= 0 ? [{ field: 'trackId', code: 'quota_full' } as Missing] : []),
  ]
}
