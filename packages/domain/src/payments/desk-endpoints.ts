import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { defineList } from '#domain/list.ts'
import { typedDay, typedMoment } from '#entities/define/typed-dates.ts'
import { effectSchema } from './approvals/approval-effect.ts'
import { approvalKinds, approvalStatuses } from './approvals/approvals.ts'
import { paymentAlert } from './banks/virtual-account-endpoints.ts'
import { billKinds, billStatuses } from './bills/bill-status.ts'
import { promiseStates } from './bills/promise.ts'
import { promiseProblem } from './bills/promise-problem.ts'
import { paymentRow } from './endpoints.ts'
import { paymentStatuses, waitingReasons } from './money/payment-status.ts'

const time = z.iso.datetime()
/** Whole rupiah. */
const rupiah = z.int()
const positive = rupiah.min(1).max(100_000_000_000)
const idParams = z.object({ id: z.uuid() })
const reason = z.string().trim().min(5).max(500)
const person = z.object({ id: z.uuid(), name: z.string() })
const done = z.object({ data: z.object({ id: z.uuid() }) })

const ofRegistration = {
  registrationId: z.uuid().nullable(),
  registrationCode: z.string().nullable(),
  applicantName: z.string().nullable(),
}

/* ---------- bills ---------- */

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

export const listBills = defineList({
  name: 'bills',
  path: '/bills',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Bills',
  words: { title: 'desk:bills.title', columns: 'desk:bills', filters: 'desk:bills.filter' },
  row: billRow,
  columns: {
    applicantName: { word: 'desk:approval.applicant' },
    number: { word: 'desk:approval.bill' },
    kind: { word: 'payments:staff.registrationKind', words: 'payments:kind', hidden: true },
    status: { word: 'desk:approval.status', words: 'payments:billStatus' },
    total: { kind: 'money', sort: true },
    paid: { kind: 'money', hidden: true },
    rest: { kind: 'money' },
    dueAt: { kind: 'dateTime', dayOnly: true, sort: true },
    issuedAt: { kind: 'dateTime', dayOnly: true, sort: true, hidden: true },
    promise: { word: 'desk:bills.filter.promise', words: 'payments:promise.state', hidden: true },
    promisedUntil: { word: 'desk:exception.payBy', kind: 'dateTime', dayOnly: true, hidden: true },
    programme: { hidden: true },
    registrationCode: { word: 'payments:staff.registration', hidden: true },
  },
  filters: {
    status: { values: billStatuses, words: 'payments:billStatus' },
    overdue: { kind: 'yesNo' },
    promise: { values: promiseStates, words: 'payments:promise.state' },
    kind: { values: billKinds, words: 'payments:kind' },
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-issuedAt',
  /** Whole rupiah; cancelled bills count for nothing. */
  sums: ['total', 'paid', 'rest'],
})

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

/** Tells those who owe; who owes nothing any more, or was told within a day, is left out. */
export const remindPayers = endpoint({
  method: 'POST',
  path: '/bills/remind',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Remind applicants of bills that are not paid',
  body: chosenBills,
  response: z.object({ data: z.object({ reminded: z.int(), left: z.int() }) }),
})

const listedPayment = paymentRow.extend({
  /** The bank, or the way by which money that no bank reports came. */
  through: z.string(),
  paymentReference: z.string().nullable(),
})
export type ListedPayment = z.output<typeof listedPayment>

export const listPayments = defineList({
  name: 'pembayaran-mahasiswa',
  path: '/pembayaran-mahasiswa',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Payments received, newest first',
  words: { title: 'desk:bills.tab.payments', filters: 'desk:bills.filter' },
  row: listedPayment,
  columns: {
    applicantName: { word: 'payments:staff.applicant' },
    registrationCode: { word: 'payments:staff.registration' },
    receivedAt: { word: 'payments:staff.received', kind: 'dateTime', sort: true },
    amount: { word: 'payments:staff.amount', kind: 'money' },
    status: { word: 'payments:staff.status', words: 'payments:paymentStatus' },
    waitingAmount: { word: 'desk:waiting.amount', kind: 'money', hidden: true },
    refundedAmount: { word: 'desk:refund.title', kind: 'money', hidden: true },
    billNumber: { word: 'payments:staff.bill', absent: 'payments:staff.noBill' },
    billKind: { word: 'payments:staff.registrationKind', words: 'payments:kind', hidden: true },
    through: { word: 'desk:payment.through', hidden: true },
    virtualAccountNumber: { word: 'payments:staff.number', hidden: true },
    paymentReference: { word: 'desk:enter.reference', hidden: true },
    paidAt: { word: 'desk:enter.paidAt', kind: 'dateTime', hidden: true },
    receiptNumber: { word: 'payments:staff.receipt' },
  },
  filters: {
    status: { values: paymentStatuses, words: 'payments:paymentStatus' },
    kind: { values: billKinds, words: 'payments:kind' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-receivedAt',
  /** Whole rupiah; a payment that was taken back counts for nothing. */
  sums: ['amount', 'allocated', 'waiting', 'refunded'],
})

/* ---------- a payment, and money entered by hand ---------- */

export const approvalBrief = z.object({
  id: z.uuid(),
  kind: z.enum(approvalKinds),
  status: z.enum(approvalStatuses),
  amount: rupiah,
  reason: z.string(),
  requestedBy: person,
  requestedAt: time,
  decidedBy: person.nullable(),
  decidedAt: time.nullable(),
  decisionReason: z.string().nullable(),
})

export const paymentDetail = z.object({
  id: z.uuid(),
  amount: rupiah,
  status: z.enum(paymentStatuses),
  /** Part of the amount that pays bills. */
  allocated: rupiah,
  waitingAmount: rupiah,
  waitingReason: z.enum(waitingReasons).nullable(),
  refundedAmount: rupiah,
  bankName: z.string(),
  virtualAccountNumber: z.string().nullable(),
  reference: z.string().nullable(),
  channel: z.string().nullable(),
  payerName: z.string().nullable(),
  receiptNumber: z.string().nullable(),
  paidAt: time,
  /** The time as the bank wrote it, where it is not believed; `paidAt` is the arrival of the report then. */
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
      /** Negative: taken off again. */
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
  /** What the bank sent, as it came. */
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

/** Picture or PDF of a transfer slip, sent before the payment that names it. */
export const uploadProof = endpoint({
  method: 'POST',
  path: '/payment-proofs',
  access: 'pembayaran-mahasiswa-create',
  summary: 'Send the proof of a transfer (multipart, one file)',
  upload: true,
  response: z.object({ data: z.object({ id: z.uuid(), name: z.string() }) }),
})

export const manualMethods = ['cash', 'transfer'] as const

/** A payment, a waiting entry or a statement line that an entry by hand may be a repetition of. */
export const lookAlike = z.object({
  type: z.enum(['payment', 'request', 'statement_line']),
  id: z.uuid(),
  /** What it has in common with the entry. */
  why: z.array(z.enum(['reference', 'proof', 'sum'])),
  /** Like all that tells of it, null outside of what the reader may see. */
  amount: rupiah.nullable(),
  at: time.nullable(),
  reference: z.string().nullable(),
  payerName: z.string().nullable(),
  /** Confirms the entry rather than repeating it. */
  expected: z.boolean(),
  /** Lies within what the reader may see; otherwise only its kind and that there is one is told. */
  visible: z.boolean(),
  ...ofRegistration,
})
export type LookAlike = z.output<typeof lookAlike>

/** Payments, requests and lines that somebody has seen, and why none of them is the payment that is asked for. */
export const anotherPayment = z.strictObject({ seen: z.array(z.uuid()).min(1).max(50), reason })

export const manualPayment = z.strictObject({
  billId: z.uuid(),
  amount: positive,
  method: z.enum(manualMethods),
  paidAt: typedMoment,
  payerName: z.string().trim().min(1).max(120),
  /** What the bank calls the transfer; the same one is never entered twice. */
  reference: z.string().trim().max(60).optional(),
  proofFileId: z.uuid().optional(),
  reason: z.string().trim().max(500).optional(),
  /** Whoever enters it has seen these payments, requests and lines, and says why this is another payment. */
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

/** Bills with something left to pay, for whoever enters money. */
export const findOwedBills = endpoint({
  method: 'GET',
  path: '/bills/owed',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Bills with something left to pay, by name, registration or bill number',
  query: z.strictObject({
    q: z.string().trim().min(2).max(100).optional(),
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
        /** What of the payment asked about could come: all of it but what lies on this bill already. */
        movable: rupiah.nullable(),
        applicantName: z.string(),
        registrationCode: z.string(),
      }),
    ),
  }),
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

/** What may be given back of a payment today, and why as much. */
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
    bank: z.string().trim().min(2).max(60),
    accountNumber: z
      .string()
      .trim()
      .regex(/^[0-9 -]{5,30}$/),
    accountHolder: z.string().trim().min(1).max(120),
    reason,
  }),
  response: done,
})

export const payOutRefund = endpoint({
  method: 'POST',
  path: '/refunds/:id/paid-out',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Say that a refund was transferred',
  params: idParams,
  body: z.strictObject({ reference: z.string().trim().min(1).max(80) }),
  response: done,
})

/* ---------- money that waits ---------- */

export const waitingRow = z.object({
  id: z.uuid(),
  /** The applicant, or else whom the bank calls the payer. */
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
  /** Somebody asked whose it is, and nobody has decided. */
  asked: z.boolean(),
  ...ofRegistration,
})
export type WaitingRow = z.output<typeof waitingRow>

export const listWaiting = defineList({
  name: 'uang-menunggu',
  path: '/uang-menunggu',
  access: 'pembayaran-mahasiswa-view',
  summary: 'Money that arrived and has no bill to go to',
  words: { title: 'titles:uang-menunggu', columns: 'desk:waiting' },
  row: waitingRow,
  columns: {
    whose: {},
    waitingAmount: { word: 'desk:waiting.amount', kind: 'money', sort: true },
    waitingReason: { word: 'desk:waiting.why', words: 'payments:waitingReason' },
    waitingSince: { word: 'desk:waiting.since', kind: 'dateTime', dayOnly: true, sort: true },
    ownerName: { word: 'desk:waiting.owner' },
    bankName: { word: 'payments:staff.bank', hidden: true },
    virtualAccountNumber: { word: 'payments:staff.number', hidden: true },
    note: { hidden: true },
  },
  filters: {
    owner: { values: ['nobody', 'me'], words: 'desk:waiting.owners', word: 'desk:waiting.owner', quick: true },
    reason: { values: waitingReasons, words: 'payments:waitingReason', word: 'desk:waiting.why' },
  },
  order: 'waitingSince',
  /** Whole rupiah. */
  sums: ['waitingAmount'],
})

export const takeWaiting = endpoint({
  method: 'PUT',
  path: '/uang-menunggu/:id',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Look after waiting money, or leave it to others, with a note',
  params: idParams,
  body: z.strictObject({ mine: z.boolean(), note: z.string().trim().max(500).optional() }),
  response: done,
})

/**
 * Waiting money first; more than waits is taken off the bills it lies on, of the same person only. Money of nobody becomes
 * money of the bill's account, so another account has to approve that: `approvalId` is the request then.
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

/* ---------- exceptions about a bill ---------- */

const studentNumber = z.string().trim().min(3).max(30)

export const billException = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('waiver'), amount: positive, reason }),
  z.strictObject({
    kind: z.literal('discount'),
    discountId: z.uuid(),
    /** Student number of the sibling; of sibling discounts only. */
    siblingNumber: studentNumber.optional(),
    reason,
  }),
  z.strictObject({
    kind: z.literal('guarantee'),
    sponsor: z.string().trim().min(2).max(120),
    letter: z.string().trim().max(80).optional(),
    reason,
  }),
  z.strictObject({ kind: z.literal('due_date'), installmentId: z.uuid().optional(), dueOn: typedDay, reason }),
  /** The payer promised to pay the whole rest by a day. */
  z.strictObject({ kind: z.literal('promise'), payBy: typedDay, proofFileId: z.uuid().optional(), reason }),
  z.strictObject({ kind: z.literal('installment_plan'), installmentPlanId: z.uuid().nullable(), reason }),
])
export type BillException = z.output<typeof billException>

