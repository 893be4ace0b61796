import { z } from 'zod'

/** Years beyond these are slips of typing; PostgreSQL has no year 0, and from 10000 on a day is no longer ten letters. */
const firstYear = 1900
const lastYear = 2199

/** What is no year at all is told by the form of the text, not by this. */
const isNear = (typed: string) => {
  const year = Number(typed.slice(0, 4))
  return Number.isNaN(year) || (year >= firstYear && year <= lastYear)
}
const nearby = { error: 'date_out_of_range', params: { firstYear, lastYear } }

/** A day somebody enters or filters by. */
export const typedDay = z.iso.date().refine(isNear, nearby)

/** A moment somebody enters. */
export const typedMoment = z.iso.datetime({ offset: true }).refine(isNear, nearby)
