import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

type Money = {
  /** Whole rupiah that wait. */
  waiting: number
  /** The part of what waits that had paid for a place before the place was given up. */
  returned: number
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
 * How much of a payment may be given back, in whole rupiah. Money that came by mistake (too much, twice, to nobody, for a
 * bill that was closed or replaced by then) goes back whole. Money that paid for a place since given up goes back by the
 * policy, counting what was given back before.
 */
export function refundable({ waiting, returned, allocated, given: refunded, components, share }: Money) {
  const byMistake = waiting - returned
  const paid = allocated + returned
  const { part, whole } = components
  const allowed = shareOf(paid + refunded, BigInt(part) * BigInt(share), BigInt(whole) * BigInt(wholeInBasisPoints))
  const byPolicy = Math.min(Math.max(allowed - refunded, 0), paid)
  return { waiting: byMistake, byPolicy, most: byMistake + byPolicy }
}
