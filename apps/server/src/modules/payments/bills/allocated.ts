import type { PaymentStatus } from '#domain/payments/bills/payment-status.ts'

type Sums = { status: PaymentStatus; amount: number; waitingAmount: number; refundedAmount: number }

/** Rupiah of a payment that are allocated to bills. */
export const allocatedOf = ({ status, amount, waitingAmount, refundedAmount }: Sums) =>
  status === 'reversed' ? 0 : amount - waitingAmount - refundedAmount
