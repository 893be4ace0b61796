import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

type Money = {
  /** Whole rupiah that wait. */
  waiting: number
  /** The part of the waiting money that had paid for a place before the place was given up. */
  returned: number
  /** Whole rupiah on bills. */
  allocated: number
  /** Whole rupiah refunded earlier under the policy. */
  given: number
  /** Rupiah of the bill that belong to refundable components (`part`), and the total of the bill (`whole`). */
  components: { part: number; whole: number }
  /** Share that the policy of the day refunds, in hundredths of a percent; 0 without a policy. */
  share: number
}

/**
 * Whole rupiah of a payment that may be refunded. Money that came by mistake (too much, twice, without a payer, for a
 * bill already closed or replaced) is refunded in full. Money that paid for a place since given up is refunded by the
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
