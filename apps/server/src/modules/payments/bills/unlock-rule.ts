import { type BillStatus, isSettled } from '#domain/payments/bills/bill-status.ts'
import { isPromiseOpen } from '#domain/payments/bills/promise.ts'
import { percentOf } from '#domain/rounding.ts'

type Money = { status: BillStatus; total: number; paid: number }

/** Rupiah missing until a percentage of a bill is paid; 0 for a settled bill. */
export const missingForShare = ({ status, total, paid }: Money, share: number) =>
  isSettled(status) ? 0 : Math.max(percentOf(total, share) - paid, 0)

/** Settings: what must be paid before a student number is issued. */
export type NumberRule = {
  enrolmentUnlock: 'none' | 'first-instalment' | 'share'
  enrolmentUnlockShare: number
  promiseUnlocks: boolean
}

/** Rule and share that unlocked a student number, stored with it. */
export type NumberUnlock = { unlockRule: NumberRule['enrolmentUnlock'] | 'promise'; unlockShare: number | null }

/**
 * Rupiah missing on a re-registration bill before the student number may be issued, and the rule that allows it.
 * Without instalments the whole bill is the first instalment.
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
