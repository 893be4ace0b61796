import type { IncomingHttpHeaders } from 'node:http'
import type { VirtualAccountStatus } from '#domain/payments/bills/virtual-account-status.ts'
import type { AmountType } from '#domain/payments/providers/amount-types.ts'

/** What a bank or gateway must be able to do for us. Amounts are whole rupiah. */
export type PaymentProvider = {
  /** Stored on every number and payment; never changes. */
  code: string
  /** Only pretends to be a bank. */
  demo: boolean
  banks: readonly Bank[]
  /** Has its own copy of our numbers: it is told when one ends or less is left to pay on it. */
  keepsNumbers: boolean
  /** How long after it took a number it is first asked what it received on it. */
  firstAskMs: number
  /** Most rupiah of one payment that is booked without two people. */
  maximumAmount: number
  /**
   * Makes the number known to the bank. Called outside any transaction and safe to call again for the same account: what
   * the bank has already is taken as it stands. Fails with a `BankFailure`.
   */
  issue(account: NewVirtualAccount): Promise<IssuedAccount>
  /** Tells the bank how much is left to pay; only where the bank keeps the amount. */
  update?(account: NewVirtualAccount & KnownAccount): Promise<void>
  /** The number stops taking money. Money that still arrives waits in the queue. */
  close(account: KnownAccount, reason: 'expire' | 'cancel'): Promise<void>
  /** What the bank has received on a number: for reports that never came. Missing where the bank cannot be asked. */
  inquire?(account: KnownAccount): Promise<Inquiry>
  /** The same about a number our books do not know; missing where the bank knows numbers by an id of ours only. */
  inquireNumber?(account: UnknownAccount): Promise<Inquiry>
  /** Asks whether address and keys are right; fails with a `BankFailure`. */
  check?(): Promise<void>
  /** How a report is refused that the bank has not signed, from its bytes alone; null for one that it has. */
  refuseUnsigned(report: RawReport): UnsignedReport | null
  /** Reads a report from the bytes as they arrived, after `refuseUnsigned` has let it pass. */
  readReport(report: RawReport): ReadReport | Promise<ReadReport>
  /**
   * Whether a payment is sent back instead of kept; asked under the lock of the bill. Missing where the money has moved:
   * then an amount above the maximum is held.
   */
  refuses?(payment: ReportedPayment, facts: PaymentFacts): Refusal | null
  /** What the bank expects to hear. */
  answer(outcome: ReportOutcome, told: Told): ReportAnswer
}

/** `firstAskMs` of a bank whose reports arrive as a rule. */
export const usualFirstAskMs = 15 * 60_000

export type Bank = {
  /** Unique among all providers; stored on every number. */
  code: string
  name: string
  /** What every number of this bank starts with; nothing where the gateway makes the numbers. */
  prefix: string | null
  /** Digits behind the prefix, and the first and last of them that are ours. */
  digits: number
  first: number
  last: number
  amountType: AmountType
  /** New numbers are given. Old ones go on taking money and reports. */
  offered: boolean
}

export type NewVirtualAccount = {
  /** Our own id, sent along and given back by gateways. */
  id: string
  bank: string
  /** Nothing where the gateway makes the number. */
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

/** Payments with the bank's own ids; or only sums, where the bank gives no id by which a repetition could be told. */
export type Inquiry = { payments: ReportedPayment[] } | { received: { reference: string; amount: number }[] }

export type RawReport = {
  method: string
  /** As the caller sees it, with its query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Network of the sender, under which calls without a signature are counted. */
  network: string
}

/** `answer` where the protocol has words of its own for what is wrong. */
export type UnsignedReport = { kind: 'wrong_signature' | 'malformed'; answer?: ReportAnswer }

export type ReportedPayment = {
  /** The bank's own transaction id: the same for every repetition of the same payment. */
  reference: string
  virtualAccountNumber: string
  /** Our own id of the number, where the gateway gives it back. */
  virtualAccountId?: string
  /** Whole rupiah; beyond 2^53 only near what was told, which no payment has. */
  amount: number
  /** The amount as it was written, where a number does not hold it. */
  amountTold?: string
  /** What the bank's words say; an Invalid Date where they say nothing. */
  paidAt: Date
  /** The words, where a report has them. */
  paidAtTold?: string
  channel: string | null
  /** The bank's own id of the number, where a report names it. */
  numberReference?: string
  /** The bank may take it back, and may have done so before it told of it. */
  mayBeReversed?: boolean
  /** The gateway has not cleared it of fraud: a person decides, or a later report of the same payment that has. */
  underReview?: boolean
}

export type ReadReport =
  | { kind: 'payment'; payment: ReportedPayment }
  /** Money told of earlier did not arrive after all. */
  | { kind: 'reversal'; reference: string; virtualAccountId?: string }
  /** Genuine, but not about money that arrived. `issued` where it tells of a number that the gateway has made. */
  | { kind: 'ignored'; virtualAccountId?: string; issued?: IssuedAccount }
  | UnsignedReport

/** How a report ended; stored on it and told to the bank. */
export const reportOutcomes = [
  'booked',
  'repeated',
  /** The same transaction id with another amount or number: the first report stands, staff have to look. */
  'contradicts',
  /** Above the maximum of the connection: nothing is booked until two people have said so. */
  'held',
  /** Sent back by agreement with the bank: nothing was booked. */
  'refused',
  /** Money that was told of did not arrive after all: a person has to look. */
  'reversed',
  /** The same, before anything was told of it. */
  'reversed_early',
  'ignored',
  'wrong_signature',
  'malformed',
  'failed',
] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

export type PaymentFacts = {
  account: { status: VirtualAccountStatus; expiresAt: Date; amountType: AmountType } | null
  /** What is left to pay on the number. */
  remaining: number
  now: Date
}
export const refusals = ['unknown_number', 'settled', 'expired', 'closed', 'amount'] as const
export type Refusal = (typeof refusals)[number]

export type Told = {
  report: RawReport
  read?: ReadReport
  refusal?: Refusal
  /** The bytes of the report with which the payment was booked, for a repetition. */
  first?: Buffer
}

export type ReportAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/** Why a bank did not do what it was asked. */
export class BankFailure extends Error {
  /** `unavailable` passes by itself and is tried again; `refused` is the bank's word. */
  readonly kind: 'unavailable' | 'refused'
  readonly detail: string
  constructor(kind: 'unavailable' | 'refused', detail: string) {
    super(`${kind}: ${detail}`)
    this.kind = kind
    this.detail = detail.slice(0, 300)
  }
}
