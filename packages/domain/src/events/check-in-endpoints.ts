import { z } from 'zod'
import { answerOf, arrival, scanFields, sendingOf } from '#domain/door/sending.ts'
import { endpoint, type Problem } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { grades, scanKinds, scanOutcomes, visitorStates } from './events.ts'

const byId = z.object({ id: z.uuid() })
const checkIn = arrival.extend({ sessionId: z.uuid() })

const guest = z.object({
  id: z.uuid(),
  /** Masked for an affiliate's helpers. */
  name: z.string(),
  /** SHA-256 of the ticket code in hex: a device recognises the ticket without knowing its code. */
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
  /** Server clock; a device corrects its own times by the difference. */
  now: time,
  eventId: z.uuid(),
  name: z.object({ id: z.string(), en: z.string() }),
  place: z.string(),
  sessions: z.array(doorSession),
  guests: z.array(guest),
  /** Ed25519 public key in base64url, for refusing forged tickets offline. */
  key: z.string(),
  /** Whether check-in is open: the event is published or closed, and its first session is less than a day ahead. */
  begun: z.boolean(),
  mayRegister: z.boolean(),
})
export type CheckInList = z.output<typeof checkInList>

export const readCheckIns = endpoint({
  method: 'GET',
  path: '/event-afiliator/:id/check-in',
  access: 'event-afiliator-view',
  alsoFor: ['event-afiliator-update'],
  summary: "All visitors of an event with their check-ins, for offline use; for staff and the event's affiliates",
  params: byId,
  response: z.object({ data: checkInList }),
})

/** A person without a ticket; the id is generated on the device. The phone is stored only with consent. */
const walkIn = z.strictObject({
  id: z.uuid(),
  name: typedLine().min(2).max(120),
  phone: typedLine().max(20),
  school: typedLine().max(150),
  grade: z.enum(grades).nullable(),
  consent: z.boolean(),
  language: z.enum(languages),
})

/** Problems of a walk-in registration, by field. */
export function walkInProblems({ phone, consent }: { phone?: string; consent?: boolean }) {
  const problems: Record<string, Problem | null> = {
    phone: phone && !parsePhone(phone) ? 'phone_invalid' : null,
    consent: phone && consent === false ? 'event_consent_needed' : null,
  }
  return problems
}

const scan = z
  .strictObject({
    ...scanFields,
    kind: z.enum(scanKinds),
    /** Text read by the camera or typed. */
    raw: typedText().min(1).max(300).optional(),
    visitorId: z.uuid().optional(),
    walkIn: walkIn.optional(),
    /** Lets in a visitor of another session. */
    force: z.boolean().optional(),
  })
  .refine((one) => [one.raw, one.visitorId, one.walkIn].filter((value) => value !== undefined).length === 1)

const scanResult = answerOf(scanOutcomes).extend({
  visitorId: z.uuid().nullable(),
  /** The visitor's session, if it is another one. */
  elsewhere: z.uuid().nullable(),
})
export type CheckInResult = z.output<typeof scanResult>
/** Result of a scan before it becomes JSON. */
export type CheckInAnswer = z.input<typeof scanResult>

export const recordCheckIns = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/scans',
  access: 'event-afiliator-view',
  alsoFor: ['event-afiliator-update'],
  summary: "Record a device's scans; a scan sent again is recorded once and returns its first result",
  params: byId,
  body: sendingOf(scan).extend({ sessionId: z.uuid() }),
  response: z.object({ data: z.array(scanResult) }),
})
