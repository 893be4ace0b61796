import crypto from 'node:crypto'
import type { ReadReport, ReportedPayment } from '#server/modules/payments/providers/provider.ts'
import { cutText } from '#server/platform/read-answer.ts'

const dayMs = 86_400_000
/** Days by which the time in a report may differ from its arrival. */
const believedDays = 400
/** Widths of the columns of `payments`. */
const longest = { reference: 80, number: 28, channel: 40, paidAtTold: 60 } as const

/**
 * A search key shortened to the width of a column. A shortened key ends in a digest of the whole text, so two texts
 * with the same start stay different and neither equals another stored key.
 */
export function cutKey(text: string, most: number): string {
  const fitting = cutText(text, most)
  if (fitting === text) return text
  const digest = crypto.createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${cutText(text, most - 17)}~${digest}`
}

/**
 * A payment that fits the columns of the books, so that no value makes a report fail. Long texts are shortened; a time
 * too far from the arrival is replaced by the arrival and stored as written. The report's bytes keep the rest.
 */
export function fitPayment(payment: ReportedPayment, arrivedAt: Date): ReportedPayment {
  const { paidAtTold, ...rest } = payment
  const off = Math.abs(payment.paidAt.getTime() - arrivedAt.getTime())
  const isBelievable = off <= believedDays * dayMs
  const writtenTime = paidAtTold ?? (Number.isNaN(off) ? '' : payment.paidAt.toISOString())
  return {
    ...rest,
    reference: cutKey(payment.reference, longest.reference),
    virtualAccountNumber: cutKey(payment.virtualAccountNumber, longest.number),
    channel: payment.channel === null ? null : cutText(payment.channel, longest.channel),
    ...(!isBelievable && { paidAt: arrivedAt, paidAtTold: cutText(writtenTime, longest.paidAtTold) }),
  }
}

/** Applies `fitPayment` to a report of any kind. */
export function fitReport(read: ReadReport, arrivedAt: Date): ReadReport {
  if (read.kind === 'payment') return { ...read, payment: fitPayment(read.payment, arrivedAt) }
  return read.kind === 'reversal' ? { ...read, reference: cutKey(read.reference, longest.reference) } : read
}
