/** Kinds of counters that a restore moves on; `school` gives provisional school numbers. */
export const counterKinds = [
  'registration',
  'bill',
  'receipt',
  'refund',
  'student',
  'virtual-account',
  'school',
] as const
export type CounterKind = (typeof counterKinds)[number]

/** Scope of a gap that holds for every counter of its kind that begins while the restore is not ended. */
export const anyScope = '*'

/** Left out at least, per day: the backup may be of the night before the rush. */
const leastPerDay: Record<CounterKind, number> = {
  registration: 1_000,
  bill: 1_000,
  receipt: 1_000,
  refund: 100,
  student: 100,
  'virtual-account': 1_000,
  school: 50,
}

type Use = {
  kind: CounterKind
  /** Most numbers of the kind given on one day, as far as the backup knows. */
  busiestDay: number
  /** Days, also parts of one, from the backup to the restore. */
  daysSince: number
  /** Numbers still to give before digits or range run out; Infinity where nothing runs out. */
  left: number
}

/**
 * How many numbers are left out after a restore, because they may have been given since the backup: twice the busiest day
 * for the day of the failure and for every day since the backup. `skipped` is less where too few are left. A document goes
 * on with half of what is left, so that numbers keep their digits; of transfer numbers all are left out, because money on
 * a number given twice reaches the wrong bill, while a range that is used up only asks the bank for another.
 */
export function numbersToSkip({ kind, busiestDay, daysSince, left }: Use): { requested: number; skipped: number } {
  const range = Number.isFinite(left) ? Math.ceil(left / 20) : Number.POSITIVE_INFINITY
  const least = kind === 'virtual-account' ? Math.min(leastPerDay[kind], range) : leastPerDay[kind]
  const requested = Math.ceil(Math.max(2 * busiestDay, least) * (1 + Math.max(daysSince, 0)))
  const most = kind === 'virtual-account' ? left : Math.floor(left / 2)
  return { requested, skipped: Math.max(Math.min(requested, most), 0) }
}
