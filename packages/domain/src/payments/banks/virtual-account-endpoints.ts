import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { endpoint } from '#domain/endpoint.ts'
import { defineList } from '#domain/list.ts'
import { billKinds, billStatuses } from '#domain/payments/bills/bill-status.ts'
import { amountTypes, virtualAccountStatuses } from '#domain/payments/bills/virtual-account-status.ts'
import { paymentView } from '#domain/payments/endpoints.ts'
import { heldDecisions } from '#domain/payments/money/held-amount.ts'
import { typedDay } from '#entities/define/typed-dates.ts'

const path = '/transaksi-va'
const rupiah = z.number().int()
const time = z.iso.datetime()
const ofNumber = { params: z.object({ id: z.uuid() }) }

const alertKinds = [
  'reversed_by_bank',
  'reported_after_reversal',
  'fraud_review',
  'contradicts',
  'not_reported',
  /** Held: no payment, and counted nowhere, until two people book or dismiss it. */
  'above_maximum',
] as const

const virtualAccountRow = z.object({
  id: z.uuid(),
  /** Nothing while the gateway that makes it has not answered. */
  number: z.string().nullable(),
  provider: z.string(),
  bank: z.string(),
  bankName: z.string(),
  status: z.enum(virtualAccountStatuses),
  /** The bank has not answered so far and is asked again. */
  delayed: z.boolean(),
  amountType: z.enum(amountTypes),
  amount: rupiah,
  /** Everything that arrived on it, whatever became of it. */
  received: rupiah,
  expiresAt: time,
  createdAt: time,
  billId: z.uuid(),
  billNumber: z.string(),
  billKind: z.enum(billKinds),
  /** Which instalment it is for; nothing for the whole bill. */
  position: z.int().nullable(),
  registrationId: z.uuid(),
  registrationCode: z.string(),
  applicantName: z.string(),
  /** The bank said something that a person has to look at. */
  alert: z.boolean(),
})
export type VirtualAccountRow = z.output<typeof virtualAccountRow>

export const listVirtualAccounts = defineList({
  name: 'transaksi-va',
  path,
  access: 'transaksi-va-view',
  summary: 'Virtual accounts with their totals',
  words: { title: 'titles:transaksi-va', columns: 'virtual-accounts:columns', filters: 'virtual-accounts:filters' },
  row: virtualAccountRow,
  columns: {
    number: { absent: 'virtual-accounts:noNumber' },
    status: { words: 'payments:accountStatus' },
    applicantName: {},
    billNumber: { hidden: true },
    position: { kind: 'number', hidden: true },
    amount: { kind: 'money' },
    received: { kind: 'money' },
    expiresAt: { kind: 'dateTime', dayOnly: true, sort: true },
    bankName: {},
    createdAt: { kind: 'dateTime', sort: true, hidden: true },
    registrationCode: { hidden: true },
    billKind: { words: 'payments:kind', hidden: true },
    amountType: { words: 'virtual-accounts:amountTypes', hidden: true },
  },
  filters: {
    status: { values: virtualAccountStatuses, words: 'payments:accountStatus' },
    bank: { kind: 'text', most: 20 },
    provider: { kind: 'text', most: 20 },
    kind: { values: billKinds, words: 'payments:kind' },
    alert: { kind: 'yesNo' },
    expiresFrom: { kind: 'day' },
    expiresTo: { kind: 'day' },
    createdFrom: { kind: 'day' },
    createdTo: { kind: 'day' },
  },
  order: '-createdAt',
  /** Whole rupiah, estimated when the number of rows is. */
  sums: ['amount', 'received'],
})

export const bankUse = z.object({
  code: z.string(),
  name: z.string(),
  provider: z.string(),
  /** New numbers are given there. */
  offered: z.boolean(),
  amountType: z.enum(amountTypes),
  amountTypes: z.array(z.enum(amountTypes)),
  /** Numbers left; nothing where the gateway makes them. */
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
  query: z.strictObject({ q: z.string().trim().min(2).max(100) }),
  response: z.object({ data: z.array(payableBill) }),
})

