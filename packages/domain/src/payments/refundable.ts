import { shareOf, wholeInBasisPoints } from '../rounding.ts'
import type { WaitingReason } from './payment-status.ts'

type Money = {
  /** Whole rupiah that wait, and why. */
  waiting: number
  waitingReason: WaitingReason | null
  /** Whole rupiah on bills. */
  allocated: number
  /** Whole rupiah given back by the policy before. */
  given: number
  /** What part of the bill, in rupiah of the whole of it, belongs to components that are given back at all. */
  components: { part: number; whole: number }
  /** What the policy of the day gives back, in hundredths of a percent; 0 without one. */
  share: number
}

/**
 * How much of a payment may be given back, in whole rupiah. Money that came by mistake (too much, twice, to nobody) goes
 * back whole. Money paid for a place that was given up goes back by the policy, counting what was given back before.
 */
export function refundable({ waiting, waitingReason, allocated, given, components, share }: Money) {
  const byMistake = waitingReason === 'bill_closed' ? 0 : waiting
  const paid = allocated + (waiting - byMistake)
  const { part, whole } = components
  const allowed = shareOf(paid + given, BigInt(part) * BigInt(share), BigInt(whole) * BigInt(wholeInBasisPoints))
  const byPolicy = Math.min(Math.max(allowed - given, 0), paid)
  return { waiting: byMistake, byPolicy, most: byMistake + byPolicy }
}
