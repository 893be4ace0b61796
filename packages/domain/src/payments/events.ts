import { z } from 'zod'
import { billKinds } from './bill-status.ts'

/** Told to whoever subscribes, in the same transaction as the money. */
export const billSettled = z.object({ billId: z.uuid(), registrationId: z.uuid(), kind: z.enum(billKinds) })
export const installmentSettled = billSettled.extend({ installmentId: z.uuid(), position: z.number().int() })
