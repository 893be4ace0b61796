/** Days are written `2026-11-20` and are those of Jakarta (UTC+7, without summer time). */
const day = 86_400_000

/** The day so many days later, as text. */
export const shiftDay = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)

/** Midnight in Jakarta. */
export const startOfDay = (date: string) => new Date(`${date}T00:00:00+07:00`)

/** The instants between which a day in Jakarta lies: from the first to before the second. */
export const boundsOfDay = (date: string): [Date, Date] => [startOfDay(date), startOfDay(shiftDay(date, 1))]

/** The calendar day in Jakarta, where ages, deadlines and the days of banks are counted. */
export const dayInJakarta = (at: Date) => new Date(at.getTime() + 7 * 3_600_000).toISOString().slice(0, 10)

/** Every day from one to another, both with it. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = from; at <= to; at = shiftDay(at, 1)) days.push(at)
  return days
}
