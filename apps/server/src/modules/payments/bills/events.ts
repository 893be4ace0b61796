import { z } from 'zod'
import { billKinds } from '#domain/payments/bills/bill-status.ts'

/**
 * Published in the transaction of the money: `bill.settled` once nothing more is owed, `bill.progressed` if less is
 * left to pay or the payer got more time.
 */
export const billSettled = z.object({ billId: z.uuid(), registrationId: z.uuid(), kind: z.enum(billKinds) })
