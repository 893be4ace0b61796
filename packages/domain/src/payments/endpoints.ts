import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { billKinds, billStatuses } from './bills/bill-status.ts'
import { promiseStates } from './bills/promise.ts'
import { virtualAccountStatuses } from './bills/virtual-account-status.ts'
import { paymentStatuses, waitingReasons } from './money/payment-status.ts'

const time = z.iso.datetime()
const rupiah = z.number().int()
const idParams = z.object({ id: z.uuid() })

export const bankChoice = z.object({
  code: z.string(),
  name: z.string(),
  /** Only pretends to be a bank: payments are made on its own page. */
  demo: z.boolean(),
})
export type BankChoice = z.output<typeof bankChoice>

export const virtualAccountView = z.object({
  id: z.uuid(),
  billId: z.uuid(),
  installmentId: z.uuid().nullable(),
  bank: z.string(),
  bankName: z.string(),
  demo: z.boolean(),
  /** Nothing while the bank that makes it has not answered yet. */
  number: z.string().nullable(),
  /** The bank has not answered so far and is asked again. */
  delayed: z.boolean(),
  /** What is left to pay on this number now. */
  amount: rupiah,
  status: z.enum(virtualAccountStatuses),
  expiresAt: time,
  createdAt: time,
})
export type VirtualAccountView = z.output<typeof virtualAccountView>

export const paymentView = z.object({
  id: z.uuid(),
  amount: rupiah,
  status: z.enum(paymentStatuses),
  /** Part of the amount that pays bills. */
  allocated: rupiah,
  waitingAmount: rupiah,
  waitingReason: z.enum(waitingReasons).nullable(),
  bankName: z.string(),
  virtualAccountNumber: z.string().nullable(),
  channel: z.string().nullable(),
  receiptNumber: z.string().nullable(),
  paidAt: time,
})
export type PaymentView = z.output<typeof paymentView>

export const billLineView = z.object({ description: z.string(), amount: rupiah })

export const installmentView = z.object({
  id: z.uuid(),
  position: z.number().int(),
  amount: rupiah,
  paid: rupiah,
  dueAt: time,
  paidAt: time.nullable(),
  overdue: z.boolean(),
})
export type InstallmentView = z.output<typeof installmentView>

export const billView = z.object({
  id: z.uuid(),
  number: z.string(),
  registrationId: z.uuid(),
  kind: z.enum(billKinds),
  status: z.enum(billStatuses),
  total: rupiah,
  paid: rupiah,
  dueAt: time.nullable(),
  overdue: z.boolean(),
  issuedAt: time,
  paidAt: time.nullable(),
  lines: z.array(billLineView),
  installments: z.array(installmentView),
  /** What to pay next: the first instalment that is not paid, or the whole rest. */
  next: z.object({ installmentId: z.uuid().nullable(), amount: rupiah, dueAt: time.nullable() }).nullable(),
  /** The payer promised to pay by a day. */
  promise: z.object({ state: z.enum(promiseStates), until: time }).nullable(),
  /** What waits for money of this bill, and how much is missing until it comes; null when nothing waits. */
  unlock: z.object({ what: z.enum(['card', 'number']), missing: rupiah }).nullable(),
  virtualAccounts: z.array(virtualAccountView),
  /** Latest payment that was taken back, if no money came after it. */
  takenBack: z.object({ amount: rupiah, reason: z.string() }).nullable(),
  /** `seen`: the payer was shown that it arrived, or the reader is not the payer. */
  payments: z.array(paymentView.extend({ seen: z.boolean() })),
})
export type BillView = z.output<typeof billView>

/** Everything owed and paid for one registration, cancelled bills that never saw money left out. */
export const listRegistrationBills = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/bills',
  access: 'pendaftaran-view',
  summary: 'Bills, instalments, bank transfer numbers and payments of a registration',
  params: idParams,
  response: z.object({
    data: z.object({
      registration: z.object({ id: z.uuid(), code: z.string(), applicantName: z.string() }),
      bills: z.array(billView),
      banks: z.array(bankChoice),
    }),
  }),
})

