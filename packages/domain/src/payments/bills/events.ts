import { z } from 'zod'
import { billKinds } from './bill-status.ts'

/**
 * Published in the same transaction as the money: `bill.settled` once nothing more is owed, `bill.progressed` where
 * less is left to pay or the payer was given more time.
 */
export const billSettled = z.object({ billId: z.uuid(), registrationId: z.uuid(), kind: z.enum(billKinds) })
