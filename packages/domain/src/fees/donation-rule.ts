import { rankRules } from './specificity.ts'

type Scope = { programmeId: string | null; trackId: string | null }

/** Donation rule for a programme and track; a rule that names the programme outranks one that names the track. */
export const donationRuleFor = <R extends Scope>(rules: readonly R[], question: Scope): R | undefined =>
  rankRules(rules, question, ['programmeId', 'trackId'] as const)[0]
