import { z } from 'zod'

/**
 * Years outside this range are typing mistakes. PostgreSQL has no year 0, and from year 10000 a date has more than ten
 * characters.
 */
const firstYear = 1900
const lastYear = 2199

/** Text without a year passes, because the date format refuses it. */
const isYearInRange = (text: string) => {
  const year = Number(text.slice(0, 4))
  return Number.isNaN(year) || (year >= firstYear && year <= lastYear)
}
const rangeProblem = { error: 'date_out_of_range', params: { firstYear, lastYear } }

/** A day in a form or filter. */
export const typedDay = z.iso.date().refine(isYearInRange, rangeProblem)

/** An instant in a form. */
export const typedMoment = z.iso.datetime({ offset: true }).refine(isYearInRange, rangeProblem)