/** Discounts that are given by hand, or for a sibling, and are valid and not used up. */
export const manualDiscounts = endpoint({
  method: 'GET',
  path: '/bills/manual-discounts',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Discounts that are given by hand',
  query: z.strictObject({ kind: z.enum(billKinds) }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        kind: z.enum(['percent', 'fixed']),
        value: z.number(),
        /** Names the student number of a sibling. */
        sibling: z.boolean(),
      }),
    ),
  }),
})

/** The student behind a number, so that staff compare the name before they ask for a sibling discount. */
export const findSibling = endpoint({
  method: 'GET',
  path: '/bills/:id/sibling',
  access: 'pembayaran-mahasiswa-update',
  summary: 'The student whom a sibling discount of a bill would name',
  params: idParams,
  query: z.strictObject({ number: studentNumber }),
  response: z.object({
    /** Null for a number of nobody or of the payer. The name is masked. */
    data: z.object({ number: z.string(), name: z.string(), programme: z.string() }).nullable(),
  }),
})

export const askException = endpoint({
  method: 'POST',
  path: '/bills/:id/exceptions',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Ask for a waiver, discount, guarantee, later due date or other instalment plan, or note a promise to pay',
  params: idParams,
  body: billException,
  rules: ({ dueOn, payBy }, now) => ({
    dueOn: dueOn && universityCalendar().endOfDay(dueOn) <= now ? 'in_the_past' : null,
    payBy: payBy ? promiseProblem(payBy, now) : null,
  }),
  response: done,
})

