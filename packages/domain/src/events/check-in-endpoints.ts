import { z } from 'zod'
import { endpoint, type Problem } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { grades, scanKinds, scanOutcomes, visitorStates } from './events.ts'

const byId = z.object({ id: z.uuid() })
const checkIn = z.object({ sessionId: z.uuid(), at: time, deviceName: z.string() })

const guest = z.object({
  id: z.uuid(),
  /** Masked for helpers of an affiliate. */
  name: z.string(),
  /** SHA-256 of the code of the ticket, in hex: a device recognises the ticket without knowing its code. */
  codeHash: z.string(),
  school: z.string().nullable(),
  sessionId: z.uuid(),
  state: z.enum(visitorStates),
  walkIn: z.boolean(),
  checkIns: z.array(checkIn),
})
export type Guest = z.output<typeof guest>

const doorSession = z.object({
  id: z.uuid(),
  name: z.string(),
  startsAt: time,
  endsAt: time,
  room: z.string(),
  capacity: z.int(),
})

const checkInList = z.object({
  /** Clock of the server: a device shows its own times corrected by the difference. */
  now: time,
  eventId: z.uuid(),
  name: z.object({ id: z.string(), en: z.string() }),
  place: z.string(),
  sessions: z.array(doorSession),
  guests: z.array(guest),
  /** Ed25519 public key in base64url, to refuse forged tickets without network. */
  key: z.string(),
  /** People are checked in while the event is published or closed, from the day before its first session. */
  begun: z.boolean(),
  mayRegister: z.boolean(),
})
export type CheckInList = z.output<typeof checkInList>

export const readCheckIns = endpoint({
  method: 'GET',
  path: '/event-afiliator/:id/check-in',
  access: 'event-afiliator-view',
  alsoFor: ['event-afiliator-update'],
  summary:
    'Visitors of an event with their check-ins, complete enough to work without network; for staff and for affiliates of the event',
  params: byId,
  response: z.object({ data: checkInList }),
})

/** Somebody without a ticket; the id is made on the device. A phone is only kept of who agrees to be contacted. */
const walkIn = z.strictObject({
  id: z.uuid(),
  name: typedLine().min(2).max(120),
  phone: typedLine().max(20),
  school: typedLine().max(150),
  grade: z.enum(grades).nullable(),
  consent: z.boolean(),
  language: z.enum(languages),
})

/** Problems of somebody registered at the door, by field. */
export function walkInProblems({ phone, consent }: { phone?: string; consent?: boolean }) {
  const problems: Record<string, Problem | null> = {
    phone: phone && !parsePhone(phone) ? 'phone_invalid' : null,
    consent: phone && consent === false ? 'event_consent_needed' : null,
  }
  return problems
}

const scan = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(scanKinds),
    at: typedMoment,
    /** What the camera read or somebody typed. */
    raw: typedText().min(1).max(300).optional(),
    visitorId: z.uuid().optional(),
    walkIn: walkIn.optional(),
    /** Lets a visitor of another session in. */
    force: z.boolean().optional(),
  })
  .refine((one) => [one.raw, one.visitorId, one.walkIn].filter((value) => value !== undefined).length === 1)

const scanResult = z.object({
  id: z.uuid(),
  outcome: z.enum(scanOutcomes),
  visitorId: z.uuid().nullable(),
  name: z.string().nullable(),
  /** Check-in recorded before this scan. */
  first: z.object({ at: time, deviceName: z.string() }).nullable(),
  /** Session of the visitor, if it is another one. */
  elsewhere: z.uuid().nullable(),
})
export type CheckInResult = z.output<typeof scanResult>
/** The answer to a scan before it becomes JSON. */
export type CheckInAnswer = z.input<typeof scanResult>

export const scansPerRequest = 100

export const recordCheckIns = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/scans',
  access: 'event-afiliator-view',
  alsoFor: ['event-afiliator-update'],
  summary: 'Record scans of a device; a scan sent again is recorded once and gets its first answer',
  params: byId,
  body: z.strictObject({
    sessionId: z.uuid(),
    device: z.strictObject({ id: z.uuid(), name: typedLine().min(1).max(80) }),
    /** Clock of the device at this sending: its difference to the server's corrects the times of the scans. */
    sentAt: typedMoment,
    scans: z.array(scan).min(1).max(scansPerRequest),
  }),
  response: z.object({ data: z.array(scanResult) }),
})
