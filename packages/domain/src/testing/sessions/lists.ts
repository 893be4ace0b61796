import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { seatStatuses } from '#domain/testing/seat-status.ts'
import { time } from '#entities/define/answer-time.ts'
import { staffSessionStates } from './session-states.ts'

const sessionRow = z.object({
  id: z.uuid(),
  name: z.string(),
  wave: z.string(),
  track: z.string().nullable(),
  trackId: z.uuid().nullable(),
  date: z.string(),
  /** `09:00–11:00`, local time at the university. */
  hours: z.string(),
  mode: z.enum(['onsite', 'online']),
  location: z.string(),
  /** Names of the rooms. */
  rooms: z.string(),
  taken: z.int(),
  capacity: z.int(),
  free: z.int(),
  state: z.enum(staffSessionStates),
})

export const listSessions = defineList({
  name: 'jadwal-test',
  path: '/jadwal-test',
  access: 'jadwal-test-view',
  summary: 'Test sessions with the seats taken, latest first',
  words: { title: 'staff-titles:jadwal-test', columns: 'test-sessions:column', filters: 'test-sessions:filter' },
  row: sessionRow,
  columns: {
    name: { sort: true },
    date: { kind: 'date', sort: true },
    hours: {},
    taken: { kind: 'number', sort: true },
    capacity: { kind: 'number', sort: true },
    free: { kind: 'number', sort: true, hidden: true },
    state: { words: 'test-sessions:state' },
    wave: {},
    track: { absent: 'test-sessions:everyTrack' },
    rooms: {},
    mode: { words: 'test-sessions:mode', hidden: true },
    location: { hidden: true },
  },
  filters: {
    period: { values: ['upcoming', 'past', 'cancelled'], words: 'test-sessions:period', quick: true },
    waveId: { of: 'periode' },
    trackId: { of: 'jalur' },
    mode: { values: ['onsite', 'online'], words: 'test-sessions:mode' },
    hasRoom: { kind: 'yesNo' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-date',
})

const participantRow = z.object({
  id: z.uuid(),
  registrationId: z.uuid(),
  name: z.string(),
  code: z.string(),
  programme: z.string().nullable(),
  school: z.string().nullable(),
  track: z.string(),
  status: z.enum(seatStatuses),
  room: z.string().nullable(),
  /** `B3` in a grid, otherwise the number. */
  seat: z.string().nullable(),
  /** Needs of the person at the test; null without permission to arrange tests. */
  needs: z.string().nullable(),
  bookedAt: time.nullable(),
})

export const listParticipants = defineList({
  name: 'test-participants',
  path: '/jadwal-test/:id/participants',
  access: 'jadwal-test-view',
  summary: 'People with a seat in a test session, by name',
  params: z.object({ id: z.uuid() }),
  words: {
    title: 'test-sessions:participants.title',
    columns: 'test-sessions:participants',
    filters: 'test-sessions:participants',
  },
  row: participantRow,
  columns: {
    name: { sort: true },
    code: { sort: true },
    room: { sort: true },
    seat: {},
    status: { words: 'test-sessions:seatStatus' },
    programme: { hidden: true },
    school: {},
    track: { hidden: true },
    needs: { right: 'jadwal-test-update' },
    bookedAt: { kind: 'dateTime', sort: true, hidden: true },
  },
  filters: {
    status: { values: ['held', 'booked', 'attended', 'absent'], words: 'test-sessions:seatStatus' },
    seated: { kind: 'yesNo' },
  },
  order: 'name',
  ignoresShortSearch: true,
})
