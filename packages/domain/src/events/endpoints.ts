import { z } from 'zod'
import { endpoint, type Problem } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { eventKinds, eventStatuses, funnelSteps, materialAudiences, slugPattern } from './events.ts'

const byId = z.object({ id: z.uuid() })
const line = (max: number) => typedLine().min(1).max(max)
const text = (max: number) => typedText().max(max)
const rupiah = z.int().min(0).max(100_000_000_000)
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const doneAnswer = z.object({ data: z.object({ id: z.uuid() }) })

const session = z.strictObject({
  /** Id of an existing session; null for a new one. */
  id: z.uuid().nullable(),
  name: text(80),
  date: typedDay,
  startTime: clock,
  endTime: clock,
  room: text(200),
  capacity: z.int().min(1).max(100_000),
})

const cost = z.strictObject({ label: line(120), planned: rupiah, actual: rupiah.nullable() })

const eventInput = z.strictObject({
  kind: z.enum(eventKinds),
  nameId: line(150),
  nameEn: line(150),
  descriptionId: text(4000),
  descriptionEn: text(4000),
  slug: typedLine().min(3).max(80).regex(slugPattern),
  schoolId: z.uuid().nullable(),
  place: text(300),
  link: text(500),
  /** First and last day of registration. */
  opensOn: typedDay,
  closesOn: typedDay,
  public: z.boolean(),
  invited: z.int().min(0).max(1_000_000).nullable(),
  ownerId: z.uuid().nullable(),
  sessions: z.array(session).min(1).max(30),
  affiliateIds: z.array(z.uuid()).max(100),
  costs: z.array(cost).max(40),
})
export type EventInput = z.output<typeof eventInput>

/** Problems of an event, by field. */
export function eventProblems(event: Partial<EventInput>) {
  const { place, link, opensOn, closesOn, sessions } = event
  const problems: Record<string, Problem | null> = {
    link:
      place !== undefined && link !== undefined && !place === !link
        ? 'give_one_of_two'
        : link && !/^https:\/\/\S+$/.test(link)
          ? 'event_link_https'
          : null,
    closesOn: opensOn && closesOn && closesOn < opensOn ? 'event_closes_first' : null,
  }
  for (const [index, { startTime, endTime }] of (sessions ?? []).entries())
    if (endTime <= startTime) problems[`sessions.${index}.endTime`] = 'event_ends_first'
  return problems
}

export const createEvent = endpoint({
  method: 'POST',
  path: '/event-afiliator',
  access: 'event-afiliator-create',
  summary: 'Create an event, as a draft only staff see',
  body: eventInput,
  rules: eventProblems,
  response: doneAnswer,
})

export const updateEvent = endpoint({
  method: 'PUT',
  path: '/event-afiliator/:id',
  access: 'event-afiliator-update',
  summary: 'Change an event; visitors of a moved session are notified',
  params: byId,
  body: eventInput.extend({ version: z.int() }),
  rules: eventProblems,
  response: doneAnswer,
})

const viewedSession = session.extend({
  id: z.uuid(),
  startsAt: time,
  endsAt: time,
  taken: z.int(),
  waiting: z.int(),
  checkedIn: z.int(),
})

const material = z.object({
  id: z.uuid(),
  title: z.string(),
  fileName: z.string(),
  bytes: z.int(),
  audience: z.enum(materialAudiences),
  publishedAt: time.nullable(),
})

const eventView = eventInput.omit({ sessions: true, costs: true, affiliateIds: true }).extend({
  id: z.uuid(),
  version: z.int(),
  status: z.enum(eventStatuses),
  cancelReason: z.string().nullable(),
  school: z.string().nullable(),
  owner: z.string().nullable(),
  publicLink: z.string(),
  sessions: z.array(viewedSession),
  affiliates: z.array(z.object({ id: z.uuid(), name: z.string(), code: z.string(), link: z.string() })),
  /** Empty for affiliates, who do not see costs. */
  costs: z.array(cost),
  materials: z.array(material),
  /** Reader's permissions for this event. */
  may: z.object({ update: z.boolean(), checkIn: z.boolean(), seesAll: z.boolean() }),
})
export type EventView = z.output<typeof eventView>

