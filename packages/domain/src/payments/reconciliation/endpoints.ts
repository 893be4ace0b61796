import { z } from 'zod'
import { bankCalendar } from '#domain/calendar.ts'
import { endpoint } from '#domain/endpoint.ts'
import { pendingChange } from '#domain/payments/approvals/pending-change.ts'
import { billKinds } from '#domain/payments/bills/bill-status.ts'
import { anotherPayment } from '#domain/payments/money/endpoints.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { dayStates, differenceKinds } from './reconciliation.ts'
import { mappingDraft } from './statement-draft.ts'
import { explanations, matchedBy, statementFormats, statementStates } from './statement-lines.ts'
import { statementMapping } from './statement-mapping.ts'

const date = z.iso.date()

/** Whole rupiah. */
const rupiah = z.int()

/** Statement amount in sen; 100 sen are one rupiah. */
const sen = z.int()

const idParams = z.object({ id: z.uuid() })

const reason = typedText().min(5).max(500)

const done = z.object({ data: z.object({ id: z.uuid() }) })

const view = 'rekonsiliasi-view'

const update = 'rekonsiliasi-update'

export const bankAccount = z.object({
  id: z.uuid(),
  name: z.string(),
  bank: z.string(),
  number: z.string(),
  holder: z.string(),
  takesTransfers: z.boolean(),
  active: z.boolean(),
  version: z.int(),
  /** Banks whose transfer numbers pay into the account. */
  sources: z.array(z.string()),
  mapping: statementMapping.nullable(),
  lastDay: date.nullable(),
  /** A change that awaits approval; until then the account is unchanged. */
  pending: pendingChange.nullable(),
})
export type BankAccount = z.output<typeof bankAccount>

export const listBankAccounts = endpoint({
  method: 'GET',
  path: '/bank-accounts',
  access: view,
  summary: 'Bank accounts whose statements are read, and the banks of transfer numbers',
  response: z.object({
    data: z.object({
      accounts: z.array(bankAccount),
      /** Accounts requested and not approved yet. */
      pending: z.array(pendingChange),
      banks: z.array(z.object({ code: z.string(), name: z.string() })),
    }),
  }),
})

const bankAccountBody = z.strictObject({
  name: typedLine().min(2).max(80),
  bank: typedLine().min(2).max(60),
  number: typedText()
    .regex(/^[0-9A-Z][0-9A-Z .-]{3,33}$/i)
    .transform((text) => text.replace(/[ .-]/g, '').toUpperCase()),
  holder: typedLine().min(2).max(120),
  takesTransfers: z.boolean(),
  sources: z.array(z.string().max(20)).max(50),
  /** Reason shown to the deciding account. */
  reason: typedText().max(500).optional(),
})

export const createBankAccount = endpoint({
  method: 'POST',
  path: '/bank-accounts',
  access: update,
  summary: 'Ask for a bank account whose statements are read; it counts once another account has approved it',
  body: bankAccountBody,
  response: done,
})
export type NewBankAccount = z.output<typeof createBankAccount.body>

export const updateBankAccount = endpoint({
  method: 'PUT',
  path: '/bank-accounts/:id',
  access: update,
  summary: 'Ask for a change of a bank account; it counts once another account has approved it',
  params: idParams,
  body: bankAccountBody.extend({ active: z.boolean(), version: z.int() }),
  response: done,
})
export type BankAccountChange = z.output<typeof updateBankAccount.body>

export const saveMapping = endpoint({
  method: 'PUT',
  path: '/bank-accounts/:id/mapping',
  access: update,
  summary: 'Ask that the CSV statements of an account be read so; it counts once another account has approved it',
  params: idParams,
  body: z.strictObject({ mapping: statementMapping, version: z.int() }),
  response: done,
})
export type MappingChange = z.output<typeof saveMapping.body>

export const previewedLine = z.object({
  lineNumber: z.int(),
  day: date,
  amountSen: sen,
  reference: z.string(),
  description: z.string(),
  balanceSen: sen.nullable(),
  /** The line as in the file, cut to page width. */
  raw: z.string(),
})

const shownRow = z.object({ number: z.int(), cells: z.array(z.string()) })

/** Movements the bank has not booked yet, with the first file lines that contain them. */
const pendingMovements = z.object({ count: z.int(), creditsSen: sen, debitsSen: sen, firstLines: z.array(z.int()) })

