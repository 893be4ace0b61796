const day = 86_400_000

/** A year later on the same weekday. */
export const sameWeekdayNextYear = 364

/** An instant so many days later, at the same time of day (no zone of Indonesia changes its clocks). */
export const moveInstant = (at: string, days: number) => new Date(Date.parse(at) + days * day).toISOString()

/** A day (`2026-11-27`) so many days later. */
export const moveDate = (date: string, days: number) => moveInstant(`${date}T00:00:00Z`, days).slice(0, 10)

export type WaveDates = {
  opensAt: string
  closesAt: string
  resultsAt: string | null
  confirmationDueAt: string | null
}

const same = (one: string | null, other: string | null) =>
  one !== null && other !== null && Date.parse(one) === Date.parse(other)

/**
 * Where a date that belongs to a wave comes to stand. One that was a date of the wave itself follows it, wherever that
 * was moved; any other moves by as many days as the opening of the wave did.
 */
export function followWave(at: string, was: WaveDates, becomes: WaveDates): string {
  const keys = ['opensAt', 'closesAt', 'resultsAt', 'confirmationDueAt'] as const
  const key = keys.find((name) => same(at, was[name]) && becomes[name] !== null)
  if (key) return new Date(becomes[key]!).toISOString()
  return moveInstant(at, daysMoved(was, becomes))
}

/** Whole days between the old and the new opening. */
export const daysMoved = (was: WaveDates, becomes: WaveDates) =>
  Math.round((Date.parse(becomes.opensAt) - Date.parse(was.opensAt)) / day)
