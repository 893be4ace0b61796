import { rankRules } from './specificity.ts'

type Scope = { programmeId: string | null; trackId: string | null }

/** The rule about donations for a programme and track: the one that names the programme, then the one that names the track. */
export const donationRuleFor = <R extends Scope>(rules: readonly R[], asked: Scope): R | undefined =>
  rankRules(rules, asked, ['programmeId', 'trackId'] as const)[0]
