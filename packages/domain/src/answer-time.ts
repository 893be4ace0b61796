import { z } from 'zod'

const isoTime = z.iso.datetime()

/** A time in an answer: the server may give a Date, and the reader gets ISO text in UTC. */
export const time = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : value),
  isoTime,
) as unknown as typeof isoTime
