import type { PaymentStatus } from './payment-status.ts'

type Sums = { status: PaymentStatus; amount: number; waitingAmount: number; refundedAmount: number }

/** Whole rupiah of a payment that pay bills. */
export const allocatedOf = ({ status, amount, waitingAmount, refundedAmount }: Sums) =>
  status === 'reversed' ? 0 : amount - waitingAmount - refundedAmount
