export const billKinds = ['registration_fee', 're_registration'] as const
export type BillKind = (typeof billKinds)[number]

export const billStatuses = ['open', 'partly_paid', 'paid', 'waived', 'guaranteed', 'cancelled'] as const
export type BillStatus = (typeof billStatuses)[number]

type Step = { from: readonly BillStatus[]; to: BillStatus }

/** Transitions of a bill. Overdue is not a status; it is derived from the due date. */
export const billTransitions = {
  payPartly: { from: ['open', 'partly_paid'], to: 'partly_paid' },
  settle: { from: ['open', 'partly_paid'], to: 'paid' },
  waive: { from: ['open', 'partly_paid'], to: 'waived' },
  guarantee: { from: ['open', 'partly_paid'], to: 'guaranteed' },
  cancel: { from: ['open', 'partly_paid'], to: 'cancelled' },
  /** Money was taken off the bill, so it is owed again. */
  reopen: { from: ['paid', 'partly_paid', 'guaranteed'], to: 'open' },
} as const satisfies Record<string, Step>

/** Whether the bill can still request and receive money. */
export const isOwed = (status: BillStatus) => status === 'open' || status === 'partly_paid'

/** Whether nothing more is owed, so the step waiting for the bill may proceed. */
export const isSettled = (status: BillStatus) => status === 'paid' || status === 'waived' || status === 'guaranteed'

export const isOverdue = (bill: { status: BillStatus; dueAt: Date | string | null }, now: Date) =>
  isOwed(bill.status) && bill.dueAt !== null && new Date(bill.dueAt) < now
