import type { IncomingHttpHeaders } from 'node:http'
import type { VirtualAccountStatus } from '#domain/payments/bills/virtual-account-status.ts'
import type { AmountType } from '#domain/payments/providers/amount-types.ts'
import type { PayWay } from '#domain/payments/providers/pay-ways.ts'
import { OutsideFailure } from '#server/platform/breaker.ts'

/** Operations of a bank or gateway. Amounts are whole rupiah. */
export type PaymentProvider = {
  /** Stored on every number and payment; never changes. */
  code: string
  /** True for the demo bank, which moves no real money. */
  demo: boolean
  /** True for a gateway's trial environment, where no real money moves. */
  trial?: boolean
  banks: readonly Bank[]
  /** The bank stores the numbers, so it needs a message when a number ends or less remains to be paid on it. */
  keepsNumbers: boolean
  /** Milliseconds after the bank accepted a number until the portal first asks about payments on it. */
  firstAskMs: number
  /** Highest amount booked without two people. */
  maximumAmount: number
  /**
   * Registers the number at the bank. Called outside any transaction and safe to repeat for the same account: the bank
   * accepts a number it already has. Throws a `BankFailure`.
   */
  issue(account: NewVirtualAccount): Promise<IssuedAccount>
  /** Tells the bank the remaining amount; only for banks that store the amount. */
  update?(account: NewVirtualAccount & KnownAccount): Promise<void>
  /** Stops a number from taking money. Money that still arrives waits. */
  close(account: KnownAccount, reason: 'expire' | 'cancel'): Promise<void>
  /** Payments the bank has received on a number, to recover missing reports. Undefined if the bank cannot be asked. */
  inquire?(account: KnownAccount): Promise<Inquiry>
  /** Payments on a number unknown to the books. Undefined if the bank finds numbers only by the portal's own id. */
  inquireNumber?(account: UnknownAccount): Promise<Inquiry>
  /** Asks whether address and keys are right; throws a `BankFailure`. */
  check?(): Promise<void>
  /** The refusal of a report without the bank's signature, from its bytes alone; null for a signed report. */
  refuseUnsigned(report: RawReport): UnsignedReport | null
  /** Parses a report from its original bytes, after `refuseUnsigned` has accepted it. */
  readReport(report: RawReport): ReadReport | Promise<ReadReport>
  /**
   * Why a payment is returned instead of booked; null to book it. Called under the lock of the bill. Undefined for
   * banks that report after the money has moved; their amounts above the maximum are held instead.
   */
  refuses?(payment: ReportedPayment, facts: PaymentFacts): Refusal | null
  /** The response the bank expects. */
  answer(outcome: ReportOutcome, context: AnswerContext): ReportAnswer
}

/** `firstAskMs` of banks whose reports usually arrive. */
export const usualFirstAskMs = 15 * 60_000

export type Bank = {
  /** Unique among all providers; stored on every number. */
  code: string
  name: string
  /** Start of every number of this bank; null if the gateway makes the numbers. */
  prefix: string | null
  /** Digits after the prefix, and the first and last value that belong to the portal. */
  digits: number
  first: number
  last: number
  amountType: AmountType
  /** Left out for transfers. */
  way?: PayWay
  /** Whether new numbers are issued. Old numbers still take money and reports. */
  offered: boolean
}

export type NewVirtualAccount = {
  /** The portal's own id; gateways return it. */
  id: string
  bank: string
  /** Null if the gateway makes the number. */
  number: string | null
  amount: number
  amountType: AmountType
  payerName: string
  description: string
  expiresAt: Date
}

export type IssuedAccount = {
  number: string
  /** The bank's own id of the number. */
  reference: string | null
  /** Text of the QRIS code. */
  qrText?: string
  /** Link that opens the wallet's app. */
  payUrl?: string
  /** When the bank ends the code or link, if earlier than asked. */
  expiresAt?: Date
}

export type KnownAccount = {
  id: string
  bank: string
  number: string | null
  reference: string | null
  amountType: AmountType
  status: VirtualAccountStatus
}

export type UnknownAccount = { bank: string; number: string }

/** Payments with the bank's own ids, or only sums if the bank gives no id that identifies a repetition. */
export type Inquiry = { payments: ReportedPayment[] } | { received: Sum[]; givenBack?: Sum[] }
type Sum = { reference: string; amount: number }

export type RawReport = {
  method: string
  /** As sent by the caller, with the query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Network of the sender; unsigned calls are counted by it. */
  network: string
}

/** `answer` if the protocol defines its own error messages. */
export type UnsignedReport = { kind: 'wrong_signature' | 'malformed'; answer?: ReportAnswer }

export type ReportedPayment = {
  /** The bank's own transaction id, the same for every repetition of a payment. */
  reference: string
  virtualAccountNumber: string
  /** The portal's id of the number, if the gateway returns it. */
  virtualAccountId?: string
  /** Whole rupiah; beyond 2^53 only an approximation of the written amount, which no real payment reaches. */
  amount: number
  /** The amount as written, if a JavaScript number cannot hold it exactly. */
  amountTold?: string
  /** The time written by the bank; an Invalid Date if it cannot be read. */
  paidAt: Date
  /** The time as written, if the report has one. */
  paidAtTold?: string
  channel: string | null
  /** The bank's own id of the number, if the report names it. */
  numberReference?: string
  /** The bank may reverse the payment, possibly before this report. */
  mayBeReversed?: boolean
  /** The gateway suspects fraud. Staff decide, or a later report of the same payment clears it. */
  underReview?: boolean
}

export type ReadReport =
  | { kind: 'payment'; payment: ReportedPayment }
  /** Money reported earlier did not arrive. */
  | { kind: 'reversal'; reference: string; virtualAccountId?: string }
  /**
   * Genuine, but not about received money. `issued` if it reports a number made by the gateway, `ended` if a code or
   * link takes no money any more.
   */
  | { kind: 'ignored'; virtualAccountId?: string; issued?: IssuedAccount; ended?: boolean }
  | UnsignedReport

/** Outcome of a report: stored with it, and the basis of the response to the bank. */
export const reportOutcomes = [
  'booked',
  'repeated',
  /** The same transaction id with another amount or number. The first report stays, and staff have to check. */
  'contradicts',
  /** Above the maximum of the connection; booked only after a second person approves. */
  'held',
  /** Returned by agreement with the bank; nothing was booked. */
  'refused',
  /** Reported money did not arrive; staff have to check. */
  'reversed',
  /** Reversed before the payment itself was reported. */
  'reversed_early',
  'ignored',
  'wrong_signature',
  'malformed',
  'failed',
] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

export type PaymentFacts = {
  account: { status: VirtualAccountStatus; expiresAt: Date; amountType: AmountType } | null
  /** Whole rupiah that remain to be paid on the number. */
  remaining: number
  now: Date
}
export const refusals = ['unknown_number', 'settled', 'expired', 'closed', 'amount'] as const
export type Refusal = (typeof refusals)[number]

export type AnswerContext = {
  report: RawReport
  read?: ReadReport
  refusal?: Refusal
  /** For a repetition, the bytes of the report with which the payment was booked. */
  first?: Buffer
}

export type ReportAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/** Why a bank did not carry out a request. */
export class BankFailure extends OutsideFailure {}
