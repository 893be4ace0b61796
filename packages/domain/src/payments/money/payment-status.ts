export const paymentStatuses = ['received', 'allocated', 'waiting', 'reversed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Why (a part of) a payment has no bill to go to; somebody in the finance office decides. */
export const waitingReasons = [
  'unknown_number',
  'bill_settled',
  'bill_closed',
  'overpaid',
  'reversed_by_bank',
  'fraud_review',
] as const
export type WaitingReason = (typeof waitingReasons)[number]

/** Reasons of money that its gateway denied or has not cleared: two people decide whether it is real. */
export const heldReasons = ['reversed_by_bank', 'fraud_review'] as const satisfies readonly WaitingReason[]
export type HeldReason = (typeof heldReasons)[number]

type Step = { from: readonly PaymentStatus[]; to: PaymentStatus }

export const paymentTransitions = {
  allocate: { from: ['received', 'waiting'], to: 'allocated' },
  /** Also after allocation: a bill that is cancelled gives its money back to the queue. */
  keepWaiting: { from: ['received', 'allocated'], to: 'waiting' },
  reverse: { from: ['allocated', 'waiting'], to: 'reversed' },
} as const satisfies Record<string, Step>
