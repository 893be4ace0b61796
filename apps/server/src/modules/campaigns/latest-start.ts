import { invalid } from '#server/platform/errors.ts'

/** Recipients are frozen at planning. A start years later would write to people of an earlier intake. */
const longestFrozenMs = 366 * 86_400_000

export const isTooLate = (from: Date, start: Date) => start.getTime() > from.getTime() + longestFrozenMs

/** Parses the chosen start; null means at once. 422 if the start is more than 366 days ahead. */
export function startWithinYear(startsAt: string | null, now: Date): Date | null {
  const start = startsAt === null ? null : new Date(startsAt)
  if (start && isTooLate(now, start)) throw invalid({ startsAt: 'more_than_a_year_ahead' })
  return start
}
