import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { approvalBrief, ofRegistration } from '#domain/payments/approvals/endpoints.ts'
import { heldDecisions } from '#domain/payments/approvals/held-money.ts'
import { billKinds, billStatuses } from '#domain/payments/bills/bill-status.ts'
import { paymentView } from '#domain/payments/bills/endpoints.ts'
import { paymentStatuses, waitingReasons } from '#domain/payments/bills/payment-status.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'

/** Whole rupiah. */
const rupiah = z.int()

const positive = rupiah.min(1).max(100_000_000_000)

const idParams = z.object({ id: z.uuid() })

const reason = typedText().min(5).max(500)

const person = z.object({ id: z.uuid(), name: z.string() })

const done = z.object({ data: z.object({ id: z.uuid() }) })

export const paymentRow = /* @__PURE__ */ paymentView.extend({
  receivedAt: time,
  registrationId: z.uuid().nullable(),
  registrationCode: z.string().nullable(),
  applicantName: z.string().nullable(),
  billNumber: z.string().nullable(),
  billKind: z.enum(billKinds).nullable(),
})
export type PaymentRow = z.output<typeof paymentRow>

export const listedPayment = /* @__PURE__ */ paymentRow.extend({
  /** Bank name, or the channel if no bank reported the money. */
  through: z.string(),
  paymentReference: z.string().nullable(),
})
export type ListedPayment = z.output<typeof listedPayment>

const alertKinds = [
  'reversed_by_bank',
  'reported_after_reversal',
  'fraud_review',
  'contradicts',
  'not_reported',
  /** Held: not a payment and not in any sum until two people book or dismiss it. */
  'above_maximum',
] as const

/** A bank's message about a number or payment that staff must check. */
export const paymentAlert = z.object({
  id: z.uuid(),
  kind: z.enum(alertKinds),
  reference: z.string(),
  /** Null if the amount is not a whole number the books can hold; `amountTold` has it as written. */
  amount: rupiah.nullable(),
  amountTold: z.string().nullable(),
  /** Whether a request about this alert awaits approval. */
  asked: z.boolean(),
  raisedAt: time,
  settledAt: time.nullable(),
  /** Null if a later bank report settled it. */
  settledBy: z.string().nullable(),
  note: z.string().nullable(),
})
export type PaymentAlert = z.output<typeof paymentAlert>

export const paymentDetail = z.object({
  id: z.uuid(),
  amount: rupiah,
  status: z.enum(paymentStatuses),
  /** Part of the amount allocated to bills. */
  allocated: rupiah,
  waitingAmount: rupiah,
  waitingReason: z.enum(waitingReasons).nullable(),
  refundedAmount: rupiah,
  bankName: z.string(),
  virtualAccountNumber: z.string().nullable(),
  /** What the bank or the person who entered the money calls it; never an id of ours. */
  reference: z.string().nullable(),
  channel: z.string().nullable(),
  payerName: z.string().nullable(),
  receiptNumber: z.string().nullable(),
  paidAt: time,
  /** The bank's time as written, if it is not credible; `paidAt` is then when the report arrived. */
  paidAtTold: z.string().nullable(),
  receivedAt: time,
  reversedAt: time.nullable(),
  ...ofRegistration,
  bill: z
    .object({ id: z.uuid(), number: z.string(), kind: z.enum(billKinds), status: z.enum(billStatuses) })
    .nullable(),
  allocations: z.array(
    z.object({
      id: z.uuid(),
      billNumber: z.string(),
      installment: z.int().nullable(),
      /** Negative if taken off again. */
      amount: rupiah,
      at: time,
      by: z.string().nullable(),
    }),
  ),
  requests: z.array(approvalBrief),
  alerts: z.array(paymentAlert),
  refunds: z.array(
    z.object({
      id: z.uuid(),
      number: z.string(),
      amount: rupiah,
      bank: z.string(),
      accountNumber: z.string(),
      accountHolder: z.string(),
      paidOutAt: time.nullable(),
      paidOutReference: z.string().nullable(),
    }),
  ),
  proof: z.object({ url: z.string(), name: z.string() }).nullable(),
  /** The line of a bank statement that is this payment, in the bank's words. */
  statement: z
    .object({
      accountName: z.string(),
      day: z.iso.date(),
      reference: z.string(),
      description: z.string(),
      raw: z.string(),
    })
    .nullable(),
  /** The bank's report, unchanged. */
  report: z.object({ receivedAt: time, outcome: z.string().nullable(), body: z.string() }).nullable(),
})
export type PaymentDetail = z.output<typeof paymentDetail>

export const readPayment = endpoint({
  method: 'GET',
  path: '/pembayaran-mahasiswa/:id',
  access: 'pembayaran-mahasiswa-view',
  summary: 'A payment with what became of it',
  params: idParams,
  response: z.object({ data: paymentDetail }),
})

export const manualMethods = ['cash', 'transfer'] as const

/** Payments, requests and lines the requester has compared, and why none of them is this payment. */
export const anotherPayment = z.strictObject({ seen: z.array(z.uuid()).min(1).max(50), reason })

export const manualPayment = z.strictObject({
  billId: z.uuid(),
  amount: positive,
  method: z.enum(manualMethods),
  paidAt: typedMoment,
  payerName: typedLine().min(1).max(120),
  /** The bank's transfer reference; a reference can be entered only once. */
  reference: typedLine().max(60).optional(),
  proofFileId: z.uuid().optional(),
  reason: typedText().max(500).optional(),
  /** Confirms that the money beyond what is owed on the bill waits as unallocated money. */
  restWaits: z.boolean().optional(),
  /** Required if similar payments, requests or lines exist. */
  another: anotherPayment.optional(),
})
export type ManualPayment = z.output<typeof manualPayment>