const message = z.object({
  id: z.uuid(),
  at: time,
  /** A report of the bank, or a call of ours. */
  from: z.enum(['bank', 'us']),
  /** How the report ended, or what the call was for. */
  what: z.string(),
  reference: z.string().nullable(),
  method: z.string().nullable(),
  url: z.string().nullable(),
  status: z.int().nullable(),
  tookMs: z.int().nullable(),
  error: z.string().nullable(),
  /** As it came or went, secrets left out. */
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

/** Something a bank said about a number or a payment that a person has to look at. */
export const paymentAlert = z.object({
  id: z.uuid(),
  kind: z.enum(alertKinds),
  reference: z.string(),
  /** Nothing where no whole number of the books is meant; `amountTold` has it as it was written. */
  amount: rupiah.nullable(),
  amountTold: z.string().nullable(),
  /** A request about it waits for approval. */
  asked: z.boolean(),
  raisedAt: time,
  settledAt: time.nullable(),
  /** Nobody where a later word of the bank answered it. */
  settledBy: z.string().nullable(),
  note: z.string().nullable(),
})
export type PaymentAlert = z.output<typeof paymentAlert>

const heldAmount = paymentAlert.extend({
  /** Name of the connection it came through. */
  through: z.string(),
  number: z.string(),
  registrationId: z.uuid().nullable(),
  applicantName: z.string().nullable(),
})
export type HeldAmount = z.output<typeof heldAmount>

export const listHeldAmounts = endpoint({
  method: 'GET',
  path: '/payment-alerts/held',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Amounts above the maximum of their connection that nobody has booked or dismissed, the oldest first',
  response: z.object({ data: z.array(heldAmount) }),
})

export const askHeldAmount = endpoint({
  method: 'POST',
  path: '/payment-alerts/:id/decision',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Ask that a held amount be booked or dismissed; another account approves it',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ decision: z.enum(heldDecisions), reason: z.string().trim().min(5).max(500) }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

const virtualAccountDetail = virtualAccountRow.extend({
  billStatus: z.enum(billStatuses),
  /** What is left to pay on it now. */
  remaining: rupiah,
  activatedAt: time.nullable(),
  closedAt: time.nullable(),
  closedReason: z.string().nullable(),
  problem: z.string().nullable(),
  problemDetail: z.string().nullable(),
  attempts: z.int(),
  /** What the bank has yet to be told. */
  tell: z.enum(['expire', 'cancel', 'update']).nullable(),
  askedAt: time.nullable(),
  askAt: time.nullable(),
  payments: z.array(paymentView.omit({ bankName: true })),
  alerts: z.array(paymentAlert),
  messages: z.array(message),
  history: z.array(happening),
  /** Every number of the bill, the newest first. */
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

const reason = z.string().trim().min(3).max(300)

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
    /** Last day of the number; without it the number lives until the money is due. */
    expiresOn: typedDay.optional(),
  }),
  rules: ({ expiresOn }, now) => ({
    expiresOn: expiresOn && universityCalendar().endOfDay(expiresOn) <= now ? 'in_the_past' : null,
  }),
  response: detailAnswer,
})

export const reissueVirtualAccount = endpoint({
  method: 'POST',
  path: `${path}/:id/reissue`,
  access: 'transaksi-va-update',
  summary: 'Give another number in place of one; the earlier one is closed and stays in the history',
  ...ofNumber,
  body: z.strictObject({ reason, bank: z.string().min(1).max(20).optional() }),
  response: detailAnswer,
})

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

export const settlePaymentAlert = endpoint({
  method: 'POST',
  path: '/payment-alerts/:id/settle',
  access: 'transaksi-va-update',
  summary: 'Say what was done about something a bank said',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ note: z.string().trim().min(3).max(500) }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