/* ---------- deciding ---------- */

export const approvalRow = approvalBrief.extend({
  /** Null in kinds of requests without a sum. */
  amount: rupiah.nullable(),
  /** The applicant, or else `about`. */
  applicant: z.string().nullable(),
  askedBy: z.string(),
  /** The line, account or connection, where the request is about no registration. */
  about: z.string().nullable(),
  /** Rupiah that were approved before and count towards the same limit. */
  approvedBefore: rupiah,
  details: z.record(z.string(), z.unknown()),
  billNumber: z.string().nullable(),
  paymentId: z.uuid().nullable(),
  proof: z.object({ url: z.string(), name: z.string() }).nullable(),
  /** Why the reader may not decide; null when he may. */
  whyNot: z
    .enum([
      'wrong_status',
      'own_request',
      'own_statement_line',
      'no_approval_limit',
      'above_approval_limit',
      'no_permission',
    ])
    .nullable(),
  ...ofRegistration,
})
export type ApprovalRow = z.output<typeof approvalRow>

export const listApprovals = defineList({
  name: 'persetujuan',
  path: '/persetujuan',
  access: 'persetujuan-view',
  summary: 'Requests that another one decides about',
  words: { title: 'titles:persetujuan', columns: 'desk:approval', filters: 'desk:approval' },
  row: approvalRow,
  columns: {
    applicant: {},
    kind: { words: 'desk:kind' },
    amount: { kind: 'money', sort: true },
    status: { words: 'desk:status' },
    askedBy: {},
    requestedAt: { word: 'desk:approval.askedAt', kind: 'dateTime', dayOnly: true, sort: true },
    billNumber: { word: 'desk:approval.bill', hidden: true },
    reason: { hidden: true },
  },
  filters: {
    status: { values: approvalStatuses, words: 'desk:status', quick: true },
    kind: { values: approvalKinds, words: 'desk:kind' },
    requestedBy: { kind: 'id', word: 'desk:approval.askedBy' },
    from: { kind: 'day', word: 'payments:staff.from' },
    to: { kind: 'day', word: 'payments:staff.to' },
  },
  order: '-requestedAt',
})

