import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'

export const campusTokenStates = ['active', 'revoked'] as const

const tokenRow = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(campusTokenStates),
  withIdentity: z.boolean(),
  /** Names of the programmes; null: all programmes. */
  programmes: z.string().nullable(),
  lastUsedAt: time.nullable(),
  createdAt: time,
  createdBy: z.string(),
})
export type CampusTokenRow = z.output<typeof tokenRow>

export const listCampusTokens = defineList({
  name: 'campus-tokens',
  path: '/settings/campus',
  access: 'settings-campus-view',
  summary: 'Tokens with which the campus system reads students',
  words: { title: 'staff-titles:settings-campus', columns: 'campus:column', filters: 'campus:column' },
  row: tokenRow,
  columns: {
    name: { sort: true },
    state: { words: 'campus:state' },
    withIdentity: { kind: 'yesNo' },
    programmes: { absent: 'campus:everyProgramme' },
    lastUsedAt: { kind: 'dateTime', sort: true, absent: 'campus:neverUsed' },
    createdAt: { kind: 'dateTime', sort: true },
    createdBy: { hidden: true },
  },
  filters: {
    state: { values: campusTokenStates, words: 'campus:state', quick: true },
    withIdentity: { kind: 'yesNo' },
  },
  order: '-createdAt',
})

export const campusOutcomes = ['answered', 'revoked'] as const

const callRow = z.object({
  id: z.string(),
  at: time,
  outcome: z.enum(campusOutcomes),
  changedSince: time.nullable(),
  students: z.int(),
  ip: z.string(),
})

export const listCampusCalls = defineList({
  name: 'campus-calls',
  path: '/settings/campus/:id/calls',
  access: 'settings-campus-view',
  summary: 'Calls with a token of the campus system, newest first',
  params: z.object({ id: z.uuid() }),
  words: { title: 'campus:calls.title', columns: 'campus:column', filters: 'campus:column' },
  row: callRow,
  columns: {
    at: { kind: 'dateTime' },
    outcome: { words: 'campus:outcome' },
    students: { kind: 'number' },
    changedSince: { kind: 'dateTime', absent: 'campus:calls.everyone' },
    ip: {},
  },
  filters: { outcome: { values: campusOutcomes, words: 'campus:outcome', quick: true } },
  orders: ['id'],
  order: '-id',
  unsearchable: true,
})
