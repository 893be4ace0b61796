import type { CounterKind } from '#domain/payments/banks/after-restore/skipped-numbers.ts'

/** Fewest numbers skipped per day: the backup may be older than the rush. */
const leastPerDay: Record<CounterKind, number> = {
  registration: 1_000,
  bill: 1_000,
  receipt: 1_000,
  refund: 100,
  student: 100,
  'virtual-account': 1_000,
  school: 50,
  letter: 1_000,
  'paper-receipt': 200,
  payout: 10,
}

type Use = {
  kind: CounterKind
  /** Most numbers of this kind issued on one day, as far as the backup shows. */
  busiestDay: number
  /** Fractional days from backup to restore. */
  daysSince: number
  /** Numbers left before digits or range run out; Infinity if unlimited. */
  left: number
}

/**
 * Count of numbers to skip after a restore, because they may have been issued since the backup: twice the busiest day,
 * for the day of the failure and each day since the backup. `skipped` is less if too few are left. Document counters
 * keep half of the rest, so that numbers keep their digits. Transfer numbers skip all of it: money on a number issued
 * twice reaches the wrong bill, while a used-up range only means asking the bank for another.
 */
export function numbersToSkip({ kind, busiestDay, daysSince, left }: Use): { requested: number; skipped: number } {
  const range = Number.isFinite(left) ? Math.ceil(left / 20) : Number.POSITIVE_INFINITY
  const least = kind === 'virtual-account' ? Math.min(leastPerDay[kind], range) : leastPerDay[kind]
  const requested = Math.ceil(Math.max(2 * busiestDay, least) * (1 + Math.max(daysSince, 0)))
  const most = kind === 'virtual-account' ? left : Math.floor(left / 2)
  return { requested, skipped: Math.max(Math.min(requested, most), 0) }
}
