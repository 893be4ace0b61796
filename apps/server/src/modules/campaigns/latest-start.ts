import { invalid } from '#server/platform/errors.ts'

/** Recipients are frozen: a start years later would write to people of another intake. */
const longestFrozenMs = 366 * 86_400_000

export const isTooLate = (from: Date, start: Date) => start.getTime() > from.getTime() + longestFrozenMs

/** A start that somebody chose, null for at once; throws 422 where it lies more than a year ahead. */
export function startWithinYear(startsAt: string | null, now: Date): Date | null {
  const start = startsAt === null ? null : new Date(startsAt)
  if (start && isTooLate(now, start)) throw invalid({ startsAt: 'more_than_a_year_ahead' })
  return start
}
