import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

type Money = {
  /** Rupiah that wait without a bill. */
  waiting: number
  /** Part of the waiting money that had paid for a place since given up. */
  returned: number
  /** Rupiah allocated to bills. */
  allocated: number
  /** Rupiah refunded earlier under the policy. */
  given: number
  /** Rupiah of the bill in refundable components (`part`), and the bill's total (`whole`). */
  components: { part: number; whole: number }
  /** Share the policy refunds on this day, in hundredths of a percent; 0 without a policy. */
  share: number
}

/**
 * Rupiah of a payment that may be refunded. Money that came by mistake (too much, twice, without a payer, for a bill
 * already closed or replaced) is refunded in full. Money that paid for a place since given up is refunded by the
 * policy, less earlier refunds.
 */
export function refundable({ waiting, returned, allocated, given: refunded, components, share }: Money) {
  const byMistake = waiting - returned
  const paid = allocated + returned
  const { part, whole } = components
  const allowed = shareOf(paid + refunded, BigInt(part) * BigInt(share), BigInt(whole) * BigInt(wholeInBasisPoints))
  const byPolicy = Math.min(Math.max(allowed - refunded, 0), paid)
  return { waiting: byMistake, byPolicy, most: byMistake + byPolicy }
}
