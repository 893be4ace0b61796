export const differenceKinds = [
  /** On the statement, not in the books. */
  'not_in_ledger',
  /** In the books, not on the statement. */
  'not_in_statement',
  'amount_differs',
  /** The provider knows of money that is not in the books. */
  'reported_not_booked',
  /** The provider told the same payment twice with different amounts or numbers. */
  'report_contradicts',
  /** The bank took a credit back. */
  'taken_back',
  /** Looks like a line kept before, and nobody has said yet whether both are true. */
  'line_held',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const dayStates = ['open', 'no_statement', 'balanced'] as const

/** How far the day a bank writes may lie from the day the money came, in days. */
export const dayTolerance = 1
