import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { seatStatuses, sessionStates } from './seat-status.ts'

const registration = z.object({ id: z.uuid() })

export const testSessionView = z.object({
  id: z.uuid(),
  name: z.string(),
  date: z.string(),
  /** Local time at the university, such as `09:00`. */
  startTime: z.string(),
  endTime: z.string(),
  startsAt: time,
  endsAt: time,
  mode: z.enum(['onsite', 'online']),
  /** An online session's link is only for applicants with a seat in it. */
  location: z.string().nullable(),
  capacity: z.int(),
  seatsLeft: z.int(),
  bookingOpensAt: time.nullable(),
  bookingEndsAt: time,
  state: z.enum(sessionStates),
  tests: z.array(z.object({ id: z.uuid(), name: z.string(), kind: z.string() })),
})
export type TestSessionView = z.output<typeof testSessionView>

export const testSeatView = z.object({
  id: z.uuid(),
  status: z.enum(seatStatuses),
  heldUntil: time.nullable(),
  bookedAt: time.nullable(),
  /** Room and seat, once assigned. */
  room: z.string().nullable(),
  place: z.string().nullable(),
  /** Whether the seat may still be changed or released. */
  changeable: z.boolean(),
  session: testSessionView,
})
export type TestSeatView = z.output<typeof testSeatView>

export const waitingPlace = z.object({
  status: z.enum(['waiting', 'offered']),
  /** 1 is the next. */
  position: z.int(),
  offeredUntil: time.nullable(),
  session: testSessionView,
})
export type WaitingPlace = z.output<typeof waitingPlace>

export const blockedReasons = ['no_test', 'not_in_this_status', 'no_sessions'] as const

export const testSchedule = z.object({
  /** Effect of choosing a session now: hold a seat for some minutes, book it, or nothing. */
  choosing: z.enum(['hold', 'book']).nullable(),
  blockedBy: z.enum(blockedReasons).nullable(),
  seat: testSeatView.nullable(),
  waiting: waitingPlace.nullable(),
  sessions: z.array(testSessionView),
})

export const listTestSessions = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/test-sessions',
  access: 'pendaftaran-view',
  summary: 'Test sessions a registration may choose from with the seats left, and its own seat',
  params: registration,
  response: z.object({ data: testSchedule }),
})

export const takeTestSeat = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/test-seat',
  access: 'pendaftaran-edit',
  summary: 'Take a seat in a test session, or move to another one; a draft only holds it for 15 minutes',
  params: registration,
  body: z.strictObject({ testSessionId: z.uuid() }),
  response: z.object({ data: testSeatView }),
})

export const releaseTestSeat = endpoint({
  method: 'DELETE',
  path: '/pendaftaran/:id/test-seat',
  access: 'pendaftaran-edit',
  summary: 'Give the seat back',
  params: registration,
  response: z.object({ data: z.null() }),
})

export const downloadSeatCalendar = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/test-seat.ics',
  access: 'pendaftaran-view',
  summary: 'The booked test seat as an iCalendar file',
  params: registration,
  response: z.any(),
})

export const recordAttendance = endpoint({
  method: 'POST',
  path: '/test-seats/:id/attendance',
  access: 'jadwal-test-update',
  summary: 'Note whether somebody came to the test',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ attended: z.boolean() }),
  response: z.object({ data: z.object({ id: z.uuid(), status: z.enum(seatStatuses) }) }),
})

export const testScoreView = z.object({
  testId: z.uuid(),
  name: z.string(),
  kind: z.string(),
  maxScore: z.number(),
  weight: z.number(),
  passingGrade: z.number().nullable(),
  score: z.number().nullable(),
  recordedAt: time.nullable(),
})

/** `total` is the weighted mean of the scores as a share of the highest score; null while a test has no score. */
const scoreSheet = z.object({ scores: z.array(testScoreView), total: z.number().nullable() })

export const listTestScores = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/test-scores',
  access: 'jadwal-test-view',
  summary: 'Tests of a registration and their scores',
  params: registration,
  response: z.object({ data: scoreSheet }),
})

export const recordTestScores = endpoint({
  method: 'PUT',
  path: '/pendaftaran/:id/test-scores',
  access: 'jadwal-test-update',
  summary: 'Record scores; null takes one away, tests that are not named stay as they are',
  params: registration,
  body: z.strictObject({
    scores: z
      .array(z.strictObject({ testId: z.uuid(), score: z.number().min(0).max(1000).multipleOf(0.01).nullable() }))
      .min(1)
      .max(20),
  }),
  response: z.object({ data: scoreSheet }),
})
