import crypto from 'node:crypto'
import type { ReadReport, ReportedPayment } from '#server/modules/payments/providers/provider.ts'

const dayMs = 86_400_000
/** Days by which a time that a bank tells may differ from the arrival of its report. */
const believedDays = 400
/** Widths of the columns of `payments`. */
const longest = { reference: 80, number: 28, channel: 40, paidAtTold: 60 } as const

/** Text that PostgreSQL takes: without NUL and halves of surrogate pairs, and not too long. */
const cut = (text: string, most: number) => text.replaceAll('\u0000', '').toWellFormed().slice(0, most).toWellFormed()

/**
 * Text by which something is found again, cut to a column. Cut, it ends in a digest of the whole: two texts that begin alike
 * stay two, and none becomes the number of somebody else.
 */
export function cutKey(text: string, most: number): string {
  const fitting = cut(text, most)
  if (fitting === text) return text
  const digest = crypto.createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${cut(text, most - 17)}~${digest}`
}

/**
 * A payment as the books take it. Nothing of it makes a report fail: what is too long is cut, a time that differs too much
 * from the arrival gives way to the arrival and is kept as it was written. The bytes of the report keep the rest.
 */
export function fitPayment(payment: ReportedPayment, arrivedAt: Date): ReportedPayment {
  const { paidAtTold, ...rest } = payment
  const off = Math.abs(payment.paidAt.getTime() - arrivedAt.getTime())
  const believed = off <= believedDays * dayMs
  const told = paidAtTold ?? (Number.isNaN(off) ? '' : payment.paidAt.toISOString())
  return {
    ...rest,
    reference: cutKey(payment.reference, longest.reference),
    virtualAccountNumber: cutKey(payment.virtualAccountNumber, longest.number),
    channel: payment.channel === null ? null : cut(payment.channel, longest.channel),
    ...(!believed && { paidAt: arrivedAt, paidAtTold: cut(told, longest.paidAtTold) }),
  }
}

/** The same for whatever a report tells. */
export function fitReport(read: ReadReport, arrivedAt: Date): ReadReport {
  if (read.kind === 'payment') return { ...read, payment: fitPayment(read.payment, arrivedAt) }
  return read.kind === 'reversal' ? { ...read, reference: cutKey(read.reference, longest.reference) } : read
}
