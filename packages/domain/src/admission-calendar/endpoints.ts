import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'

export const calendarKinds = [
  'session',
  'seat',
  'offer',
  'opens',
  'closes',
  'payment',
  'results',
  'confirmation',
  'bill',
  'bills',
] as const
export type CalendarKind = (typeof calendarKinds)[number]

const calendarEntry = z.object({
  /** Unique within one answer. */
  id: z.string(),
  kind: z.enum(calendarKinds),
  /** Day in the university's time zone. */
  day: z.string(),
  at: time,
  endsAt: time.nullable(),
  /** Name of the session, wave, registration or bill. */
  name: z.string(),
  /** Tracks of a deadline, or place of a session. */
  detail: z.string().nullable(),
  taken: z.int().nullable(),
  capacity: z.int().nullable(),
  /** Number of bills due. */
  count: z.int().nullable(),
  path: z.string().nullable(),
})
export type CalendarEntry = z.output<typeof calendarEntry>

/** Most days of one request. */
export const longestSpanDays = 100

export const readCalendar = endpoint({
  method: 'GET',
  path: '/calendar',
  access: 'signed-in',
  summary: 'Test sessions and deadlines between two days, as far as they concern the reader',
  query: z.object({ from: z.iso.date(), to: z.iso.date() }),
  response: z.object({ data: z.array(calendarEntry) }),
})

export const downloadCalendar = endpoint({
  method: 'GET',
  path: '/calendar.ics',
  access: 'signed-in',
  summary: "The reader's coming tests, deadlines and instalments as an iCalendar file",
  response: z.any(),
})
