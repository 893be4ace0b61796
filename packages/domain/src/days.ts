/** Days are strings such as `2026-11-20`; `calendar.ts` knows when a day begins. */
const dayMs = 86_400_000

/** Adds days to a day. */
export const shiftDay = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Every day between two days, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = shiftDay(day, 1)) days.push(day)
  return days
}
