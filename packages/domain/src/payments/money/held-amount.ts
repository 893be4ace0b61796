import { highestAmount } from '#domain/payments/providers/provider-kinds.ts'

/** Whether the books take an amount at all; null where it is no whole number a program can hold. */
export const isBookable = (amount: number | null): amount is number => amount !== null && amount <= highestAmount
