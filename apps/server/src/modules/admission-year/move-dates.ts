const dayMs = 86_400_000

/** Moves an instant by whole days at the same time of day; Indonesian time zones have no clock changes. */
export const moveInstant = (instant: string, days: number) => new Date(Date.parse(instant) + days * dayMs).toISOString()

/** Moves a day (`2026-11-27`). */
export const moveDate = (date: string, days: number) => moveInstant(`${date}T00:00:00Z`, days).slice(0, 10)

export type WaveDates = {
  opensAt: string
  closesAt: string
  resultsAt: string | null
  confirmationDueAt: string | null
}

const isSameInstant = (first: string | null, second: string | null) =>
  first !== null && second !== null && Date.parse(first) === Date.parse(second)

/**
 * Moves a date that belongs to a wave. A date equal to one of the old wave follows it to the new wave; any other moves
 * with the opening.
 */
export function followWave(instant: string, oldDates: WaveDates, newDates: WaveDates): string {
  for (const name of ['opensAt', 'closesAt', 'resultsAt', 'confirmationDueAt'] as const) {
    const date = newDates[name]
    if (date !== null && isSameInstant(instant, oldDates[name])) return new Date(date).toISOString()
  }
  return moveInstant(instant, daysMoved(oldDates, newDates))
}

/** Whole days between old and new opening. */
export const daysMoved = (oldDates: WaveDates, newDates: WaveDates) =>
  Math.round((Date.parse(newDates.opensAt) - Date.parse(oldDates.opensAt)) / dayMs)
