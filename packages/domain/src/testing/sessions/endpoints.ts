import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { mostSeats, roomProblems, rooms } from '#domain/testing/rooms/room-input.ts'
import { seatingRules } from '#domain/testing/rooms/seating.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedDay, typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { seriesProblems } from './series.ts'
import { staffSessionStates } from './session-states.ts'

const byId = z.object({ id: z.uuid() })
const wallTime = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)
const reason = typedText().min(3).max(300)
const seatIds = z.array(z.uuid()).min(1).max(500)

const roomView = z.object({
  id: z.uuid(),
  name: z.string(),
  capacity: z.int(),
  seatRows: z.int().nullable(),
  seatColumns: z.int().nullable(),
  specialSeats: z.array(z.int()),
  /** Assigned seats in the room. */
  taken: z.int(),
})

export const sessionDetail = z.object({
  id: z.uuid(),
  version: z.int(),
  name: z.string(),
  waveId: z.uuid(),
  wave: z.string(),
  trackId: z.uuid().nullable(),
  track: z.string().nullable(),
  tests: z.array(z.string()),
  date: z.string(),
  /** Local times at the university, such as `09:00`. */
  startTime: z.string(),
  endTime: z.string(),
  startsAt: time,
  mode: z.enum(['onsite', 'online']),
  location: z.string(),
  capacity: z.int(),
  taken: z.int(),
  /** People with a seat in the session but no place in a room. */
  unseated: z.int(),
  state: z.enum(staffSessionStates),
  cancelReason: z.string().nullable(),
  seatingRule: z.enum(seatingRules).nullable(),
  seatingSeed: z.string().nullable(),
  seatedAt: time.nullable(),
  rooms: z.array(roomView),
})
export type SessionDetail = z.output<typeof sessionDetail>

const calendarSession = z.object({
  id: z.uuid(),
  name: z.string(),
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  capacity: z.int(),
  taken: z.int(),
  state: z.enum(staffSessionStates),
})
export type CalendarSession = z.output<typeof calendarSession>

export const readSessionCalendar = endpoint({
  method: 'GET',
  path: '/jadwal-test/calendar',
  access: 'jadwal-test-view',
  summary: 'Test sessions of some days with the seats taken; at most 62 days',
  query: z.strictObject({ from: typedDay, to: typedDay }),
  response: z.object({ data: z.array(calendarSession) }),
})

export const readSession = endpoint({
  method: 'GET',
  path: '/jadwal-test/:id',
  access: 'jadwal-test-view',
  summary: 'A test session with its rooms',
  params: byId,
  response: z.object({ data: sessionDetail }),
})

const series = z.strictObject({
  waveId: z.uuid(),
  trackId: z.uuid().nullable().default(null),
  testIds: z.array(z.uuid()).min(1).max(10),
  name: typedLine().min(1).max(110),
  mode: z.enum(['onsite', 'online']).default('onsite'),
  location: typedText().min(1).max(300),
  days: z.array(typedDay).min(1).max(60),
  times: z
    .array(z.strictObject({ startTime: wallTime, endTime: wallTime }))
    .min(1)
    .max(10),
  rooms,
  /** Capacity of each session without rooms. */
  capacity: z.int().min(1).max(mostSeats).nullable().default(null),
  bookingOpensAt: typedMoment.nullable().default(null),
  /** Hours before a session's start at which its booking closes; null: at its start. */
  closesHoursBefore: z.int().min(0).max(2000).nullable().default(null),
})
export type SeriesInput = z.input<typeof series>
export type Series = z.output<typeof series>

const plannedSession = z.object({
  name: z.string(),
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  capacity: z.int(),
  /** Sessions it would duplicate, or that use one of its rooms at that time. */
  clashes: z.array(z.object({ id: z.uuid(), name: z.string(), room: z.string().nullable() })),
})
export type PlannedSession = z.output<typeof plannedSession>

export const previewSessions = endpoint({
  method: 'POST',
  path: '/jadwal-test/preview',
  access: 'jadwal-test-create',
  summary: 'Sessions that a series would write, each with what stands against it',
  reads: true,
  body: series,
  rules: seriesProblems,
  response: z.object({ data: z.object({ sessions: z.array(plannedSession) }) }),
})

