/** How much a number takes: exactly what is asked, any part of it, or whatever the payer likes. */
export const amountTypes = ['closed', 'partial', 'open'] as const
export type AmountType = (typeof amountTypes)[number]
