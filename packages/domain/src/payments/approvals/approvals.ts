/** Kinds of requests that one account asks and another decides. */
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

/**
 * Kinds whose requests have no sum, about settings and about held amounts: a role decides about all of them or about
 * none.
 */
export const kindsWithoutSum: readonly ApprovalKind[] = ['bank_account', 'provider_connection', 'held_amount']

export const approvalStatuses = ['pending', 'approved', 'rejected', 'withdrawn', 'superseded'] as const
export type ApprovalStatus = (typeof approvalStatuses)[number]

/**
 * Every request is decided once, by an account that asked neither this request nor one it renews; or withdrawn by the
 * account that asked; or renewed by any account that may ask, where its effect has changed.
 */
export const approvalTransitions = {
  approve: { from: 'pending', to: 'approved', by: 'another' },
  reject: { from: 'pending', to: 'rejected', by: 'another' },
  withdraw: { from: 'pending', to: 'withdrawn', by: 'requester' },
  renew: { from: 'pending', to: 'superseded', by: 'asker' },
} as const satisfies Record<string, { from: ApprovalStatus; to: ApprovalStatus; by: 'another' | 'requester' | 'asker' }>
export type ApprovalAction = keyof typeof approvalTransitions

/**
 * Span over which the approved sums of a kind are added up for the limit, so that splitting a sum cannot evade it: all
 * bills of one kind of a registration, or all of a registration. `request`: sums are not added up.
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
  // The money has no owner yet; sums assigned to an owner add up as `allocation`.
  statement_line: 'request',
  allocation: 'registration',
  bank_account: 'request',
  provider_connection: 'request',
  held_amount: 'request',
}

/** Most rupiah a role may decide: null for any sum, undefined for none. */
export type ApprovalLimit = number | null | undefined

type Question = {
  /** Accounts that asked for the request, or for a request it renews. */
  askedBy: readonly string[]
  status: ApprovalStatus
  amount: number
  /** Rupiah approved before within the span of the kind. */
  approvedBefore: number
  /** Accounts that imported the statement line from which the money came, or asked to record it. */
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
