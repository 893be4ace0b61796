import type { Problems } from '#domain/endpoint.ts'
import type { InstallmentTerm } from '#domain/payments/bills/split-installments.ts'

export type { InstallmentTerm }

const wholeShare = 10_000

export const shareOf = (terms: readonly Pick<InstallmentTerm, 'shareBps'>[]) =>
  terms.reduce((sum, term) => sum + (term.shareBps ?? 0), 0)

/**
 * Whether a plan can divide any amount: its shares add up to 100 %, or it has only fixed amounts and the last term
 * takes the rest. Other plans are never offered.
 */
export const isWholePlan = (terms: readonly Pick<InstallmentTerm, 'shareBps' | 'amount'>[]) =>
  terms.length > 0 &&
  (shareOf(terms) === wholeShare || terms.every((term) => term.shareBps === null && term.amount !== null))

export type TermProblem = {
  /** Index of the term; null if the problem is about the whole plan. */
  index: number | null
  field: 'shareBps' | 'amount' | 'dueDate' | 'dueDays' | 'terms'
  code: 'give_exactly_one_part' | 'give_exactly_one_due' | 'due_dates_backwards' | 'shares_not_whole'
}

/** Problems by field. Runs only if every term passes its schema, because terms are compared with each other. */
export function planTermProblems(terms: readonly (Partial<InstallmentTerm> | undefined)[] = []): Problems {
  const keys = ['shareBps', 'amount', 'dueDate', 'dueDays'] as const
  if (!terms.every((term) => keys.every((key) => term?.[key] !== undefined))) return {}
  return Object.fromEntries(
    termProblems(terms as InstallmentTerm[]).map(({ index, field, code }) => [
      index === null ? field : `terms.${index}.${field}`,
      code,
    ]),
  )
}

/** All problems with a plan's terms. */
export function termProblems(terms: readonly InstallmentTerm[]): TermProblem[] {
  const problems: TermProblem[] = []
  let date = ''
  let days = -1
  terms.forEach((term, index) => {
    if ((term.shareBps === null) === (term.amount === null))
      problems.push({ index, field: 'shareBps', code: 'give_exactly_one_part' })
    if ((term.dueDate === null) === (term.dueDays === null))
      problems.push({ index, field: 'dueDays', code: 'give_exactly_one_due' })
    if (term.dueDate !== null) {
      if (term.dueDate < date) problems.push({ index, field: 'dueDate', code: 'due_dates_backwards' })
      date = term.dueDate
    }
    if (term.dueDays !== null) {
      if (term.dueDays < days) problems.push({ index, field: 'dueDays', code: 'due_dates_backwards' })
      days = term.dueDays
    }
  })
  if (terms.length > 0 && !isWholePlan(terms) && !problems.some(({ field }) => field === 'shareBps'))
    problems.push({ index: null, field: 'terms', code: 'shares_not_whole' })
  return problems
}
