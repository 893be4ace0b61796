import type { StoredTerm } from '#domain/fees/endpoints.ts'
import { shareOf } from '#domain/fees/instalment-plan.ts'

export type Term = Pick<StoredTerm, 'shareBps' | 'amount' | 'dueDate' | 'dueDays'> & { id?: string; key: string }

export const termsOf = (stored: readonly StoredTerm[]): Term[] => stored.map((term) => ({ ...term, key: term.id }))

/** A term as it is saved, without data only the editor needs. */
export const contentOf = ({ id, shareBps, amount, dueDate, dueDays }: Omit<Term, 'key'>) => ({
  ...(id && { id }),
  shareBps,
  amount,
  dueDate,
  dueDays,
})

export const isEdited = (terms: readonly Term[], stored: readonly StoredTerm[]) =>
  JSON.stringify(terms.map(contentOf)) !== JSON.stringify(stored.map(contentOf))

export const withMovedTerm = (terms: readonly Term[], index: number, steps: number) =>
  terms.toSpliced(index, 1).toSpliced(index + steps, 0, terms[index]!)

/** Appends a term that takes the remaining share and is due a month after the last. */
export function withAnotherTerm(terms: readonly Term[]): Term[] {
  const last = terms.at(-1)
  const remainingBps = 10_000 - shareOf(terms)
  return [
    ...terms,
    {
      key: crypto.randomUUID(),
      shareBps: remainingBps > 0 ? remainingBps : null,
      amount: null,
      dueDate: null,
      dueDays: last ? (last.dueDays ?? 0) + 30 : 7,
    },
  ]
}

/** Divides the shares equally; the first term takes the remainder. */
export function withEqualShares(terms: readonly Term[]): Term[] {
  const shared = terms.filter(({ amount }) => amount === null).length
  const equalBps = Math.floor(10_000 / shared / 100) * 100 || Math.floor(10_000 / shared)
  let firstBps = 10_000 - equalBps * (shared - 1)
  return terms.map((term) => {
    if (term.amount !== null) return term
    const shareBps = firstBps || equalBps
    firstBps = 0
    return { ...term, shareBps }
  })
}
