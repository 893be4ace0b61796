import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { selectionOutcomes, selectionStatuses } from './rules.ts'

const quotaRow = z.object({
  id: z.uuid(),
  /** Programme of the row; the row may be a part of it. */
  programmeDetailId: z.uuid(),
  wave: z.string(),
  programme: z.string(),
  classProgramme: z.string(),
  entryLevel: z.string(),
  /** Null: the whole programme. */
  track: z.string().nullable(),
  places: z.int(),
  overOffer: z.int().nullable(),
  spillTurn: z.int().nullable(),
  applicants: z.int(),
  accepted: z.int(),
  confirmed: z.int(),
  /** Share of accepted applicants of earlier waves who confirmed; null without earlier waves. */
  yield: z.number().nullable(),
  /** Confirmed applicants, plus those who may still confirm times the yield. */
  expected: z.int().nullable(),
  free: z.int(),
})

const quotaParts = ['programme', 'track'] as const

export const listQuotas = defineList({
  name: 'selection-quotas',
  path: '/seleksi/quotas',
  access: 'seleksi-view',
  summary: 'Places of study programmes and their tracks, and how many of them are taken',
  words: { title: 'selection:quotas.title', columns: 'selection:quota', filters: 'selection:quotaFilter' },
  row: quotaRow,
  columns: {
    programme: { sort: true },
    track: { absent: 'selection:quota.whole' },
    classProgramme: { sort: true },
    entryLevel: { hidden: true },
    wave: { sort: true },
    places: { kind: 'number', sort: true },
    overOffer: { kind: 'number' },
    spillTurn: { kind: 'number', hidden: true },
    applicants: { kind: 'number' },
    accepted: { kind: 'number' },
    confirmed: { kind: 'number' },
    yield: { kind: 'percent' },
    expected: { kind: 'number' },
    free: { kind: 'number' },
  },
  filters: {
    waveId: { of: 'periode' },
    part: { values: quotaParts, words: 'selection:part' },
    programmeId: { of: 'prodi' },
    classProgrammeId: { of: 'program' },
    trackId: { of: 'jalur' },
  },
  order: 'programme',
})

const runRow = z.object({
  id: z.uuid(),
  name: z.string(),
  wave: z.string(),
  status: z.enum(selectionStatuses),
  verified: z.boolean(),
  placed: z.int().nullable(),
  reserve: z.int().nullable(),
  applicants: z.int().nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  adoptedAt: time.nullable(),
})

export const listSelectionRuns = defineList({
  name: 'selection-runs',
  path: '/seleksi/runs',
  access: 'seleksi-view',
  summary: 'Simulated and adopted selections',
  words: { title: 'selection:runs.title', columns: 'selection:run', filters: 'selection:runFilter' },
  row: runRow,
  columns: {
    name: { sort: true },
    wave: {},
    status: { words: 'selection:status' },
    verified: { kind: 'yesNo' },
    applicants: { kind: 'number' },
    placed: { kind: 'number' },
    reserve: { kind: 'number' },
    createdBy: { hidden: true },
    createdAt: { kind: 'dateTime', sort: true },
    adoptedAt: { kind: 'dateTime', hidden: true },
  },
  filters: {
    waveId: { of: 'periode' },
    status: { values: selectionStatuses, words: 'selection:status' },
  },
  order: '-createdAt',
})

const byRun = z.object({ id: z.uuid() })

const entryRow = z.object({
  /** Row number as text. */
  id: z.string(),
  registrationId: z.uuid(),
  name: z.string(),
  code: z.string(),
  programmeId: z.uuid(),
  programme: z.string(),
  classProgramme: z.string(),
  track: z.string(),
  choice: z.int(),
  total: z.number().nullable(),
  rank: z.int().nullable(),
  reserveRank: z.int().nullable(),
  outcome: z.enum(selectionOutcomes),
  /** Why the choice had this outcome, in the reader's language. */
  why: z.string(),
})
export type SelectionEntry = z.output<typeof entryRow>

export const listSelectionEntries = defineList({
  name: 'selection-entries',
  path: '/seleksi/:id/entries',
  access: 'seleksi-view',
  summary: 'Choices of the applicants of a selection, and why each ended as it did',
  words: { title: 'selection:entries.title', columns: 'selection:entry', filters: 'selection:entryFilter' },
  params: byRun,
  row: entryRow,
  columns: {
    name: { sort: true },
    code: {},
    programme: {},
    classProgramme: { hidden: true },
    track: { hidden: true },
    choice: { kind: 'number', sort: true },
    total: { kind: 'number', sort: true },
    rank: { kind: 'number', sort: true },
    reserveRank: { kind: 'number', hidden: true },
    outcome: { words: 'selection:outcome' },
    why: { width: 60 },
  },
  filters: {
    outcome: { values: selectionOutcomes, words: 'selection:outcome' },
    programmeId: { of: 'prodi' },
    trackId: { of: 'jalur' },
    choice: { values: ['1', '2', '3', '4', '5'], words: 'selection:choice' },
  },
  order: 'rank',
})

const moveKinds = ['gained', 'lost', 'moved'] as const

const moveRow = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  track: z.string(),
  kind: z.enum(moveKinds),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

export const listSelectionMoves = defineList({
  name: 'selection-moves',
  path: '/seleksi/:id/moves/:otherId',
  access: 'seleksi-view',
  summary: 'Applicants whose place differs between another selection and this one',
  words: { title: 'selection:moves.title', columns: 'selection:move', filters: 'selection:moveFilter' },
  params: z.object({ id: z.uuid(), otherId: z.uuid() }),
  row: moveRow,
  columns: {
    name: { sort: true },
    code: {},
    track: { hidden: true },
    kind: { words: 'selection:moveKind' },
    before: { absent: 'selection:noPlace' },
    after: { absent: 'selection:noPlace' },
  },
  filters: { kind: { values: moveKinds, words: 'selection:moveKind' } },
  order: 'name',
})
