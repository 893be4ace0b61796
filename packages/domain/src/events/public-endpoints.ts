import { z } from 'zod'
import { endpoint, type Problem } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { eventKinds, grades, registrationStates, visitorStates } from './events.ts'

const bySlug = z.object({ slug: z.string().min(1).max(80) })
const byCode = z.object({ code: z.string().min(1).max(40) })
const words = z.object({ id: z.string(), en: z.string() })

const openSession = z.object({
  id: z.uuid(),
  name: z.string(),
  startsAt: time,
  endsAt: time,
  room: z.string(),
  seatsLeft: z.int(),
})

const openEvent = z.object({
  slug: z.string(),
  kind: z.enum(eventKinds),
  name: words,
  description: words,
  school: z.string().nullable(),
  /** Null for an event on the web: its link is on the tickets. */
  place: z.string().nullable(),
  state: z.enum(registrationStates),
  registrationOpens: time,
  registrationCloses: time,
  sessions: z.array(openSession),
})
export type OpenEvent = z.output<typeof openEvent>

export const listOpenEvents = endpoint({
  method: 'GET',
  path: '/acara',
  access: 'public',
  summary: 'Coming public events, the next first',
  response: z.object({ data: z.array(openEvent) }),
})

export const readOpenEvent = endpoint({
  method: 'GET',
  path: '/acara/:slug',
  access: 'public',
  summary: 'The public page of a published event',
  params: bySlug,
  response: z.object({ data: openEvent.extend({ university: z.string() }) }),
})

const person = z.strictObject({
  /** Chosen by the device: a registration sent twice is one, and gets its ticket again. */
  id: z.uuid(),
  sessionId: z.uuid(),
  name: typedLine().min(2).max(120),
  phone: typedLine().min(1).max(20),
  email: z.union([z.literal(''), z.email().max(254)]),
  school: typedLine().max(150),
  grade: z.enum(grades).nullable(),
  wish: typedText().max(500),
  consent: z.boolean(),
  language: z.enum(languages),
  /** Code of the affiliate by whose link the visitor came. */
  ref: typedLine().max(20).nullable(),
})

/** Problems of a registration, by field. */
export function visitorProblems({ phone, consent }: { phone?: string; consent?: boolean }) {
  const problems: Record<string, Problem | null> = {
    phone: phone && !parsePhone(phone) ? 'phone_invalid' : null,
    consent: consent === false ? 'event_consent_needed' : null,
  }
  return problems
}

export const registerVisitor = endpoint({
  method: 'POST',
  path: '/acara/:slug/visitors',
  access: 'public',
  summary:
    'Register for an event without an account; somebody who is registered already gets the ticket by message only',
  params: bySlug,
  body: person,
  rules: visitorProblems,
  response: z.object({
    data: z.object({
      /** Null if the person was registered before, from another device. */
      code: z.string().nullable(),
      state: z.enum(visitorStates).nullable(),
      sentAgain: z.boolean(),
    }),
  }),
})

const qr = z.object({ size: z.int(), path: z.string() })

const ticket = z.object({
  code: z.string(),
  name: z.string(),
  state: z.enum(visitorStates),
  /** Place on the waiting list; null unless the visitor waits. */
  position: z.int().nullable(),
  checkedInAt: time.nullable(),
  qr,
  sessionId: z.uuid(),
  event: openEvent,
  /** Address of an event on the web. */
  link: z.string().nullable(),
  /** The session has not begun, the event stands and nobody checked the visitor in: the visitor can still change or cancel. */
  changeable: z.boolean(),
  materials: z.array(z.object({ id: z.uuid(), title: z.string(), fileName: z.string(), bytes: z.int() })),
})
export type TicketView = z.output<typeof ticket>

export const readTicket = endpoint({
  method: 'GET',
  path: '/tiket/:code',
  access: 'public',
  summary: 'A ticket, for whoever has its code',
  params: byCode,
  response: z.object({ data: ticket }),
})

export const moveTicket = endpoint({
  method: 'PUT',
  path: '/tiket/:code/session',
  access: 'public',
  summary: 'Change to another session of the event',
  params: byCode,
  body: z.strictObject({ sessionId: z.uuid() }),
  response: z.object({ data: ticket }),
})

export const cancelTicket = endpoint({
  method: 'POST',
  path: '/tiket/:code/cancel',
  access: 'public',
  summary: 'Give a place back',
  params: byCode,
  response: z.object({ data: ticket }),
})

export const ticketCalendar = endpoint({
  method: 'GET',
  path: '/tiket/:code/calendar.ics',
  access: 'public',
  summary: 'The session of a ticket as a calendar file',
  params: byCode,
  response: z.any(),
})

export const ticketMaterial = endpoint({
  method: 'GET',
  path: '/tiket/:code/materials/:materialId',
  access: 'public',
  summary: 'A published material, for the visitors of the event',
  params: byCode.extend({ materialId: z.uuid() }),
  response: z.any(),
})
