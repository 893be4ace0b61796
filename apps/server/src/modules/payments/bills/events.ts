import { z } from 'zod'
import { billKinds } from '#domain/payments/bills/bill-status.ts'

/**
 * Published in the transaction of the money: `bill.settled` once nothing more is owed, `bill.progressed` if less is
 * left to pay or the payer got more time.
 */
export const billSettled = z.object({ billId: z.uuid(), registrationId: z.uuid(), kind: z.enum(billKinds) })

/** Published in the transaction that reverses a payment or gives it to another bill. */
export const paymentMoved = 'payment.moved'
export const movedPayment = z.object({ paymentId: z.uuid() })
