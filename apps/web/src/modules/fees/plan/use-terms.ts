import { useState } from 'react'
import type { StoredTerm } from '#domain/fees/endpoints.ts'
import { shareOf } from '#domain/fees/instalment-plan.ts'

export type Term = Pick<StoredTerm, 'shareBps' | 'amount' | 'dueDate' | 'dueDays'> & { id?: string; key: string }

const termsOf = (stored: readonly StoredTerm[]): Term[] => stored.map((term) => ({ ...term, key: term.id }))

/** A term as it is saved, without data only the editor needs. */
const contentOf = ({ id, shareBps, amount, dueDate, dueDays }: Omit<Term, 'key'>) => ({
  ...(id && { id }),
  shareBps,
  amount,
  dueDate,
  dueDays,
})

/** Terms of a plan while they are edited. */
export function useTerms(stored: readonly StoredTerm[]) {
  const [terms, setTerms] = useState(() => termsOf(stored))
  const contents = terms.map(contentOf)
  return {
    terms,
    contents,
    dirty: JSON.stringify(contents) !== JSON.stringify(stored.map(contentOf)),
    change: (index: number, next: Partial<Term>) =>
      setTerms((before) => before.map((term, termIndex) => (termIndex === index ? { ...term, ...next } : term))),
    move: (index: number, steps: number) =>
      setTerms((before) => {
        const after = [...before]
        const [term] = after.splice(index, 1)
        after.splice(index + steps, 0, term!)
        return after
      }),
    remove: (index: number) => setTerms((before) => before.filter((_, termIndex) => termIndex !== index)),
    add: () => setTerms(withAnotherTerm),
    spreadEqually: () => setTerms(withEqualShares),
    discard: () => setTerms(termsOf(stored)),
  }
}

/** Appends a term that takes the remaining share and is due a month after the last. */
function withAnotherTerm(terms: Term[]): Term[] {
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
function withEqualShares(terms: Term[]): Term[] {
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