/** What approving does: as it was asked, and as of now while the request is pending. */
export const readApprovalState = endpoint({
  method: 'GET',
  path: '/persetujuan/:id/state',
  access: 'persetujuan-view',
  summary: 'What approving a request would do now, and what an entry by hand looks like',
  params: idParams,
  response: z.object({
    data: z.object({
      stored: effectSchema,
      /** Null when decided, or when approving is impossible. */
      current: effectSchema.nullable(),
      /** Why approving is impossible, as a sentence. */
      impossible: z.string().nullable(),
      changed: z.boolean(),
      /** The reader may ask anew with the current effect. */
      renewable: z.boolean(),
      lookAlikes: z.array(lookAlike),
    }),
  }),
})

export const decideApproval = endpoint({
  method: 'POST',
  path: '/persetujuan/:id/decide',
  access: 'persetujuan-update',
  summary: 'Approve or reject a request',
  params: idParams,
  body: z.strictObject({ approve: z.boolean(), reason: z.string().trim().max(500).optional() }),
  rules: ({ approve, reason }) => ({ reason: approve === false && !reason ? 'field_required' : null }),
  response: done,
})

/** Each is approved on its own: one that is refused leaves the others approved. */
export const approveMany = endpoint({
  method: 'POST',
  path: '/persetujuan/bulk/approve',
  access: 'persetujuan-update',
  summary: 'Approve several requests of one kind of money',
  body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(100), reason: z.string().trim().max(500).optional() }),
  response: z.object({
    data: z.object({
      done: z.array(z.uuid()),
      refused: z.array(z.object({ id: z.uuid(), reason: z.string() })),
    }),
  }),
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/persetujuan/:id/withdraw',
  // Whoever may ask takes the request back, also without the permission to read those of others.
  access: 'signed-in',
  summary: 'Take back an own request',
  params: idParams,
  response: done,
})

