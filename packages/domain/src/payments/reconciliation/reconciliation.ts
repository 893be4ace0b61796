export const differenceKinds = [
  /** On the statement, not in the books. */
  'not_in_ledger',
  /** In the books, not on the statement. */
  'not_in_statement',
  'amount_differs',
  /** The provider reported money that is not in the books. */
  'reported_not_booked',
  /** The provider reported the same payment twice with different amounts or numbers. */
  'report_contradicts',
  /** The bank reversed a credit. */
  'taken_back',
  /** Resembles a stored line; staff have not decided yet whether both are real. */
  'line_held',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const dayStates = ['open', 'no_statement', 'balanced'] as const

/** Most days between the bank's written day and the day the money came. */
export const dayTolerance = 1
