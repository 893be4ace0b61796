import { highestAmount } from '#domain/payments/providers/provider-kinds.ts'

/** Whether the books accept an amount; null means the amount cannot be held exactly as a number. */
export const isBookable = (amount: number | null): amount is number => amount !== null && amount <= highestAmount
