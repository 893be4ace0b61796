import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { feederFields, feederProblems, feederTargets } from './fields.ts'

/** Student's state in the configured register; `ready` and `incomplete` were never sent to it. */
export const feederStates = ['ready', 'incomplete', 'waiting', 'sent', 'refused'] as const
export type FeederState = (typeof feederStates)[number]

const studentRow = z.object({
  registrationId: z.uuid(),
  npm: z.string(),
  name: z.string(),
  code: z.string(),
  programme: z.string(),
  wave: z.string(),
  state: z.enum(feederStates),
  problems: z.int(),
  /** Names of the fields with problems. */
  fields: z.string().nullable(),
  sentAt: time.nullable(),
})
export type FeederStudentRow = z.output<typeof studentRow>

export const listFeederStudents = defineList({
  name: 'mahasiswa-feeder',
  path: '/mahasiswa-feeder',
  access: 'mahasiswa-feeder-view',
  summary: 'Students with what the ministry’s register lacks of them, newest numbers first',
  words: { title: 'staff-titles:mahasiswa-feeder', columns: 'feeder:column', filters: 'feeder:column' },
  row: studentRow,
  columns: {
    name: { word: 'staff:column.name' },
    npm: { word: 'students:npm', sort: true },
    state: { words: 'feeder:state' },
    problems: { kind: 'number' },
    fields: {},
    programme: { word: 'staff:column.programme' },
    sentAt: { kind: 'dateTime' },
    wave: { word: 'staff:column.wave', hidden: true },
    code: { word: 'staff:column.code', hidden: true },
  },
  filters: {
    state: { values: feederStates, words: 'feeder:state', quick: true },
    waveId: { word: 'staff:filter.waveId', of: 'periode' },
    programmeId: { word: 'staff:filter.programmeId', of: 'prodi' },
    field: {
      values: feederFields,
      words: Object.fromEntries(feederFields.map((name) => [name, { en: name, id: name }])),
    },
    problem: { values: feederProblems, words: 'feeder:problem' },
  },
  orders: ['issuedAt'],
  order: '-issuedAt',
})

export const feederOutcomes = ['sent', 'found', 'refused', 'contradicts', 'incomplete', 'unavailable'] as const
export type FeederOutcome = (typeof feederOutcomes)[number]

const resultRow = z.object({
  id: z.uuid(),
  registrationId: z.uuid(),
  at: time,
  name: z.string(),
  npm: z.string().nullable(),
  programme: z.string(),
  target: z.enum(feederTargets),
  outcome: z.enum(feederOutcomes),
  act: z.string().nullable(),
  errorCode: z.int().nullable(),
  detail: z.string().nullable(),
  requestedBy: z.string().nullable(),
})

export const listFeederResults = defineList({
  name: 'mahasiswa-feeder-log',
  path: '/mahasiswa-feeder/log',
  access: 'mahasiswa-feeder-view',
  summary: 'What became of each attempt to send a student to the ministry’s register, newest first',
  words: { title: 'staff-titles:mahasiswa-feeder-log', columns: 'feeder:column', filters: 'feeder:column' },
  row: resultRow,
  columns: {
    name: { word: 'staff:column.name' },
    npm: { word: 'students:npm' },
    at: { kind: 'dateTime', sort: true },
    outcome: { words: 'feeder:outcome' },
    detail: {},
    target: { words: 'feeder:target' },
    programme: { word: 'staff:column.programme' },
    act: { hidden: true },
    errorCode: { kind: 'number', hidden: true },
    requestedBy: { hidden: true },
  },
  filters: {
    outcome: { values: feederOutcomes, words: 'feeder:outcome', quick: true },
    target: { values: feederTargets, words: 'feeder:target' },
    programmeId: { word: 'staff:filter.programmeId', of: 'prodi' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-at',
})
