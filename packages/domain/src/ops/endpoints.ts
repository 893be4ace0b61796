import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { invariantNames } from './invariants.ts'

const access = 'ops-invariants'

export const finding = z.object({
  id: z.uuid(),
  check: z.enum(invariantNames),
  subject: z.object({ type: z.string(), id: z.string(), label: z.string() }),
  /** Stored value. */
  stored: z.string().nullable(),
  /** Value derived from other records. */
  derived: z.string().nullable(),
  /** Screen of the record. */
  path: z.string().nullable(),
  firstSeenAt: time,
  lastSeenAt: time,
  /** Time of the first check that no longer found the difference. */
  goneAt: time.nullable(),
})
export type Finding = z.output<typeof finding>

const result = z.object({
  /** Number of checks that ran. */
  checks: z.int(),
  /** The last run; null before the first. */
  run: z
    .object({ finishedAt: time, milliseconds: z.int(), startedBy: z.string().nullable(), found: z.int() })
    .nullable(),
  /** Differences found by that run, at most the newest thousand. */
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
