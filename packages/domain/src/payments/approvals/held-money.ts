/** Why a gateway denied or has not cleared money; two people then decide whether it is real. */
export const heldReasons = ['reversed_by_bank', 'fraud_review'] as const
export type HeldReason = (typeof heldReasons)[number]

/** What two people may decide about an amount above its connection's maximum. */
export const heldDecisions = ['book', 'dismiss'] as const
export type HeldDecision = (typeof heldDecisions)[number]
