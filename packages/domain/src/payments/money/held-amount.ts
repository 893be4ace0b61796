import { highestAmount } from '#domain/payments/providers/provider-kinds.ts'

/** What two people do with an amount above the maximum of its connection. */
export const heldDecisions = ['book', 'dismiss'] as const
export type HeldDecision = (typeof heldDecisions)[number]

/** Whether the books take an amount at all; null where it is no whole number a program can hold. */
export const isBookable = (amount: number | null): amount is number => amount !== null && amount <= highestAmount
