import { z } from 'zod'

/** A time in an answer: the server gives a Date or ISO text, the reader gets UTC text. */
export const time: z.ZodType<string, string | Date> = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : value),
  z.iso.datetime(),
)
