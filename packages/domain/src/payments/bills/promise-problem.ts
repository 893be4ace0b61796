import { universityCalendar } from '#domain/calendar.ts'
import type { Problem } from '#domain/endpoint.ts'

const longestMs = 366 * 86_400_000

/** Refuses past days, and days more than 366 days ahead, which are typing mistakes. */
export function promiseProblem(payBy: string, now: Date): Problem | null {
  const until = universityCalendar().endOfDay(payBy)
  if (until <= now) return 'in_the_past'
  return until.getTime() - now.getTime() > longestMs ? 'more_than_a_year_ahead' : null
}
