/** Reasons of money that its gateway denied or has not cleared: two people decide whether it is real. */
export const heldReasons = ['reversed_by_bank', 'fraud_review'] as const
export type HeldReason = (typeof heldReasons)[number]

/** Decisions of two people about an amount above the maximum of its connection. */
export const heldDecisions = ['book', 'dismiss'] as const
export type HeldDecision = (typeof heldDecisions)[number]
