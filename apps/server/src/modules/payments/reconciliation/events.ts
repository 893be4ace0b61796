import { z } from 'zod'

/** Published in the transaction that changes what a statement line is. */
export const lineChanged = 'statement-line.changed'

/** Published in the transaction that books a statement line which answers a proof of transfer. */
export const lineBooked = 'statement-line.booked'
export const bookedLine = z.object({ proofId: z.uuid(), paymentId: z.uuid(), decidedBy: z.uuid() })
