type Measure =
  /** Whole rupiah. */
  | 'rupiah'
  /** Number of rows or things. */
  | 'count'
  /** Statuses, names and numbers. */
  | 'word'

type InvariantFacts = { area: string; measure: Measure }

const declareArea = <const A extends string, const N extends string>(area: A, names: Record<N, Measure>) =>
  Object.fromEntries(
    Object.entries<Measure>(names).map(([name, measure]) => [name, { area, measure }]),
  ) as unknown as Record<N, { area: A; measure: Measure }>

/**
 * Conditions that hold while the books are right. Each has a query in `modules/ops/invariants/<area>.ts` and texts
 * under `ops:checks` and `ops:meanings`; server and locales compile only with both.
 */
export const invariants = {
  ...declareArea('bills', {
    'bill-paid': 'rupiah',
    'bill-lines': 'rupiah',
    'bill-issued': 'rupiah',
    'bill-status': 'word',
    'bill-paid-date': 'word',
    'bill-owner': 'word',
    'bill-of-kind': 'count',
    'bill-exception': 'word',
    'bill-reduction': 'rupiah',
    'bill-promise': 'word',
    'instalment-total': 'rupiah',
    'instalment-paid': 'rupiah',
    'instalment-paid-date': 'word',
  }),
  ...declareArea('allocations', {
    'allocation-bill': 'word',
    'allocation-owner': 'word',
    'allocation-reversal': 'rupiah',
  }),
  ...declareArea('payments', {
    'payment-split': 'rupiah',
    'payment-status': 'word',
    'payment-successor': 'rupiah',
    'payment-refunds': 'rupiah',
    'payment-twice': 'word',
    'approval-effect': 'word',
    'approval-done': 'word',
    'payment-source': 'word',
    'payment-time': 'word',
    'payment-number': 'word',
    'report-booked': 'word',
    'amount-held': 'word',
    'receipt-gap': 'count',
    'receipt-without-money': 'word',
  }),
  ...declareArea('approvals', {
    'approval-asked': 'word',
    'approval-decider': 'word',
    'refund-payee': 'word',
    'line-approval': 'word',
    'bank-account-approval': 'word',
    'connection-approval': 'word',
    'connection-key': 'word',
  }),
  ...declareArea('virtual-accounts', {
    'va-one-active': 'count',
    'va-bill-status': 'word',
    'va-instalment': 'word',
    'va-expired': 'word',
    'va-paid': 'word',
    'va-closed-date': 'word',
    'va-received': 'rupiah',
    'va-bill': 'word',
  }),
  ...declareArea('statements', {
    'statement-import': 'count',
    'statement-payment': 'rupiah',
    'statement-match': 'rupiah',
    'reconciliation-day': 'count',
  }),
  ...declareArea('discounts', {
    'discount-uses': 'count',
    'discount-limit': 'count',
    'voucher-uses': 'count',
    'voucher-limit': 'count',
    'agreement-uses': 'count',
    'agreement-quota': 'count',
    'discount-line': 'rupiah',
    'discount-owner': 'word',
    'discount-approval': 'rupiah',
  }),
  ...declareArea('seats', {
    'seat-count': 'count',
    'seat-capacity': 'count',
    'seat-one': 'count',
    'seat-registration': 'word',
    'seat-cancelled': 'word',
    'seat-offer': 'word',
    'seat-order': 'count',
    'seat-attendance': 'word',
    'room-sum': 'count',
    'place-room': 'count',
    'place-one': 'count',
    'programme-capacity': 'count',
    'track-division': 'count',
    'track-capacity': 'count',
  }),
  ...declareArea('jackets', {
    'jacket-stock': 'count',
    'jacket-hand-out': 'count',
  }),
  ...declareArea('numbers', {
    'counter-behind': 'count',
  }),
  ...declareArea('letters', {
    'letter-number': 'count',
    'letter-hash': 'word',
  }),
  ...declareArea('commission', {
    'commission-sum': 'rupiah',
    'commission-payout': 'rupiah',
    'commission-rule': 'rupiah',
  }),
  ...declareArea('registrations', {
    'registration-fee': 'word',
    'registration-closed': 'word',
    'registration-student': 'word',
    'student-unlock': 'word',
    'student-programme': 'word',
    'student-number-again': 'word',
    'student-card': 'count',
    'registration-steps': 'word',
    'reserve-order': 'count',
    'reserve-offer': 'word',
  }),
  ...declareArea('seasons', {
    'season-count': 'count',
    'season-money': 'rupiah',
    'season-sums': 'count',
  }),
  ...declareArea('facts', {
    'fact-registration': 'word',
    'fact-place': 'word',
    'fact-payment': 'rupiah',
    'fact-money': 'rupiah',
  }),
} as const satisfies Record<string, InvariantFacts>

export type InvariantName = keyof typeof invariants
export type InvariantArea = (typeof invariants)[InvariantName]['area']

export const invariantNames = Object.keys(invariants) as [InvariantName, ...InvariantName[]]