export const statementPreview = z.object({
  format: z.enum(statementFormats),
  /** Mapping of the account, or the one sent for a trial; null if there is none. */
  mapping: statementMapping.nullable(),
  /** A first guess from all rows of a file that came without a mapping. */
  guess: mappingDraft.nullable(),
  /** Encoding of the file's text. */
  encoding: z.string(),
  /** First and last rows as in the file. */
  rows: z.array(shownRow),
  lastRows: z.array(shownRow),
  /** First and last parsed lines. */
  lines: z.array(previewedLine),
  lastLines: z.array(previewedLine),
  count: z.int(),
  creditsSen: sen,
  debitsSen: sen,
  pending: pendingMovements,
  fresh: z.int(),
  /** New lines similar to stored lines with equal day and amount but other words; importing holds them. */
  lookalikes: z.int(),
  firstDay: date.nullable(),
  lastDay: date.nullable(),
  /** First problems; `problemCount` counts all. */
  problems: z.array(z.object({ line: z.int(), message: z.string() })),
  problemCount: z.int(),
  /** Whether exactly this file was imported before. */
  known: z.boolean(),
})
export type StatementPreview = z.output<typeof statementPreview>

export const previewStatement = endpoint({
  method: 'POST',
  path: '/bank-accounts/:id/statements/preview',
  access: update,
  summary: 'Read a statement without keeping it (multipart: `mapping` as JSON, then one file)',
  upload: true,
  params: idParams,
  response: z.object({ data: statementPreview }),
})

export const importedStatement = z.object({
  id: z.uuid(),
  lines: z.int(),
  fresh: z.int(),
  /** New lines similar to stored ones; they wait until staff decide whether both are real. */
  held: z.int(),
  matched: z.int(),
  /** Movements the bank has not booked yet; they are not imported. */
  pending: z.int(),
  /** Whether the file was imported before; then nothing changed. */
  known: z.boolean(),
})
export type ImportedStatement = z.output<typeof importedStatement>

export const importStatement = endpoint({
  method: 'POST',
  path: '/bank-accounts/:id/statements',
  access: update,
  summary: 'Keep every line of a statement (multipart, one file: MT940, or CSV or XLSX by the saved mapping)',
  upload: true,
  params: idParams,
  response: z.object({ data: importedStatement }),
})

export const statementRow = z.object({
  id: z.uuid(),
  accountName: z.string(),
  fileName: z.string(),
  format: z.enum(statementFormats),
  firstDay: date,
  lastDay: date,
  /** `firstDay` and `lastDay` in the reader's language. */
  days: z.string(),
  lines: z.int(),
  linesNew: z.int(),
  pending: z.int(),
  open: z.int(),
  held: z.int(),
  creditsSen: sen,
  debitsSen: sen,
  importedBy: z.string(),
  importedAt: time,
  file: z.string(),
})
export type StatementRow = z.output<typeof statementRow>

export const statementLineRow = z.object({
  id: z.uuid(),
  accountName: z.string(),
  day: date,
  amountSen: sen,
  reference: z.string(),
  description: z.string(),
  balanceSen: sen.nullable(),
  reversal: z.boolean(),
  raw: z.string(),
  state: z.enum(statementStates),
  matchedBy: z.enum(matchedBy).nullable(),
  explanation: z.enum(explanations).nullable(),
  reason: z.string().nullable(),
  settledBy: z.string().nullable(),
  settledAt: time.nullable(),
  /** Stored line that a held one resembles, and why both were declared real. */
  similar: z.object({ id: z.uuid(), words: z.string(), raw: z.string() }).nullable(),
  releaseReason: z.string().nullable(),
  /** A pending request to record the line as received money; until then the line waits. */
  pending: z.object({ id: z.uuid(), requestedBy: z.object({ id: z.uuid(), name: z.string() }) }).nullable(),
  payment: z
    .object({ id: z.uuid(), label: z.string(), amount: rupiah, applicantName: z.string().nullable() })
    .nullable(),
})
export type StatementLineRow = z.output<typeof statementLineRow>

export const paymentCandidate = z.object({
  id: z.uuid(),
  label: z.string(),
  amount: rupiah,
  paidAt: time,
  applicantName: z.string().nullable(),
})

export const findCandidates = endpoint({
  method: 'GET',
  path: '/statement-lines/:id/candidates',
  access: view,
  summary: 'Payments that no statement line is matched with: those near the line, or those found',
  params: idParams,
  query: z.strictObject({ q: typedLine().min(2).max(100).optional() }),
  response: z.object({ data: z.array(paymentCandidate) }),
})

/** Why a bill may be what a statement line pays, strongest first. */
export const billFeatures = ['number', 'proof', 'name', 'amount', 'sender', 'near'] as const

export const findLineBills = endpoint({
  method: 'GET',
  path: '/statement-lines/:id/bills',
  access: view,
  summary: 'Owed bills that a statement line may pay, best first',
  params: idParams,
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        number: z.string(),
        kind: z.enum(billKinds),
        rest: rupiah,
        applicantName: z.string(),
        registrationCode: z.string(),
        proofId: z.uuid().nullable(),
        why: z.array(z.enum(billFeatures)),
      }),
    ),
  }),
})
export type LineBill = z.output<typeof findLineBills.response>['data'][number]

