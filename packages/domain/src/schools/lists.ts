import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { briefSchool, schoolPair } from './endpoints.ts'

export const pairDecisions = ['open', 'dismissed'] as const

const pairRow = schoolPair.extend({
  /** Name and number of `a` and `b`. */
  first: z.string(),
  second: z.string(),
  /** Only for readers who decide. */
  decision: z.enum(pairDecisions).nullable(),
})

export const listPairs = defineList({
  name: 'school-pairs',
  path: '/master/sma-nama/duplicates',
  access: 'master-sma-nama-view',
  summary: 'Schools of one city that may be one, most alike first',
  words: { title: 'staff-titles:master-sma-nama-duplicates', columns: 'schools:pairs' },
  row: pairRow,
  columns: {
    first: {},
    second: {},
    city: {},
    /** Percent. */
    similarity: { word: 'schools:pairs.alike', kind: 'number', sort: true },
    decision: { word: 'schools:pairs.decide', words: 'schools:pairs.decisions', right: 'master-sma-nama-update' },
  },
  filters: {
    dismissed: { values: ['true', 'false'], word: 'schools:pairs.status', words: 'schools:pairs.dismissals' },
    cityId: { of: 'kota', word: 'schools:pairs.city' },
    proposed: { kind: 'yesNo', word: 'schools:pairs.onlyProposed' },
  },
  order: '-similarity',
})

const merge = z.object({
  id: z.uuid(),
  schoolId: z.uuid(),
  schoolName: z.string(),
  merged: z.array(z.object({ npsn: z.string(), name: z.string() })),
  moved: z.int(),
  mergedBy: z.string().nullable(),
  mergedAt: time,
  undoneAt: time.nullable(),
})
export type SchoolMerge = z.output<typeof merge>

export const mergeStates = ['merged', 'undone'] as const

export const listMerges = defineList({
  name: 'school-merges',
  path: '/master/sma-nama/merges',
  access: 'master-sma-nama-view',
  summary: 'Merges, newest first',
  words: { title: 'staff-titles:master-sma-nama-merges', columns: 'schools:merges' },
  row: merge.extend({
    /** Names and numbers of `merged`. */
    mergedNames: z.string(),
    state: z.enum(mergeStates),
  }),
  columns: {
    schoolName: { word: 'schools:merges.kept' },
    mergedNames: { word: 'schools:merges.merged' },
    moved: { kind: 'number' },
    mergedBy: { word: 'schools:merges.by' },
    mergedAt: { word: 'schools:merges.at', kind: 'dateTime', sort: true },
    state: { words: 'schools:merges.states' },
  },
  order: '-mergedAt',
})

const proposal = briefSchool.extend({
  createdAt: time,
  proposedBy: z.string().nullable(),
  provisional: z.boolean(),
  /** Applicants who chose it. */
  applicants: z.int(),
  matches: z.array(
    z.object({
      id: z.uuid(),
      npsn: z.string(),
      name: z.string(),
      /** District, and address if known. */
      place: z.string(),
      verified: z.boolean(),
      similarity: z.int(),
    }),
  ),
})
export type SchoolProposal = z.output<typeof proposal>

export const listProposals = defineList({
  name: 'school-proposals',
  path: '/master/sma-nama/proposals',
  access: 'master-sma-nama-view',
  summary: 'Schools nobody has checked yet, oldest first, with the schools they may be',
  words: {
    title: 'staff-titles:master-sma-nama-proposals',
    columns: 'schools:proposals',
    filters: 'schools:proposals',
  },
  row: proposal.extend({
    /** Names and numbers of `matches`. */
    matchNames: z.string(),
  }),
  columns: {
    name: { word: 'schools:proposals.school', sort: true },
    city: {},
    matchNames: { word: 'schools:proposals.matches' },
    proposedBy: { word: 'schools:proposals.by', hidden: true },
    createdAt: { word: 'schools:proposals.at', kind: 'dateTime', dayOnly: true, sort: true },
    applicants: { kind: 'number' },
  },
  filters: {
    cityId: { of: 'kota', word: 'schools:proposals.city' },
    matched: { kind: 'yesNo' },
  },
  order: 'createdAt',
})