export const readEvent = endpoint({
  method: 'GET',
  path: '/event-afiliator/:id',
  access: 'event-afiliator-view',
  alsoFor: ['event-afiliator-update'],
  summary: 'An event with its sessions, materials, affiliates and costs; affiliates see the events they take part in',
  params: byId,
  response: z.object({ data: eventView }),
})

const share = z.object({
  /** Null for visitors without an affiliate. */
  affiliate: z.string().nullable(),
  registered: z.int(),
  attended: z.int(),
  enrolled: z.int(),
})

const eventFigures = z.object({
  funnel: z.array(z.object({ step: z.enum(funnelSteps), people: z.int().nullable() })),
  shares: z.array(share),
  /** Null for affiliates. */
  cost: z
    .object({
      planned: z.int(),
      actual: z.int(),
      perVisitor: z.int().nullable(),
      perLead: z.int().nullable(),
      perEnrolled: z.int().nullable(),
    })
    .nullable(),
})
export type EventFigures = z.output<typeof eventFigures>

export const readEventFigures = endpoint({
  method: 'GET',
  path: '/event-afiliator/:id/figures',
  access: 'event-afiliator-view',
  summary: 'Funnel from invited to enrolled, affiliates and costs; affiliates see only their own visitors',
  params: byId,
  response: z.object({ data: eventFigures }),
})

export const publishEvent = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/publish',
  access: 'event-afiliator-update',
  summary: 'Open the public page of an event',
  params: byId,
  response: doneAnswer,
})

export const closeEvent = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/close',
  access: 'event-afiliator-update',
  summary: 'Close registration for an event; tickets stay valid',
  params: byId,
  response: doneAnswer,
})

export const cancelEvent = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/cancel',
  access: 'event-afiliator-update',
  summary: 'Cancel an event; its visitors are notified with the reason',
  params: byId,
  body: z.strictObject({ reason: typedText().min(3).max(500) }),
  response: doneAnswer,
})

export const cancelVisit = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/visitors/:visitorId/cancel',
  access: 'event-afiliator-update',
  summary: 'Cancel a visit; the place goes to the first person on the waiting list',
  params: z.object({ id: z.uuid(), visitorId: z.uuid() }),
  response: doneAnswer,
})

export const eventChoices = endpoint({
  method: 'GET',
  path: '/event-afiliator/choices',
  access: 'event-afiliator-update',
  alsoFor: ['event-afiliator-create'],
  summary: 'Affiliates and staff to choose for an event',
  response: z.object({
    data: z.object({
      affiliates: z.array(z.object({ id: z.uuid(), name: z.string() })),
      owners: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  }),
})

export const addMaterial = endpoint({
  method: 'POST',
  path: '/event-afiliator/:id/materials',
  access: 'event-afiliator-update',
  summary: 'Add a file to an event; only staff can open it until it is published',
  params: byId,
  query: z.object({ title: line(150), audience: z.enum(materialAudiences) }),
  upload: true,
  response: doneAnswer,
})

const ofMaterial = z.object({ id: z.uuid(), materialId: z.uuid() })

export const publishMaterial = endpoint({
  method: 'PUT',
  path: '/event-afiliator/:id/materials/:materialId',
  access: 'event-afiliator-update',
  summary: 'Publish a material to visitors, or hide it again',
  params: ofMaterial,
  body: z.strictObject({ published: z.boolean() }),
  response: doneAnswer,
})

export const removeMaterial = endpoint({
  method: 'DELETE',
  path: '/event-afiliator/:id/materials/:materialId',
  access: 'event-afiliator-update',
  summary: 'Remove a material',
  params: ofMaterial,
  response: doneAnswer,
})

export const downloadMaterial = endpoint({
  method: 'GET',
  path: '/event-afiliator/:id/materials/:materialId',
  access: 'event-afiliator-view',
  summary: 'A material of an event',
  params: ofMaterial,
  response: z.any(),
})
