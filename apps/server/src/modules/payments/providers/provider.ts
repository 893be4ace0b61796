import type { IncomingHttpHeaders } from 'node:http'

/** What a bank or gateway must be able to do for us. Amounts are whole rupiah. */
export type PaymentProvider = {
  /** Stored on every number and payment; never rename. */
  code: string
  /** Only pretends to be a bank. */
  demo: boolean
  banks: readonly Bank[]
  /**
   * Makes the number known to the bank, open for any amount up to `amount` until it expires. Called while the bill's row
   * is locked: it has to answer or fail within ten seconds.
   */
  issue(account: NewVirtualAccount): Promise<{ reference: string | null }>
  /** The number stops taking money. Failing is not fatal: money that still arrives waits in the queue. */
  close(account: { bank: string; number: string; reference: string | null }, reason: 'expire' | 'cancel'): Promise<void>
  /** Everything the bank has received on a number: for reports that never came. */
  inquire(account: { bank: string; number: string; reference: string | null }): Promise<ReportedPayment[]>
  /** Reads a report from the bytes as they arrived. The signature is checked before anything in it is believed. */
  readReport(report: RawReport): ReadReport
  /** What the bank expects to hear. */
  answer(outcome: ReportOutcome): ReportAnswer
}

export type Bank = {
  /** Unique among all providers; stored on every number. */
  code: string
  name: string
  /** What every number of this bank starts with. */
  prefix: string
}

export type NewVirtualAccount = {
  bank: string
  number: string
  amount: number
  payerName: string
  description: string
  expiresAt: Date
}

export type RawReport = { headers: IncomingHttpHeaders; body: Buffer }

export type ReportedPayment = {
  /** The bank's own transaction id: the same for every repetition of the same payment. */
  reference: string
  virtualAccountNumber: string
  amount: number
  paidAt: Date
  channel: string | null
}

export type ReadReport =
  | { kind: 'payment'; payment: ReportedPayment }
  /** Genuine, but not about money that arrived. */
  | { kind: 'ignored' }
  | { kind: 'wrong_signature' }
  | { kind: 'malformed' }

/** How a report ended; stored on it and told to the bank. */
export const reportOutcomes = [
  'booked',
  'repeated',
  /** The same transaction id with another amount or number: the first report stands, staff have to look. */
  'contradicts',
  'ignored',
  'wrong_signature',
  'malformed',
  'failed',
] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

export type ReportAnswer = { status: number; body: unknown }
