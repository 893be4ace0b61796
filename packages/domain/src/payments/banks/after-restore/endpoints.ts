import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'

const gap = z.object({
  kind: z.string(),
  /** Scope of the counter; * for counters that begin before the restore is ended. */
  scope: z.string(),
  first: z.int(),
  last: z.int(),
  /** Too few digits are left: numbers given since the backup may be given again. */
  short: z.boolean(),
})

const lostPayment = z.object({
  id: z.uuid(),
  provider: z.string(),
  reference: z.string(),
  amount: z.int().nullable(),
  /** Nothing where the bank tells a sum and no payment. */
  paymentId: z.uuid().nullable(),
})

const restored = z.object({
  id: z.uuid(),
  backupAt: z.string(),
  restoredAt: z.string(),
  /** When the last bank had answered about the last number. */
  askedAt: z.string().nullable(),
  questions: z.object({
    total: z.int(),
    waiting: z.int(),
    /** The bank said that it does not tell. */
    refused: z.int(),
    /** Numbers of banks that cannot be asked. */
    notAskable: z.int(),
  }),
  paymentsFound: z.int(),
  /** Banks whose statement has to be loaded, because they do not tell. */
  silentBanks: z.array(z.string()),
  gaps: z.array(gap),
  /** Money on numbers that our books do not know. */
  lost: z.array(lostPayment),
  mayEnd: z.boolean(),
})
export type Restored = z.output<typeof restored>

export const readRestored = endpoint({
  method: 'GET',
  path: '/restored',
  access: 'signed-in',
  summary:
    'Until when the books are restored from a backup, and what banks said since; null where no restore is open or the reader does not handle money',
  response: z.object({ data: restored.nullable() }),
})

export const endRestored = endpoint({
  method: 'POST',
  path: '/restored/end',
  access: 'ops-invariants',
  summary:
    'Say that everything a restore lost is entered again; 409 while banks have not answered, unless that is accepted',
  body: z.strictObject({
    note: z.string().trim().min(3).max(500),
    /** Banks that have not answered are not waited for. */
    acceptUnanswered: z.boolean().optional(),
  }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
