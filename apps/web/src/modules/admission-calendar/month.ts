import { shiftDay } from '#domain/calendar.ts'

/** A month such as `2026-11`. */
export const monthOf = (day: string) => day.slice(0, 7)

export function shiftMonth(month: string, months: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** Days of all weeks that a month touches, Monday first; a multiple of seven. */
export function daysOfMonth(month: string): string[] {
  const first = `${month}-01`
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const start = shiftDay(first, -weekday)
  const weeks =
    shiftDay(start, 35) < `${shiftMonth(month, 1)}-01` ? 6 : shiftDay(start, 28) < `${shiftMonth(month, 1)}-01` ? 5 : 4
  return Array.from({ length: weeks * 7 }, (_, index) => shiftDay(start, index))
}

export const isMonth = (text: string | null): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')