export const matchLine = endpoint({
  method: 'POST',
  path: '/statement-lines/:id/match',
  access: update,
  summary: 'Say which payment a statement line is; where the amounts differ, why',
  params: idParams,
  body: z.strictObject({ paymentId: z.uuid(), reason: reason.optional() }),
  response: done,
})

export const recordLine = endpoint({
  method: 'POST',
  path: '/statement-lines/:id/record',
  access: 'pembayaran-mahasiswa-create',
  shared: 'statements_need_whole_view',
  summary:
    'Ask that the money of a statement line be booked as received; once another account has approved it, the money waits until somebody knows whose it is',
  params: idParams,
  body: z.strictObject({
    payerName: typedLine().min(1).max(120).optional(),
    /** Bill that gets the money, as far as it has room; without it all of the money waits. */
    billId: z.uuid().optional(),
    /** Open proof of transfer for this bill that the line answers. */
    proofId: z.uuid().optional(),
    another: anotherPayment.optional(),
    /** Why the books omit the line's sen (they hold whole rupiah); required for a line with sen. */
    withoutSen: reason.optional(),
  }),
  response: done,
})
export type LineRecording = z.output<typeof recordLine.body>

export const explainLine = endpoint({
  method: 'POST',
  path: '/statement-lines/:id/explain',
  access: update,
  summary: 'Say why a statement line is no payment',
  params: idParams,
  body: z.strictObject({ explanation: z.enum(explanations), reason }),
  response: done,
})

const releaseBody = z.strictObject({
  /** True: the line and the one it resembles are two transfers. False: they are the same transfer. */
  both: z.boolean(),
  reason,
})
export type LineRelease = z.output<typeof releaseBody>

export const releaseLine = endpoint({
  method: 'POST',
  path: '/statement-lines/:id/release',
  access: update,
  summary: 'Say whether a held line is true beside the one it looks like, or the same transfer in other words',
  params: idParams,
  body: releaseBody,
  response: done,
})

export const releaseLines = endpoint({
  method: 'POST',
  path: '/statements/:id/release',
  access: update,
  summary: 'Say the same about all held lines of a statement',
  params: idParams,
  body: releaseBody,
  response: z.object({ data: z.object({ count: z.int() }) }),
})

export const reopenLine = endpoint({
  method: 'POST',
  path: '/statement-lines/:id/reopen',
  access: update,
  summary: 'Take back what was said about a statement line',
  params: idParams,
  body: z.strictObject({ reason }),
  response: done,
})

export const dayRow = z.object({
  id: z.uuid(),
  bankAccountId: z.uuid(),
  accountName: z.string(),
  day: date,
  state: z.enum(dayStates),
  ledgerCount: z.int(),
  ledgerTotal: rupiah,
  reportedCount: z.int(),
  reportedTotal: rupiah,
  statementCount: z.int(),
  statementTotalSen: sen,
  explainedTotalSen: sen,
  hasStatement: z.boolean(),
  differences: z.int(),
  openDifferences: z.int(),
  computedAt: time,
})
export type DayRow = z.output<typeof dayRow>

export const difference = z.object({
  id: z.uuid(),
  kind: z.enum(differenceKinds),
  label: z.string(),
  ledgerAmount: rupiah.nullable(),
  reportedAmount: rupiah.nullable(),
  statementAmountSen: sen.nullable(),
  payment: z.object({ id: z.uuid(), applicantName: z.string().nullable() }).nullable(),
  line: statementLineRow.nullable(),
  foundAt: time,
  settledAt: time.nullable(),
  settledBy: z.string().nullable(),
  settledHow: z.enum(['reason', 'agrees']).nullable(),
  reason: z.string().nullable(),
})
export type Difference = z.output<typeof difference>

export const readDay = endpoint({
  method: 'GET',
  path: '/rekonsiliasi/:id',
  access: view,
  summary: 'A day with its differences',
  params: idParams,
  response: z.object({ data: dayRow.extend({ list: z.array(difference) }) }),
})

export const computeDay = endpoint({
  method: 'POST',
  path: '/rekonsiliasi/compute',
  access: update,
  summary: 'Compare a day of an account anew, asking the provider where something is missing',
  body: z.strictObject({ bankAccountId: z.uuid(), day: typedDay }),
  rules: ({ day }, now) => ({ day: day && day > bankCalendar.dayOf(now) ? 'in_the_future' : null }),
  response: done,
})

export const settleDifference = endpoint({
  method: 'POST',
  path: '/reconciliation-differences/:id/settle',
  access: update,
  summary: 'Settle a difference with a reason',
  params: idParams,
  body: z.strictObject({ reason }),
  response: done,
})

export const differenceRow = /* @__PURE__ */ difference.omit({ line: true }).extend({
  settled: z.boolean(),
  dayId: z.uuid(),
  day: date,
  accountName: z.string(),
})
export type DifferenceRow = z.output<typeof differenceRow>
