import { universityCalendar } from '#domain/calendar.ts'
import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

/** A plan's term: a share in basis points or a fixed amount, due on a date or days after the bill. */
export type InstallmentTerm = {
  shareBps: number | null
  amount: number | null
  dueDate: string | null
  dueDays: number | null
}

export type SplitInstallment = { position: number; amount: number; dueAt: Date }
type Split = { issuedAt: Date; upfront?: number }

/**
 * Divides a total into the terms of a plan. Fixed amounts are subtracted first, the shares divide the rest, and the
 * last term takes the remainder, so the parts add up to the total. `upfront` may not be paid in instalments, so it is
 * added to the first part. Terms of zero are left out; an empty plan gives one part. Due dates never go backwards.
 */
export const splitInstallments = (total: number, terms: readonly InstallmentTerm[], split: Split): SplitInstallment[] =>
  splitByTerm(total, terms, split).map(({ term: _, ...part }) => part)

/** The instalments with the terms they come from, for readers without a bill, to whom days say more than dates. */
export function splitByTerm(
  total: number,
  terms: readonly InstallmentTerm[],
  { issuedAt, upfront = 0 }: Split,
): (SplitInstallment & { term: InstallmentTerm })[] {
  if (!Number.isSafeInteger(total) || total < 0) throw new RangeError('total must be whole rupiah, not negative')
  if (total === 0) return []
  const first = Math.min(Math.max(upfront, 0), total)
  const divisible = total - first
  const used: InstallmentTerm[] = terms.length
    ? [...terms]
    : [{ shareBps: wholeInBasisPoints, amount: null, dueDate: null, dueDays: 7 }]

  let left = divisible
  const fixed = used.map((term) => {
    const amount = term.amount === null ? 0 : Math.min(term.amount, left)
    left -= amount
    return amount
  })
  const shared = left
  const shares = used.reduce((sum, term) => sum + (term.shareBps ?? 0), 0)
  const amounts = used.map((term, index) => {
    if (term.amount !== null) return fixed[index]!
    // Several rounded-up parts must not exceed the rest together.
    const amount = shares === 0 ? 0 : Math.min(shareOf(shared, term.shareBps ?? 0, shares), left)
    left -= amount
    return amount
  })
  const allocated = amounts.reduce((sum, amount) => sum + amount, 0)
  amounts[amounts.length - 1]! += divisible - allocated
  amounts[0]! += first

  const { endOfDay, endOfDayAfter } = universityCalendar()
  let earliest = 0
  return used
    .map((term, index) => {
      const due = term.dueDate ? endOfDay(term.dueDate) : endOfDayAfter(issuedAt, term.dueDays ?? 0)
      earliest = Math.max(earliest, due.getTime())
      return { amount: amounts[index]!, dueAt: new Date(earliest), term }
    })
    .filter((part) => part.amount > 0)
    .map((part, index) => ({ position: index + 1, ...part }))
}
