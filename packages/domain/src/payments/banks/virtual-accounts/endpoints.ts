import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { endpoint } from '#domain/endpoint.ts'
import { billKinds, billStatuses } from '#domain/payments/bills/bill-status.ts'
import { paymentView } from '#domain/payments/bills/endpoints.ts'
import { virtualAccountStatuses } from '#domain/payments/bills/virtual-account-status.ts'
import { paymentAlert } from '#domain/payments/money/endpoints.ts'
import { amountTypes } from '#domain/payments/providers/amount-types.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'

const path = '/transaksi-va'

const rupiah = z.number().int()

const ofNumber = { params: z.object({ id: z.uuid() }) }

export const virtualAccountRow = z.object({
  id: z.uuid(),
  /** Null until the gateway that makes the number has answered. */
  number: z.string().nullable(),
  provider: z.string(),
  bank: z.string(),
  bankName: z.string(),
  status: z.enum(virtualAccountStatuses),
  /** The bank has not answered yet; a job retries. */
  delayed: z.boolean(),
  amountType: z.enum(amountTypes),
  amount: rupiah,
  /** All money that arrived on the number, including money moved elsewhere since. */
  received: rupiah,
  expiresAt: time,
  createdAt: time,
  billId: z.uuid(),
  billNumber: z.string(),
  billKind: z.enum(billKinds),
  /** Position of its instalment; null for the whole bill. */
  position: z.int().nullable(),
  registrationId: z.uuid(),
  registrationCode: z.string(),
  applicantName: z.string(),
  /** The bank sent a message that staff must check. */
  alert: z.boolean(),
})
export type VirtualAccountRow = z.output<typeof virtualAccountRow>

export const bankUse = z.object({
  code: z.string(),
  name: z.string(),
  provider: z.string(),
  /** Whether the bank issues new numbers. */
  offered: z.boolean(),
  amountType: z.enum(amountTypes),
  amountTypes: z.array(z.enum(amountTypes)),
  /** Numbers left; null if the gateway makes them. */
  remaining: z.int().nullable(),
  low: z.boolean(),
})
export type BankUse = z.output<typeof bankUse>

export const listBanks = endpoint({
  method: 'GET',
  path: `${path}/banks`,
  access: 'transaksi-va-view',
  summary: 'Banks at which numbers are or were given, and how many are left',
  response: z.object({ data: z.array(bankUse) }),
})

const payableBill = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(billKinds),
  registrationCode: z.string(),
  applicantName: z.string(),
  remaining: rupiah,
  installments: z.array(z.object({ id: z.uuid(), position: z.int(), remaining: rupiah, dueAt: time })),
})
export type PayableBill = z.output<typeof payableBill>

export const findPayableBills = endpoint({
  method: 'GET',
  path: `${path}/bills`,
  access: 'transaksi-va-create',
  summary: 'Bills with something left to pay, by number, registration or applicant',
  query: z.strictObject({ q: typedLine().min(2).max(100) }),
  response: z.object({ data: z.array(payableBill) }),
})

const message = z.object({
  id: z.uuid(),
  at: time,
  /** A report from the bank, or our call to the bank. */
  from: z.enum(['bank', 'us']),
  /** Outcome of the report, or purpose of the call. */
  what: z.string(),
  reference: z.string().nullable(),
  method: z.string().nullable(),
  url: z.string().nullable(),
  status: z.int().nullable(),
  tookMs: z.int().nullable(),
  error: z.string().nullable(),
  /** The message as received or sent, without secrets. */
  sent: z.string().nullable(),
  answered: z.string().nullable(),
})
export type BankMessage = z.output<typeof message>

const happening = z.object({
  at: time,
  action: z.string(),
  by: z.string(),
  reason: z.string().nullable(),
})

const virtualAccountDetail = /* @__PURE__ */ virtualAccountRow.extend({
  billStatus: z.enum(billStatuses),
  /** Rupiah left to pay on it. */
  remaining: rupiah,
  activatedAt: time.nullable(),
  closedAt: time.nullable(),
  closedReason: z.string().nullable(),
  problem: z.string().nullable(),
  problemDetail: z.string().nullable(),
  attempts: z.int(),
  /** Message the bank has not received yet. */
  tell: z.enum(['expire', 'cancel', 'update']).nullable(),
  askedAt: time.nullable(),
  askAt: time.nullable(),
  payments: z.array(paymentView.omit({ bankName: true })),
  alerts: z.array(paymentAlert),
  messages: z.array(message),
  history: z.array(happening),
  /** All numbers of the bill. Newest first. */
  others: z.array(
    z.object({
      id: z.uuid(),
      number: z.string().nullable(),
      bankName: z.string(),
      status: z.enum(virtualAccountStatuses),
      amount: rupiah,
      createdAt: time,
    }),
  ),
})
export type VirtualAccountDetail = z.output<typeof virtualAccountDetail>

const detailAnswer = z.object({ data: virtualAccountDetail })

export const readVirtualAccount = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  access: 'transaksi-va-view',
  summary: 'A virtual account with everything that happened on it and every message of the bank',
  ...ofNumber,
  response: detailAnswer,
})

const reason = typedText().min(3).max(300)

export const createVirtualAccount = endpoint({
  method: 'POST',
  path,
  access: 'transaksi-va-create',
  summary: 'Give a number for a bill or an instalment; the one still open for it is given again',
  body: z.strictObject({
    billId: z.uuid(),
    installmentId: z.uuid().optional(),
    bank: z.string().min(1).max(20),
    amountType: z.enum(amountTypes).optional(),
    /** Last day of the number; by default it expires when the money is due. */
    expiresOn: typedDay.optional(),
  }),
  rules: ({ expiresOn }, now) => ({
    expiresOn: expiresOn && universityCalendar().endOfDay(expiresOn) <= now ? 'in_the_past' : null,
  }),
  response: detailAnswer,
})
export type NewVirtualAccount = z.output<typeof createVirtualAccount.body>

export const reissueVirtualAccount = endpoint({
  method: 'POST',
  path: `${path}/:id/reissue`,
  access: 'transaksi-va-update',
  summary: 'Give another number in place of one; the earlier one is closed and stays in the history',
  ...ofNumber,
  body: z.strictObject({ reason, bank: z.string().min(1).max(20).optional() }),
  response: detailAnswer,
})
export type VirtualAccountReissue = z.output<typeof reissueVirtualAccount.body>

export const cancelVirtualAccount = endpoint({
  method: 'POST',
  path: `${path}/:id/cancel`,
  access: 'transaksi-va-update',
  summary: 'Close a number; money that still arrives on it is kept',
  ...ofNumber,
  body: z.strictObject({ reason }),
  response: detailAnswer,
})

export const askVirtualAccount = endpoint({
  method: 'POST',
  path: `${path}/:id/ask`,
  access: 'transaksi-va-update',
  summary: 'Ask the bank now what it received on a number',
  ...ofNumber,
  response: z.object({ data: virtualAccountDetail, meta: z.object({ found: z.int() }) }),
})
