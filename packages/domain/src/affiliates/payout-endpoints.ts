import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { payoutLineStates, payoutStates } from './affiliates.ts'

const byId = z.object({ id: z.uuid() })
const rupiah = z.int()

const line = z.object({
  id: z.uuid(),
  affiliateId: z.uuid(),
  name: z.string(),
  code: z.string(),
  status: z.enum(payoutLineStates),
  amount: rupiah,
  tax: rupiah,
  bank: z.string(),
  /** Last digits of the account. */
  account: z.string(),
  holder: z.string(),
})

const payout = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(payoutStates),
  taxBps: z.int(),
  note: z.string().nullable(),
  createdAt: time,
  createdBy: z.string(),
  /** Whether the reader created it, so another person must approve it. */
  own: z.boolean(),
  approvedAt: time.nullable(),
  approvedBy: z.string().nullable(),
  paidAt: time.nullable(),
  paidBy: z.string().nullable(),
  paidReference: z.string().nullable(),
  cancelledAt: time.nullable(),
  cancelledBy: z.string().nullable(),
  amount: rupiah,
  tax: rupiah,
  lines: z.array(line),
})
export type Payout = z.output<typeof payout>
const answer = z.object({ data: payout })

export const previewPayout = endpoint({
  method: 'GET',
  path: '/komisi/payouts/preview',
  access: 'komisi-view',
  summary: 'Whom the next payout would pay, and who waits for an account number or an earlier payout',
  response: z.object({
    data: z.object({
      people: z.int(),
      amount: rupiah,
      /** Names of affiliates with a balance but without bank details. */
      withoutAccount: z.array(z.string()),
      /** Affiliates in a payout awaiting approval, with what they have earned since. */
      waiting: z.array(z.object({ name: z.string(), amount: rupiah, payoutId: z.uuid(), number: z.string() })),
    }),
  }),
})

export const createPayout = endpoint({
  method: 'POST',
  path: '/komisi/payouts',
  access: 'komisi-update',
  summary: 'Freeze what can be paid out now',
  body: z.strictObject({ note: typedText().max(500) }),
  response: answer,
})

export const readPayout = endpoint({
  method: 'GET',
  path: '/komisi/payouts/:id',
  access: 'komisi-view',
  summary: 'A payout with its lines',
  params: byId,
  response: answer,
})

export const approvePayout = endpoint({
  method: 'POST',
  path: '/komisi/payouts/:id/approve',
  access: 'komisi-approve',
  summary: 'Approve a payout that somebody else made; its money leaves the balances',
  params: byId,
  response: answer,
})

export const cancelPayout = endpoint({
  method: 'POST',
  path: '/komisi/payouts/:id/cancel',
  access: 'komisi-update',
  summary: 'Cancel a payout that was not approved',
  params: byId,
  response: answer,
})

export const markPayoutPaid = endpoint({
  method: 'POST',
  path: '/komisi/payouts/:id/paid',
  access: 'komisi-update',
  summary: 'Record that the bank has transferred an approved payout',
  params: byId,
  body: z.strictObject({ reference: typedLine().min(3).max(80) }),
  response: answer,
})

export const returnPayoutLine = endpoint({
  method: 'POST',
  path: '/komisi/payouts/:id/lines/:lineId/return',
  access: 'komisi-approve',
  summary: 'Record that the bank sent a transfer back; its money is in the balance again',
  params: z.object({ id: z.uuid(), lineId: z.uuid() }),
  body: z.strictObject({ reason: typedText().min(3).max(500) }),
  response: answer,
})

export const downloadPayout = endpoint({
  method: 'GET',
  path: '/komisi/payouts/:id/bank-file',
  access: 'komisi-update',
  summary: 'An approved payout as a file for the bank',
  params: byId,
  response: z.any(),
})
