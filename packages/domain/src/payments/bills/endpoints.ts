import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { ofRegistration } from '#domain/payments/approvals/endpoints.ts'
import { payWays } from '#domain/payments/providers/pay-ways.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { billKinds, billStatuses } from './bill-status.ts'
import { paymentStatuses, waitingReasons } from './payment-status.ts'
import { promiseStates } from './promise.ts'
import { virtualAccountStatuses } from './virtual-account-status.ts'

/** Whole rupiah. */
const rupiah = z.int()

const idParams = z.object({ id: z.uuid() })

export const bankChoice = z.object({
  code: z.string(),
  name: z.string(),
  /** True for the demo bank, where payments are made on its own page. */
  demo: z.boolean(),
  way: z.enum(payWays),
})
export type BankChoice = z.output<typeof bankChoice>

export const virtualAccountView = z.object({
  id: z.uuid(),
  billId: z.uuid(),
  installmentId: z.uuid().nullable(),
  bank: z.string(),
  bankName: z.string(),
  demo: z.boolean(),
  /** Null until the gateway that makes the number has answered. */
  number: z.string().nullable(),
  /** The bank has not answered yet; a job retries. */
  delayed: z.boolean(),
  way: z.enum(payWays),
  /** Code to scan: a QRIS code, or one that opens the demo bank at this number. */
  qr: z.object({ size: z.int(), path: z.string() }).nullable(),
  /** Opens the wallet's app; null for other ways. */
  payUrl: z.string().nullable(),
  /** Rupiah left to pay on this number. */
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
  /** Part of the amount allocated to bills. */
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

/** `nameEn` and `explanation` come from the fee component; null where it has none, and for discounts. */
const explainedLine = billLineView.extend({
  nameEn: z.string().nullable(),
  explanation: z.string().nullable(),
  explanationEn: z.string().nullable(),
})

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
  lines: z.array(explainedLine),
  installments: z.array(installmentView),
  /** Next amount to pay: the first unpaid instalment, or the rest. */
  next: z.object({ installmentId: z.uuid().nullable(), amount: rupiah, dueAt: time.nullable() }).nullable(),
  /** The payer promised to pay by a day. */
  promise: z.object({ state: z.enum(promiseStates), until: time }).nullable(),
  /** What the bill unlocks once paid, and the rupiah missing for it; null if nothing. */
  unlock: z.object({ what: z.enum(['card', 'number']), missing: rupiah }).nullable(),
  virtualAccounts: z.array(virtualAccountView),
  /** Latest reversed payment, if no money came after it. */
  takenBack: z.object({ amount: rupiah, reason: z.string() }).nullable(),
  /** `seen`: the payer has seen that it arrived, or the reader is not the payer. */
  payments: z.array(paymentView.extend({ seen: z.boolean() })),
})
export type BillView = z.output<typeof billView>

/** Bills and payments of a registration, except cancelled bills that never received money. */
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

export const billRow = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(billKinds),
  status: z.enum(billStatuses),
  total: rupiah,
  paid: rupiah,
  rest: rupiah,
  dueAt: time.nullable(),
  overdue: z.boolean(),
  promise: z.enum(promiseStates).nullable(),
  promisedUntil: time.nullable(),
  issuedAt: time,
  programme: z.string().nullable(),
  ...ofRegistration,
})
export type BillRow = z.output<typeof billRow>

const chosenBills = z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) })

const namedBill = z.object({ id: z.uuid(), title: z.string() })

export const previewReminders = endpoint({
  method: 'POST',
  path: '/bills/remind/preview',
  access: 'pembayaran-mahasiswa-update',
  reads: true,
  summary: 'Who would be reminded of the chosen bills, and who not and why',
  body: chosenBills,
  response: z.object({
    data: z.object({ allowed: z.array(namedBill), refused: z.array(namedBill.extend({ reason: z.string() })) }),
  }),
})

/** Reminds payers of owed bills; skips settled bills and payers reminded within a day. */
export const remindPayers = endpoint({
  method: 'POST',
  path: '/bills/remind',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Remind applicants of bills that are not paid',
  body: chosenBills,
  response: z.object({ data: z.object({ reminded: z.int(), left: z.int() }) }),
})

export const readBill = endpoint({
  method: 'GET',
  path: '/bills/:id',
  access: 'pembayaran-mahasiswa-view',
  summary: 'A bill with its lines, instalments, transfer numbers and payments',
  params: idParams,
  response: z.object({
    data: z.object({
      registration: z.object({ id: z.uuid(), code: z.string(), applicantName: z.string() }),
      bill: billView,
    }),
  }),
})

/** Bills with an amount left to pay, for staff who enter money. */
export const findOwedBills = endpoint({
  method: 'GET',
  path: '/bills/owed',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Bills with something left to pay, by name, registration or bill number',
  query: z.strictObject({
    q: typedLine().min(2).max(100).optional(),
    registrationId: z.uuid().optional(),
    /** Only bills this payment can be moved to. */
    paymentId: z.uuid().optional(),
  }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        number: z.string(),
        kind: z.enum(billKinds),
        rest: rupiah,
        /** Rupiah of `paymentId` that can be moved here: all except the part already on this bill. */
        movable: rupiah.nullable(),
        applicantName: z.string(),
        registrationCode: z.string(),
      }),
    ),
  }),
})
export type OwedBillsQuery = z.output<typeof findOwedBills.query>

export const statementLine = z.object({
  at: time,
  what: z.enum(['bill', 'payment', 'reversal', 'refund']),
  reference: z.string(),
  /** Kind of bill, or channel of the payment. */
  about: z.string().nullable(),
  debit: rupiah,
  credit: rupiah,
  /** Rupiah owed after this line; negative after an overpayment. */
  balance: rupiah,
})

export const readStatement = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/statement',
  access: 'pendaftaran-view',
  summary: 'Statement of account of a registration',
  params: idParams,
  response: z.object({ data: z.object({ lines: z.array(statementLine), balance: rupiah }) }),
})

export const downloadStatement = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/statement.pdf',
  access: 'pendaftaran-view',
  summary: 'Statement of account (PDF, A4)',
  params: idParams,
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.any(),
})
