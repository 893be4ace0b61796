import { highestAmount } from '#domain/payments/providers/provider-kinds.ts'

/** Whether the books accept an amount; null is an amount that a number cannot hold exactly. */
export const isBookable = (amount: number | null): amount is number => amount !== null && amount <= highestAmount
