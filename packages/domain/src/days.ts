/** Days are written `2026-11-20`; when a day begins says `calendar.ts`. */
const dayMs = 86_400_000

/** The day so many days later, as text. */
export const shiftDay = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Every day from one to another, both with it. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = from; at <= to; at = shiftDay(at, 1)) days.push(at)
  return days
}