export const manualPaymentProblems = (
  { paidAt, method, reference, proofFileId }: Partial<ManualPayment>,
  now: Date,
): Problems => ({
  paidAt: paidAt && new Date(paidAt) > now ? 'in_the_future' : null,
  reference: method === 'transfer' && !reference ? 'field_required' : null,
  proofFileId: method === 'transfer' && !proofFileId ? 'file_missing' : null,
})

export const enterPayment = endpoint({
  method: 'POST',
  path: '/pembayaran-mahasiswa',
  access: 'pembayaran-mahasiswa-create',
  summary: 'Enter money that came as cash or by an ordinary transfer; it counts once another one has approved it',
  body: manualPayment,
  rules: manualPaymentProblems,
  rulesInUseCase: true,
  response: done,
})

export const askReversal = endpoint({
  method: 'POST',
  path: '/pembayaran-mahasiswa/:id/reversal',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Ask that a payment be taken back because the money did not come',
  params: idParams,
  body: z.strictObject({ reason }),
  response: done,
})

/** Amount of a payment refundable today, with the reason. */
export const readRefundable = endpoint({
  method: 'GET',
  path: '/pembayaran-mahasiswa/:id/refundable',
  access: 'pembayaran-mahasiswa-view',
  summary: 'How much of a payment may be given back',
  params: idParams,
  response: z.object({
    data: z.object({
      waiting: rupiah,
      byPolicy: rupiah,
      most: rupiah,
      policy: z.object({ name: z.string(), share: z.int(), until: z.iso.date() }).nullable(),
    }),
  }),
})

export const askRefund = endpoint({
  method: 'POST',
  path: '/pembayaran-mahasiswa/:id/refund',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Ask that (a part of) a payment be given back',
  params: idParams,
  body: z.strictObject({
    amount: positive,
    bank: typedLine().min(2).max(60),
    accountNumber: typedText().regex(/^[0-9 -]{5,30}$/),
    accountHolder: typedLine().min(1).max(120),
    reason,
  }),
  response: done,
})
export type RefundRequest = z.output<typeof askRefund.body>

export const payOutRefund = endpoint({
  method: 'POST',
  path: '/refunds/:id/paid-out',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Say that a refund was transferred',
  params: idParams,
  body: z.strictObject({ reference: typedLine().min(1).max(80) }),
  response: done,
})

export const waitingRow = z.object({
  id: z.uuid(),
  /** Applicant's name, otherwise the payer's name from the bank. */
  whose: z.string().nullable(),
  amount: rupiah,
  waitingAmount: rupiah,
  waitingReason: z.enum(waitingReasons).nullable(),
  waitingSince: time,
  owner: person.nullable(),
  ownerName: z.string().nullable(),
  note: z.string().nullable(),
  bankName: z.string(),
  virtualAccountNumber: z.string().nullable(),
  channel: z.string().nullable(),
  payerName: z.string().nullable(),
  reference: z.string().nullable(),
  paidAt: time,
  billNumber: z.string().nullable(),
  /** Whether a request about the owner of this money is pending. */
  asked: z.boolean(),
  ...ofRegistration,
})
export type WaitingRow = z.output<typeof waitingRow>

export const takeWaiting = endpoint({
  method: 'PUT',
  path: '/uang-menunggu/:id',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Look after waiting money, or leave it to others, with a note',
  params: idParams,
  body: z.strictObject({ mine: z.boolean(), note: typedText().max(500).optional() }),
  response: done,
})

/**
 * Takes waiting money first, then money off other bills of the same person. Assigning money without a payer to the
 * bill's account needs another account's approval: then `approvalId` is the request.
 */
export const allocatePayment = endpoint({
  method: 'POST',
  path: '/pembayaran-mahasiswa/:id/allocate',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Give (a part of) a payment to a bill, or ask for it where the money belongs to nobody',
  params: idParams,
  body: z.strictObject({ billId: z.uuid(), amount: positive, reason }),
  response: z.object({ data: z.object({ id: z.uuid(), approvalId: z.uuid().nullable() }) }),
})
export type AllocationRequest = z.output<typeof allocatePayment.body>

const heldAmount = /* @__PURE__ */ paymentAlert.extend({
  /** Connection that received it. */
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
  body: z.strictObject({ decision: z.enum(heldDecisions), reason: typedText().min(5).max(500) }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
export type HeldAmountRequest = z.output<typeof askHeldAmount.body>

export const settlePaymentAlert = endpoint({
  method: 'POST',
  path: '/payment-alerts/:id/settle',
  access: 'transaksi-va-update',
  summary: 'Say what was done about something a bank said',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ note: typedText().min(3).max(500) }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const downloadReceipt = endpoint({
  method: 'GET',
  path: '/payments/:id/receipt.pdf',
  access: 'pendaftaran-view',
  summary: 'Receipt of a payment (PDF, A4)',
  params: idParams,
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.any(),
})

/** Target of a receipt's QR code: whether a receipt with this number and sum was really issued. */
export const verifyReceipt = endpoint({
  method: 'GET',
  path: '/verifikasi-kuitansi/:code',
  access: 'public',
  summary: 'Check a receipt by the code printed on it',
  params: z.object({ code: z.string().min(8).max(80) }),
  response: z.object({
    data: z.object({
      number: z.string(),
      /** Without what was refunded. */
      amount: rupiah,
      refunded: rupiah,
      paidAt: time,
      billNumber: z.string(),
      payer: z.string(),
      reversedAt: time.nullable(),
    }),
  }),
})
