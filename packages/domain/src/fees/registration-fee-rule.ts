import { compareSpecificity, rankRules } from './specificity.ts'

/** What a row of the registration fees names besides its wave; empty stands for every one. */
export type FeeScope = { trackId: string | null; entryLevelId: string | null; classProgrammeId: string | null }

/** Whom the fee is asked for. */
export type FeeQuestion = { trackId: string; entryLevelId: string; classProgrammeId: string }

/** In the order in which they count: among rows that name equally many, the one with the earlier part wins. */
export const feeParts = ['trackId', 'entryLevelId', 'classProgrammeId'] as const
export type FeePart = (typeof feeParts)[number]

const named = (row: FeeScope) => feeParts.filter((part) => row[part] !== null)

/** Whether a row speaks of these applicants at all. */
export const feeApplies = (row: FeeScope, question: FeeQuestion) =>
  feeParts.every((part) => row[part] === null || row[part] === question[part])

/** Two rows that speak of exactly the same applicants; the database refuses the second. */
export const feesTie = (one: FeeScope, other: FeeScope) => feeParts.every((part) => one[part] === other[part])

/** Negative when `one` is more specific. Never zero for two rows that apply to the same applicants. */
export const compareFees = (one: FeeScope, other: FeeScope) => compareSpecificity(one, other, feeParts)

/** The rows that apply, the winner first. */
export const rankFees = <R extends FeeScope>(rows: readonly R[], question: FeeQuestion): R[] =>
  rankRules(rows, question, feeParts)

export type FeeReason = { kind: 'names_more' } | { kind: 'names_first'; part: FeePart }

/** Why the winner beats another row that applies as well. */
export function whyItWins(winner: FeeScope, other: FeeScope): FeeReason {
  if (named(winner).length > named(other).length) return { kind: 'names_more' }
  return { kind: 'names_first', part: feeParts.find((part) => winner[part] !== null && other[part] === null)! }
}
