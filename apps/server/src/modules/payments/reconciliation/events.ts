import { z } from 'zod'

/** Published in the transaction that changes what a statement line is. */
export const lineChanged = 'statement-line.changed'

/** Published in the transaction that books a statement line, with the proof of transfer that it was booked for. */
export const lineBooked = 'statement-line.booked'
export const bookedLine = z.object({ proofId: z.uuid().optional(), paymentId: z.uuid(), decidedBy: z.uuid() })
