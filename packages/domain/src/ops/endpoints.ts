import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { invariantNames } from './invariants.ts'

const access = 'ops-invariants'

export const finding = z.object({
  id: z.uuid(),
  check: z.enum(invariantNames),
  subject: z.object({ type: z.string(), id: z.string(), label: z.string() }),
  /** What is written down. */
  stored: z.string().nullable(),
  /** What follows from everything else. */
  derived: z.string().nullable(),
  /** Screen that shows the record. */
  path: z.string().nullable(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  /** When it was found no more. */
  goneAt: z.string().nullable(),
})
export type Finding = z.output<typeof finding>

const result = z.object({
  /** How many rules are checked. */
  checks: z.int(),
  /** The last time they were; null before the first. */
  run: z
    .object({ finishedAt: z.string(), milliseconds: z.int(), startedBy: z.string().nullable(), found: z.int() })
    .nullable(),
  /** What did not follow from the rest then: the newest thousand. */
  found: z.array(finding),
})

export const readInvariants = endpoint({
  method: 'GET',
  path: '/ops/invariants',
  access,
  summary: 'What the last check of the books found: records that do not follow from the rest',
  response: z.object({ data: result }),
})

export const checkInvariants = endpoint({
  method: 'POST',
  path: '/ops/invariants',
  access,
  summary: 'Derive every balance, counter and status again now, keep what differs and tell who may see it what is new',
  response: z.object({ data: result }),
})
