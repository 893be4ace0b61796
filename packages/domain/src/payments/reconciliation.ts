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
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const dayStates = ['open', 'no_statement', 'balanced'] as const

/** How far the day a bank writes may lie from the day the money came, in days. */
export const dayTolerance = 1

const day = 86_400_000

/** The day so many days later, as text. */
export const shiftDay = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)

/** The instants between which a day in Jakarta lies: from the first to before the second. */
export const boundsOfDay = (date: string): [Date, Date] => [
  new Date(`${date}T00:00:00+07:00`),
  new Date(`${shiftDay(date, 1)}T00:00:00+07:00`),
]

/** The day in Jakarta. */
export const dayInJakarta = (at: Date) => new Date(at.getTime() + 7 * 3_600_000).toISOString().slice(0, 10)

/** Every day from one to another, both with it. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = from; at <= to; at = shiftDay(at, 1)) days.push(at)
  return days
}