export const seePayments = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/payments/seen',
  access: 'pendaftaran-view',
  summary: 'Note that the payer was shown these payments of a registration',
  params: idParams,
  body: z.strictObject({ paymentIds: z.array(z.uuid()).max(100) }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const requestVirtualAccount = endpoint({
  method: 'POST',
  path: '/bills/:id/virtual-account',
  access: 'pendaftaran-edit',
  summary: 'Ask for a bank transfer number; the one still active is given again',
  params: idParams,
  body: z.strictObject({ bank: z.string().min(1).max(20), installmentId: z.uuid().optional() }),
  response: z.object({ data: virtualAccountView }),
})

/** Asks the bank itself: for a payment that was made but never reported. */
export const checkVirtualAccount = endpoint({
  method: 'POST',
  path: '/virtual-accounts/:id/check',
  access: 'pendaftaran-view',
  summary: 'Ask the bank whether this number was paid',
  params: idParams,
  response: z.object({ data: z.object({ found: z.number().int() }) }),
})

export const planQuote = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  installments: z.array(z.object({ position: z.number().int(), amount: rupiah, dueAt: time })),
})

export const quoteReRegistration = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/re-registration/quote',
  access: 'pendaftaran-view',
  summary: 'What re-registration costs, and the due dates of every instalment plan',
  params: idParams,
  query: z.object({ installmentPlanId: z.uuid().optional() }),
  response: z.object({
    data: z.object({ lines: z.array(billLineView), total: rupiah, dueAt: time, plans: z.array(planQuote) }),
  }),
})

export const downloadReceipt = endpoint({
  method: 'GET',
  path: '/payments/:id/receipt.pdf',
  access: 'pendaftaran-view',
  summary: 'Receipt of a payment (PDF, A4)',
  params: idParams,
  query: z.object({ language: z.enum(['en', 'id']).optional() }),
  response: z.any(),
})

/** What a receipt's QR code leads to: whether a receipt with this number and sum was really issued. */
export const verifyReceipt = endpoint({
  method: 'GET',
  path: '/verifikasi-kuitansi/:code',
  access: 'public',
  summary: 'Check a receipt by the code printed on it',
  params: z.object({ code: z.string().min(8).max(80) }),
  response: z.object({
    data: z.object({
      number: z.string(),
      amount: rupiah,
      paidAt: time,
      billNumber: z.string(),
      payer: z.string(),
      reversedAt: time.nullable(),
    }),
  }),
})

export const receiveBankReport = endpoint({
  method: 'POST',
  path: '/providers/:provider/report',
  access: 'public',
  summary: 'Payment report of a bank, signed by the bank',
  params: z.object({ provider: z.string().max(20) }),
  response: z.any(),
})

export const sandboxAccount = z.object({
  number: z.string(),
  bankName: z.string(),
  payerName: z.string(),
  description: z.string(),
  amount: rupiah,
  status: z.enum(virtualAccountStatuses),
  expiresAt: time,
  transactions: z.array(
    z.object({ reference: z.string(), amount: rupiah, channel: z.string(), paidAt: time, reports: z.number().int() }),
  ),
})
export type SandboxAccount = z.output<typeof sandboxAccount>

const numberParams = z.object({ number: z.string().regex(/^\d{6,28}$/) })

export const readSandboxAccount = endpoint({
  method: 'GET',
  path: '/sandbox-bank/:number',
  access: 'public',
  summary: 'Demo bank: what a transfer number asks for',
  params: numberParams,
  response: z.object({ data: sandboxAccount }),
})

export const paySandboxAccount = endpoint({
  method: 'POST',
  path: '/sandbox-bank/:number',
  access: 'public',
  summary: 'Demo bank: pay a transfer number, or send its last report again',
  params: numberParams,
  body: z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('pay'),
      amount: rupiah.min(1).max(1_000_000_000),
      channel: z.enum(['mobile', 'internet', 'atm']).default('mobile'),
      /** Two transfers at the same moment, each with its own reference. */
      times: z.number().int().min(1).max(2).default(1),
      /** The report of this payment gets lost on its way. */
      silent: z.boolean().default(false),
      /** Seconds until the report is sent. */
      delay: z.number().int().min(0).max(3_600).default(0),
      /** The report says another amount than was paid. */
      reportedAmount: rupiah.min(1).max(1_000_000_000).optional(),
    }),
    z.strictObject({ action: z.literal('repeat') }),
  ]),
  response: z.object({
    data: z.object({
      account: sandboxAccount,
      /** What the report endpoint answered, as the bank sees it. */
      answers: z.array(z.object({ status: z.number().int(), body: z.string() })),
    }),
  }),
})

export const paymentRow = /* @__PURE__ */ paymentView.extend({
  receivedAt: time,
  registrationId: z.uuid().nullable(),
  registrationCode: z.string().nullable(),
  applicantName: z.string().nullable(),
  billNumber: z.string().nullable(),
  billKind: z.enum(billKinds).nullable(),
})
export type PaymentRow = z.output<typeof paymentRow>
