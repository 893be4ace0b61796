import { percentOf } from '#domain/rounding.ts'
import { type BillStatus, isSettled } from './bill-status.ts'
import { isPromiseOpen } from './promise.ts'

type Money = { status: BillStatus; total: number; paid: number }

/** Whole rupiah still to come until a share in percent of a bill is paid; of a settled bill nothing is missing. */
export const missingForShare = ({ status, total, paid }: Money, share: number) =>
  isSettled(status) ? 0 : Math.max(percentOf(total, share) - paid, 0)

/** The settings of what a student number waits for. */
export type NumberRule = {
  enrolmentUnlock: 'none' | 'first-instalment' | 'share'
  enrolmentUnlockShare: number
  promiseUnlocks: boolean
}

/** What a student number was given for, as it is kept beside the number. */
export type NumberUnlock = { unlockRule: NumberRule['enrolmentUnlock'] | 'promise'; unlockShare: number | null }

/**
 * What is still missing of a re-registration bill until the student number may be issued, and what it is issued for.
 * Without instalments the first one is the whole bill.
 */
export function unlockOfNumber(
  rule: NumberRule,
  bill: Money & { promisedUntil: Date | null },
  first: { amount: number; paid: number } | null,
  now: Date,
): { missing: number; unlock: NumberUnlock } {
  const { enrolmentUnlock: unlockRule, enrolmentUnlockShare: share, promiseUnlocks } = rule
  const missing = {
    none: () => 0,
    'first-instalment': () =>
      first && !isSettled(bill.status) ? Math.max(first.amount - first.paid, 0) : missingForShare(bill, 100),
    share: () => missingForShare(bill, share),
  }[unlockRule]()
  if (missing > 0 && promiseUnlocks && isPromiseOpen(bill, now))
    return { missing: 0, unlock: { unlockRule: 'promise', unlockShare: null } }
  return { missing, unlock: { unlockRule, unlockShare: unlockRule === 'share' ? share : null } }
}