/** By whoever may ask for the kind of request, where approving would do something else than when it was asked. */
export const renewApproval = endpoint({
  method: 'POST',
  path: '/persetujuan/:id/renew',
  access: 'persetujuan-view',
  summary: 'Ask again with the effect of now, in the place of a pending request',
  params: idParams,
  response: done,
})

/** Up to how many rupiah each role decides about each kind; null: any sum. */
export const approvalLimits = z.object({
  roles: z.array(z.object({ id: z.uuid(), name: z.string() })),
  limits: z.array(z.object({ roleId: z.uuid(), kind: z.enum(approvalKinds), most: rupiah.min(1).nullable() })),
})

export const readApprovalLimits = endpoint({
  method: 'GET',
  path: '/settings/approval-limits',
  access: 'settings-approval-limits',
  summary: 'What each role may decide about',
  response: z.object({ data: approvalLimits }),
})

export const writeApprovalLimits = endpoint({
  method: 'PUT',
  path: '/settings/approval-limits',
  access: 'settings-approval-limits',
  summary: 'Set what each role may decide about',
  body: z.strictObject({ limits: approvalLimits.shape.limits }),
  rules: ({ limits = [] }) => {
    const keys = limits.map(({ roleId, kind }: { roleId?: string; kind?: string }) => `${roleId} ${kind}`)
    return { limits: new Set(keys).size < keys.length ? 'invalid_input' : null }
  },
  response: z.object({ data: approvalLimits }),
})

/* ---------- statement of account ---------- */

export const statementLine = z.object({
  at: time,
  what: z.enum(['bill', 'payment', 'reversal', 'refund']),
  reference: z.string(),
  /** Kind of bill, or how the money came. */
  about: z.string().nullable(),
  debit: rupiah,
  credit: rupiah,
  /** What is owed after this line; below zero when more was paid. */
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
  query: z.object({ language: z.enum(['en', 'id']).optional() }),
  response: z.any(),
})
