import { type BillStatus, isOwed, isSettled } from './bill-status.ts'

/** What became of a promise to pay: it still runs, was kept, or its day passed with money open. */
export const promiseStates = ['open', 'kept', 'broken'] as const
export type PromiseState = (typeof promiseStates)[number]

type Promised = { status: BillStatus; promisedUntil: Date | null; paidAt: Date | null }

/** Judged by the day: money that comes later leaves it broken. Null without a promise, or when the bill was cancelled. */
export function promiseState({ status, promisedUntil, paidAt }: Promised, now: Date): PromiseState | null {
  if (!promisedUntil) return null
  if (isSettled(status)) return paidAt && paidAt > promisedUntil ? 'broken' : 'kept'
  if (!isOwed(status)) return null
  return promisedUntil < now ? 'broken' : 'open'
}

export const isPromiseOpen = (bill: Omit<Promised, 'paidAt'>, now: Date) =>
  promiseState({ ...bill, paidAt: null }, now) === 'open'
