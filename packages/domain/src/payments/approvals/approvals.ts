/** Kinds of requests that one account makes and another decides. */
export const approvalKinds = [
  'manual_payment',
  'reversal',
  'refund',
  'waiver',
  'discount',
  'guarantee',
  'due_date',
  'installment_plan',
  'promise',
  'statement_line',
  'allocation',
  'bank_account',
  'provider_connection',
  'held_amount',
] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** Kinds without a sum (settings, held amounts): a role decides all of them or none. */
export const kindsWithoutSum: readonly ApprovalKind[] = ['bank_account', 'provider_connection', 'held_amount']

export const approvalStatuses = ['pending', 'approved', 'rejected', 'withdrawn', 'superseded'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/**
 * A request is decided once, by an account that made neither this request nor one it renews. The account that made it
 * may withdraw it; if its effect has changed, any account that may make such requests can renew it.
 */
export const approvalTransitions = {
  approve: { from: 'pending', to: 'approved', by: 'another' },
  reject: { from: 'pending', to: 'rejected', by: 'another' },
  withdraw: { from: 'pending', to: 'withdrawn', by: 'requester' },
  renew: { from: 'pending', to: 'superseded', by: 'asker' },
} as const satisfies Record<string, { from: ApprovalStatus; to: ApprovalStatus; by: 'another' | 'requester' | 'asker' }>
export type ApprovalAction = keyof typeof approvalTransitions

/**
 * Span over which approved sums of a kind add up towards the limit, so that splitting a sum cannot evade it: all bills
 * of one kind of a registration, or the whole registration. `request`: sums do not add up.
 */
export const limitSpans: Record<ApprovalKind, 'bill' | 'registration' | 'request'> = {
  manual_payment: 'registration',
  reversal: 'registration',
  refund: 'registration',
  waiver: 'bill',
  discount: 'bill',
  guarantee: 'bill',
  due_date: 'bill',
  installment_plan: 'bill',
  promise: 'bill',
  // The money has no owner yet; once assigned, its sums add up as `allocation`.
  statement_line: 'request',
  allocation: 'registration',
  bank_account: 'request',
  provider_connection: 'request',
  held_amount: 'request',
}

/** Most rupiah a role may decide about: null for any sum, undefined for none. */
export type ApprovalLimit = number | null | undefined

type Question = {
  /** Accounts that made the request, or one it renews. */
  askedBy: readonly string[]
  status: ApprovalStatus
  amount: number
  /** Rupiah already approved within the span of this kind. */
  approvedBefore: number
  /** Accounts that imported the statement line of the money, or requested to record it. */
  lineAskedBy: readonly string[]
}

/** Why an account may not decide about a request; null if allowed. */
export function whyNotDecide(
  { askedBy, status, amount, approvedBefore, lineAskedBy }: Question,
  accountId: string,
  limit: ApprovalLimit,
): 'wrong_status' | 'own_request' | 'own_statement_line' | 'no_approval_limit' | 'above_approval_limit' | null {
  if (status !== 'pending') return 'wrong_status'
  if (askedBy.includes(accountId)) return 'own_request'
  if (lineAskedBy.includes(accountId)) return 'own_statement_line'
  if (limit === undefined) return 'no_approval_limit'
  return limit !== null && approvedBefore + amount > limit ? 'above_approval_limit' : null
}
