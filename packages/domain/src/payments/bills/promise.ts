import { type BillStatus, isOwed, isSettled } from './bill-status.ts'

/** State of a promise to pay: not due yet, kept, or past its day with money unpaid. */
export const promiseStates = ['open', 'kept', 'broken'] as const
export type PromiseState = (typeof promiseStates)[number]

type Promised = { status: BillStatus; promisedUntil: Date | null; paidAt: Date | null }

/**
 * Money that arrives after the promised day leaves the promise broken. Null without a promise, or if the bill was
 * cancelled.
 */
export function promiseState({ status, promisedUntil, paidAt }: Promised, now: Date): PromiseState | null {
  if (!promisedUntil) return null
  if (isSettled(status)) return paidAt && paidAt > promisedUntil ? 'broken' : 'kept'
  if (!isOwed(status)) return null
  return promisedUntil < now ? 'broken' : 'open'
}

export const isPromiseOpen = (bill: Omit<Promised, 'paidAt'>, now: Date) =>
  promiseState({ ...bill, paidAt: null }, now) === 'open'
