import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'

const gap = z.object({
  kind: z.string(),
  /** Scope of the counter; * for counters that start before the restore ends. */
  scope: z.string(),
  first: z.int(),
  last: z.int(),
  /** Too few digits are left, so numbers issued since the backup may be issued again. */
  short: z.boolean(),
})

const lostPayment = z.object({
  id: z.uuid(),
  provider: z.string(),
  reference: z.string(),
  amount: z.int().nullable(),
  /** Null if the bank reports a sum but no payment. */
  paymentId: z.uuid().nullable(),
})

const restored = z.object({
  id: z.uuid(),
  backupAt: time,
  restoredAt: time,
  /** Time of the last bank's answer about its last number. */
  askedAt: time.nullable(),
  questions: z.object({
    total: z.int(),
    waiting: z.int(),
    /** Numbers the bank refused to answer about. */
    refused: z.int(),
    /** Numbers of banks that cannot be asked. */
    notAskable: z.int(),
  }),
  paymentsFound: z.int(),
  /** Banks that do not answer such questions; their statements must be imported. */
  silentBanks: z.array(z.string()),
  gaps: z.array(gap),
  /** Money on numbers unknown to the books. */
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
    note: typedText().min(3).max(500),
    /** Ends the restore although some banks have not answered. */
    acceptUnanswered: z.boolean().optional(),
  }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
