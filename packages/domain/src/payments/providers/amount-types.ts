/** Amounts a number accepts: exactly the requested sum, any part of it, or any sum. */
export const amountTypes = ['closed', 'partial', 'open'] as const
export type AmountType = (typeof amountTypes)[number]
