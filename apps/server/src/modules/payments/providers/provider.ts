import type { IncomingHttpHeaders } from 'node:http'
import type { VirtualAccountStatus } from '#domain/payments/bills/virtual-account-status.ts'
import type { AmountType } from '#domain/payments/providers/amount-types.ts'
import { OutsideFailure } from '#server/platform/breaker.ts'

/** Operations of a bank or gateway. Amounts are whole rupiah. */
export type PaymentProvider = {
  /** Stored on every number and payment; never changes. */
  code: string
  /** True for the demo bank, which moves no money. */
  demo: boolean
  /** True in the trial environment of a gateway, where no real money moves. */
  trial?: boolean
  banks: readonly Bank[]
  /** The bank stores the numbers itself: it must be told when a number ends or less is left to pay on it. */
  keepsNumbers: boolean
  /** Milliseconds after the bank accepted a number until the portal first asks about payments on it. */
  firstAskMs: number
  /** Highest amount of a payment that is booked without two people. */
  maximumAmount: number
  /**
   * Makes the number known to the bank. Called outside any transaction and safe to repeat for the same account: a
   * number the bank has already is accepted unchanged. Fails with a `BankFailure`.
   */
  issue(account: NewVirtualAccount): Promise<IssuedAccount>
  /** Tells the bank the amount left to pay; only for banks that store the amount. */
  update?(account: NewVirtualAccount & KnownAccount): Promise<void>
  /** Stops a number from taking money. Money that still arrives waits in the queue. */
  close(account: KnownAccount, reason: 'expire' | 'cancel'): Promise<void>
  /**
   * Payments the bank has received on a number: recovers reports that never came. Missing where the bank cannot be
   * asked.
   */
  inquire?(account: KnownAccount): Promise<Inquiry>
  /**
   * Payments on a number that the books do not know; missing where the bank finds numbers only by the portal's own id.
   */
  inquireNumber?(account: UnknownAccount): Promise<Inquiry>
  /** Asks whether address and keys are right; fails with a `BankFailure`. */
  check?(): Promise<void>
  /** The refusal of a report that the bank has not signed, from its bytes alone; null for a signed report. */
  refuseUnsigned(report: RawReport): UnsignedReport | null
  /** Parses a report from the bytes as they arrived, after `refuseUnsigned` has accepted it. */
  readReport(report: RawReport): ReadReport | Promise<ReadReport>
  /**
   * Whether a payment is sent back instead of booked; called under the lock of the bill. Missing for banks that report
   * after the money has moved: they have amounts above the maximum held instead.
   */
  refuses?(payment: ReportedPayment, facts: PaymentFacts): Refusal | null
  /** The answer the bank expects. */
  answer(outcome: ReportOutcome, context: AnswerContext): ReportAnswer
}

/** `firstAskMs` of banks whose reports usually arrive. */
export const usualFirstAskMs = 15 * 60_000

export type Bank = {
  /** Unique among all providers; stored on every number. */
  code: string
  name: string
  /** Start of every number of this bank; null where the gateway makes the numbers. */
  prefix: string | null
  /** Digits behind the prefix, and the first and last value that belong to the portal. */
  digits: number
  first: number
  last: number
  amountType: AmountType
  /** Whether new numbers are issued. Old numbers keep taking money and reports. */
  offered: boolean
}

export type NewVirtualAccount = {
  /** The portal's own id, sent along and returned by gateways. */
  id: string
  bank: string
  /** Null where the gateway makes the number. */
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

/** Payments with the bank's own ids; or only sums, where the bank gives no id that identifies a repetition. */
export type Inquiry = { payments: ReportedPayment[] } | { received: { reference: string; amount: number }[] }

export type RawReport = {
  method: string
  /** As the caller sends it, with its query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Network of the sender, under which calls without a signature are counted. */
  network: string
}

/** `answer` where the protocol defines its own error messages. */
export type UnsignedReport = { kind: 'wrong_signature' | 'malformed'; answer?: ReportAnswer }

export type ReportedPayment = {
  /** The bank's own transaction id: the same for every repetition of the same payment. */
  reference: string
  virtualAccountNumber: string
  /** The portal's id of the number, where the gateway returns it. */
  virtualAccountId?: string
  /** Whole rupiah; beyond 2^53 only near the written amount, which no payment reaches. */
  amount: number
  /** The amount as written, where a JavaScript number cannot hold it exactly. */
  amountTold?: string
  /** The time the bank wrote; an Invalid Date if it cannot be read. */
  paidAt: Date
  /** The time as written, where a report has one. */
  paidAtTold?: string
  channel: string | null
  /** The bank's own id of the number, where a report names it. */
  numberReference?: string
  /** The bank may reverse the payment, and may have done so before this report. */
  mayBeReversed?: boolean
  /** The gateway suspects fraud: staff decide, or a later report of the same payment clears it. */
  underReview?: boolean
}

export type ReadReport =
  | { kind: 'payment'; payment: ReportedPayment }
  /** Money reported earlier did not arrive after all. */
  | { kind: 'reversal'; reference: string; virtualAccountId?: string }
  /** Genuine, but not about money that arrived. `issued` where it reports a number that the gateway has made. */
  | { kind: 'ignored'; virtualAccountId?: string; issued?: IssuedAccount }
  | UnsignedReport

/** Result of a report; stored on the report and answered to the bank. */
export const reportOutcomes = [
  'booked',
  'repeated',
  /** The same transaction id with another amount or number: the first report stands, staff have to check. */
  'contradicts',
  /** Above the maximum of the connection: booked only once a second person approves. */
  'held',
  /** Sent back by agreement with the bank: nothing was booked. */
  'refused',
  /** Reported money did not arrive after all: staff have to check. */
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
  /** Whole rupiah left to pay on the number. */
  remaining: number
  now: Date
}
export const refusals = ['unknown_number', 'settled', 'expired', 'closed', 'amount'] as const
export type Refusal = (typeof refusals)[number]

export type AnswerContext = {
  report: RawReport
  read?: ReadReport
  refusal?: Refusal
  /** The bytes of the report with which the payment was booked, for a repetition. */
  first?: Buffer
}

export type ReportAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/** Why a bank did not carry out a request. */
export class BankFailure extends OutsideFailure {}