export const createSessions = endpoint({
  method: 'POST',
  path: '/jadwal-test',
  access: 'jadwal-test-create',
  summary: 'Write a series of test sessions, all or none; 409 names the sessions in the way',
  body: series,
  rules: seriesProblems,
  response: z.object({ data: z.object({ ids: z.array(z.uuid()) }) }),
})

export const saveRooms = endpoint({
  method: 'PUT',
  path: '/jadwal-test/:id/rooms',
  access: 'jadwal-test-update',
  shared: 'needs_every_programme',
  summary: 'Replace the rooms of a session; 409 if places that are taken would go',
  params: byId,
  body: z.strictObject({ version: rowVersion, rooms }),
  rules: roomProblems,
  response: z.object({ data: sessionDetail }),
})

export const giveSeats = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/seating',
  access: 'jadwal-test-update',
  shared: 'needs_every_programme',
  summary: 'Give everybody of a session a place in its rooms by a rule; the seed of a lot is kept and repeats it',
  params: byId,
  body: z.strictObject({ version: rowVersion, rule: z.enum(seatingRules), seed: typedLine().max(40).optional() }),
  response: z.object({ data: sessionDetail }),
})

const person = z.object({ id: z.uuid(), name: z.string() })
const notice = z.object({ subject: z.string(), body: z.string() })

export const refusalsOfMove = ['test_taken', 'test_target_unfit'] as const

export const previewMove = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/move/preview',
  access: 'jadwal-test-update',
  summary: 'Who can be moved to another session, and the notice they get',
  reads: true,
  params: byId,
  body: z.strictObject({ ids: seatIds, toId: z.uuid() }),
  response: z.object({
    data: z.object({
      allowed: z.array(person),
      refused: z.array(person.extend({ reason: z.enum(refusalsOfMove) })),
      /** Seats left in the other session. */
      free: z.int(),
      notice: notice.nullable(),
    }),
  }),
})

export const moveParticipants = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/move',
  access: 'jadwal-test-update',
  summary: 'Move people to another session and tell them, all or none',
  params: byId,
  body: z.strictObject({ ids: seatIds, toId: z.uuid() }),
  response: z.object({ data: z.object({ moved: z.int() }) }),
})

export const releaseParticipants = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/release',
  access: 'jadwal-test-update',
  summary: 'Release the seats of people and tell them why, all or none',
  params: byId,
  body: z.strictObject({ ids: seatIds, reason }),
  response: z.object({ data: z.object({ released: z.int() }) }),
})

export const admitWalkIn = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/walk-in',
  access: 'jadwal-test-update',
  summary: 'Give a person at the door a seat, by registration code; a seat in another session moves here',
  params: byId,
  body: z.strictObject({ code: typedLine().min(1).max(40) }),
  response: z.object({
    data: z.object({ name: z.string(), room: z.string().nullable(), seat: z.string().nullable() }),
  }),
})

export const moveSession = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/reschedule',
  access: 'jadwal-test-update',
  shared: 'needs_every_programme',
  summary: 'Move a session to another time or place; everybody is told once and keeps the seat, or chooses anew',
  params: byId,
  body: z.strictObject({
    version: rowVersion,
    date: typedDay,
    startTime: wallTime,
    endTime: wallTime,
    location: typedText().min(1).max(300),
    seats: z.enum(['keep', 'release']),
    reason,
  }),
  rules: ({ startTime, endTime }) => ({
    endTime: startTime && endTime && endTime <= startTime ? 'test_times_reversed' : null,
  }),
  response: z.object({ data: z.object({ told: z.int() }) }),
})

export const cancelSession = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/cancel',
  access: 'jadwal-test-update',
  shared: 'needs_every_programme',
  summary: 'Cancel a session; everybody is released, told once, and chooses another session',
  params: byId,
  body: z.strictObject({ version: rowVersion, reason }),
  response: z.object({ data: z.object({ told: z.int() }) }),
})

export const sheets = ['attendance', 'door', 'labels', 'minutes'] as const
export type Sheet = (typeof sheets)[number]

export const printSession = endpoint({
  method: 'GET',
  path: '/jadwal-test/:id/print.pdf',
  access: 'jadwal-test-view',
  summary: 'Attendance list per room, door sign, desk labels with photo, or minutes (PDF)',
  params: byId,
  query: z.strictObject({ sheet: z.enum(sheets), roomId: z.uuid().optional(), language: z.enum(languages).optional() }),
  response: z.any(),
})
