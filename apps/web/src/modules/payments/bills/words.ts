import type { BillView, InstallmentView, PaymentView, VirtualAccountView } from '#domain/payments/bills/endpoints.ts'
import type { PromiseState } from '#domain/payments/bills/promise.ts'
import type { Language } from '#entities/define/language.ts'
import { timeOfDay, weekdayDate } from '#locales/format.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

/** `Friday, 27 November 2026, 23.59`. */
export const deadline = (value: string | Date, language: Language) =>
  `${weekdayDate(value, language)}, ${timeOfDay(value, language)}`

export const billTone = (bill: Pick<BillView, 'status' | 'overdue'>): Tone =>
  bill.overdue
    ? 'attention'
    : ({
        open: 'attention',
        partly_paid: 'progress',
        paid: 'done',
        waived: 'done',
        guaranteed: 'done',
        cancelled: 'stopped',
      }[bill.status] as Tone)

export const promiseTone = (state: PromiseState): Tone =>
  ({ open: 'progress', kept: 'done', broken: 'attention' })[state] as Tone

/** A payment with only a part waiting counts as booked. */
export const paymentTone = ({ status, allocated }: Pick<PaymentView, 'status' | 'allocated'>): Tone =>
  ({ received: 'progress', allocated: 'done', waiting: allocated > 0 ? 'done' : 'attention', reversed: 'stopped' })[
    status
  ] as Tone

type ReportedPayment = Pick<BillView['payments'][number], 'id' | 'status' | 'allocated' | 'waitingReason' | 'seen'>

/** Payments not yet shown to the payer, except money a bank or gateway doubts. */
export const unseenPayments = <P extends ReportedPayment>(payments: readonly P[]): P[] =>
  payments.filter(
    ({ seen, status, allocated, waitingReason }) =>
      !seen &&
      (status === 'allocated' || status === 'waiting') &&
      (allocated > 0 || (waitingReason !== 'fraud_review' && waitingReason !== 'reversed_by_bank')),
  )

/** Whether everything due so far is paid, so that the next instalment is offered, not demanded. */
export const nextMayWait = ({ next, paid, overdue, takenBack, installments }: BillView): boolean =>
  next !== null &&
  paid > 0 &&
  !overdue &&
  !takenBack &&
  installments.some((part) => part.id === next.installmentId && part.paid === 0)

/** Bank that received the money, or the method if the finance office entered it. */
export const cameBy = (
  { virtualAccountNumber, bankName, channel }: Pick<PaymentView, 'virtualAccountNumber' | 'bankName' | 'channel'>,
  t: (key: 'manual.cash' | 'manual.transfer') => string,
) => (virtualAccountNumber ? bankName : t(channel === 'cash' ? 'manual.cash' : 'manual.transfer'))

export const accountTone = (status: VirtualAccountView['status']): Tone =>
  ({
    pending: 'waiting',
    active: 'progress',
    paid: 'done',
    expired: 'stopped',
    replaced: 'stopped',
    cancelled: 'stopped',
    failed: 'stopped',
  })[status] as Tone

export const installmentState = (part: InstallmentView) =>
  part.paid >= part.amount
    ? ({ tone: 'done', key: 'billStatus.paid' } as const)
    : part.overdue
      ? ({ tone: 'attention', key: 'overdue' } as const)
      : part.paid > 0
        ? ({ tone: 'progress', key: 'billStatus.partly_paid' } as const)
        : ({ tone: 'waiting', key: 'bill.upcoming' } as const)
