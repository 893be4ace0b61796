import { heldReasons } from '#domain/payments/approvals/held-money.ts'

export const paymentStatuses = ['received', 'allocated', 'waiting', 'reversed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Why (part of) a payment waits without a bill; the finance office decides. */
export const waitingReasons = ['unknown_number', 'bill_settled', 'bill_closed', 'overpaid', ...heldReasons] as const
export type WaitingReason = (typeof waitingReasons)[number]

type Step = { from: readonly PaymentStatus[]; to: PaymentStatus }

export const paymentTransitions = {
  allocate: { from: ['received', 'waiting'], to: 'allocated' },
  /** Also after allocation: a cancelled bill returns its money to the queue. */
  keepWaiting: { from: ['received', 'allocated'], to: 'waiting' },
  reverse: { from: ['allocated', 'waiting'], to: 'reversed' },
} as const satisfies Record<string, Step>
