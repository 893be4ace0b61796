import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { eventKinds, eventStatuses, grades, visitorStates } from './events.ts'

const words = (title: string) => ({ title, columns: 'events:column', filters: 'events:column' })

const eventRow = z.object({
  id: z.uuid(),
  nameId: z.string(),
  nameEn: z.string(),
  kind: z.enum(eventKinds),
  status: z.enum(eventStatuses),
  startsAt: time.nullable(),
  school: z.string().nullable(),
  place: z.string().nullable(),
  sessions: z.int(),
  capacity: z.int(),
  registered: z.int(),
  attended: z.int(),
  owner: z.string().nullable(),
  public: z.boolean(),
  /** Null for readers who may not change events. */
  planned: z.int().nullable(),
  actual: z.int().nullable(),
})

/** Permission that makes costs visible. */
const staffRight = 'event-afiliator-update'

export const listEvents = defineList({
  name: 'event-afiliator',
  path: '/event-afiliator',
  access: 'event-afiliator-view',
  summary: 'Events, upcoming ones first; affiliates see those they take part in',
  words: words('staff-titles:event-afiliator'),
  row: eventRow,
  columns: {
    nameId: { sort: true, width: 30 },
    nameEn: { hidden: true, sort: true, width: 30 },
    startsAt: { kind: 'dateTime', sort: true },
    status: { words: 'events:status' },
    kind: { words: 'events:kind' },
    registered: { kind: 'number', sort: true },
    capacity: { kind: 'number' },
    attended: { kind: 'number', sort: true },
    school: {},
    place: { hidden: true },
    sessions: { kind: 'number', hidden: true },
    owner: { hidden: true },
    public: { kind: 'yesNo', hidden: true },
    planned: { kind: 'money', hidden: true, right: staffRight },
    actual: { kind: 'money', hidden: true, right: staffRight },
  },
  filters: {
    status: { values: eventStatuses, words: 'events:status', quick: true },
    kind: { values: eventKinds, words: 'events:kind' },
    schoolId: { of: 'sma-nama' },
    affiliateId: { of: 'afiliator' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-startsAt',
})

const visitorRow = z.object({
  id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  school: z.string().nullable(),
  grade: z.enum(grades).nullable(),
  wish: z.string().nullable(),
  session: z.string(),
  state: z.enum(visitorStates),
  checkedInAt: time.nullable(),
  affiliate: z.string().nullable(),
  walkIn: z.boolean(),
  lead: z.boolean(),
  createdAt: time,
})
export type VisitorRow = z.output<typeof visitorRow>

export const listVisitors = defineList({
  name: 'event-visitors',
  path: '/event-afiliator/:id/visitors',
  access: 'event-afiliator-view',
  summary: 'Visitors of an event, newest first; affiliates see those they brought, masked',
  params: z.object({ id: z.uuid() }),
  words: words('events:visitors.title'),
  row: visitorRow,
  columns: {
    name: { sort: true, sortRight: staffRight },
    state: { words: 'events:visitorState' },
    checkedInAt: { kind: 'dateTime', sort: true },
    session: {},
    phone: {},
    email: { hidden: true },
    school: {},
    grade: { words: 'events:grade' },
    affiliate: {},
    wish: { hidden: true, width: 40, right: staffRight },
    walkIn: { kind: 'yesNo', hidden: true },
    lead: { kind: 'yesNo', hidden: true },
    createdAt: { kind: 'dateTime', sort: true },
  },
  filters: {
    state: { values: visitorStates, words: 'events:visitorState', quick: true },
    attended: { kind: 'yesNo' },
    walkIn: { kind: 'yesNo' },
    grade: { values: grades, words: 'events:grade' },
    sessionId: { kind: 'text', most: 36 },
  },
  order: '-createdAt',
  searchUntold: true,
})
