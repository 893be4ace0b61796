import { compareSpecificity, rankRules } from './specificity.ts'

/** Parts a registration fee row may name besides its wave; null matches all. */
export type FeeScope = { trackId: string | null; entryLevelId: string | null; classProgrammeId: string | null }

/** Applicants the fee is looked up for. */
export type FeeQuestion = { trackId: string; entryLevelId: string; classProgrammeId: string }

/** Order of precedence: if two rows name equally many parts, the row with the earlier part wins. */
export const feeParts = ['trackId', 'entryLevelId', 'classProgrammeId'] as const
export type FeePart = (typeof feeParts)[number]

const namedParts = (row: FeeScope) => feeParts.filter((part) => row[part] !== null)

/** Whether a row applies to these applicants. */
export const feeApplies = (row: FeeScope, question: FeeQuestion) =>
  feeParts.every((part) => row[part] === null || row[part] === question[part])

/** Whether two rows name the same parts; the database refuses the second one. */
export const feesTie = (first: FeeScope, second: FeeScope) => feeParts.every((part) => first[part] === second[part])

/** Negative if `first` is more specific. Never 0 for two rows that apply to the same applicants. */
export const compareFees = (first: FeeScope, second: FeeScope) => compareSpecificity(first, second, feeParts)

/** The rows that apply, most specific first. */
export const rankFees = <R extends FeeScope>(rows: readonly R[], question: FeeQuestion): R[] =>
  rankRules(rows, question, feeParts)

export type FeeReason = { kind: 'names_more' } | { kind: 'names_first'; part: FeePart }

/** Why the winner outranks another applicable row. */
export function whyItWins(winner: FeeScope, loser: FeeScope): FeeReason {
  if (namedParts(winner).length > namedParts(loser).length) return { kind: 'names_more' }
  return { kind: 'names_first', part: feeParts.find((part) => winner[part] !== null && loser[part] === null)! }
}
