import { z } from 'zod'
import { scanKinds } from '#domain/door/attendance.ts'
import { answerOf, scanFields, sendingOf } from '#domain/door/sending.ts'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { scanOutcomes } from './attendance.ts'
import { testSessionView } from './endpoints.ts'
import { seatStatuses } from './seat-status.ts'

const session = z.object({ id: z.uuid() })
const reason = typedText().min(3).max(300)

const participant = z.object({
  seatId: z.uuid(),
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** SHA-256 of the code on the registration card, in hex: a device recognises a card without knowing its code. */
  cardHash: z.string(),
  status: z.enum(seatStatuses),
  arrivedAt: time.nullable(),
  /** Device that recorded the first arrival. */
  arrivedOn: z.string().nullable(),
  leftAt: time.nullable(),
  forcedReason: z.string().nullable(),
})
export type Participant = z.output<typeof participant>

const elsewhere = z.object({ name: z.string(), date: z.string(), startTime: z.string(), location: z.string() })

const scanResult = answerOf(scanOutcomes).extend({
  registrationId: z.uuid().nullable(),
  code: z.string().nullable(),
  /** Session of the seat, if a different one. */
  elsewhere: elsewhere.nullable(),
})
export type ScanResult = z.output<typeof scanResult>
/** Answer to a scan before it becomes JSON. */
export type ScanAnswer = z.input<typeof scanResult>

/** A scan that does not count until the person has a seat in this session or a counted scan. */
const refusedScan = scanResult.omit({ first: true }).extend({ at: time, deviceName: z.string() })

const attendanceList = z.object({
  /** Server clock: a device corrects its own times by the difference. */
  now: time,
  session: testSessionView,
  /** Whether attendance can be recorded, from the day of the session on. */
  begun: z.boolean(),
  participants: z.array(participant),
  refused: z.array(refusedScan),
  /** Later sessions with free seats, for an excused absence. */
  alternatives: z.array(
    z.object({ id: z.uuid(), name: z.string(), date: z.string(), startTime: z.string(), seatsLeft: z.int() }),
  ),
})
export type AttendanceList = z.output<typeof attendanceList>

export const readAttendance = endpoint({
  method: 'GET',
  path: '/jadwal-test/:id/attendance',
  access: 'jadwal-test-update',
  summary: 'Participants of a session with their attendance, complete enough to work without network',
  params: session,
  response: z.object({ data: attendanceList }),
})

const scan = z
  .strictObject({
    ...scanFields,
    kind: z.enum(scanKinds),
    card: typedLine().min(1).max(200).optional(),
    registrationId: z.uuid().optional(),
    /** Admits a person without a seat in this session. */
    reason: reason.optional(),
  })
  .refine(({ card, registrationId }) => (card === undefined) !== (registrationId === undefined))

export const recordScans = endpoint({
  method: 'POST',
  path: '/jadwal-test/:id/scans',
  access: 'jadwal-test-update',
  summary: 'Record scans of a device; a scan sent again is recorded once and gets its first answer',
  params: session,
  body: sendingOf(scan),
  response: z.object({ data: z.array(scanResult) }),
})

export const excuseAbsence = endpoint({
  method: 'POST',
  path: '/test-seats/:id/excuse',
  access: 'jadwal-test-update',
  summary: 'Excuse an absence: the applicant gets a seat of another session and is told',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ testSessionId: z.uuid(), reason }),
  response: z.object({ data: z.object({ seatId: z.uuid() }) }),
})
