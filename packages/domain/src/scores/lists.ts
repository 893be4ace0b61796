import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { scoreImport, scoreRun } from './endpoints.ts'
import { lineActions, scoreImportStatuses } from './status.ts'

const access = 'import-nilai-cbt-view'
const byId = z.object({ id: z.uuid() })

export const listScoreImports = defineList({
  name: 'score-imports',
  path: '/score-imports',
  access,
  summary: 'Imported files of scores, newest first',
  words: { title: 'scores:imports.title', columns: 'scores:imports' },
  row: scoreImport.omit({ headers: true, samples: true, mapping: true }).extend({ new: z.int(), changed: z.int() }),
  columns: {
    fileName: {},
    wave: {},
    session: {},
    status: { words: 'scores:status' },
    new: { kind: 'number' },
    changed: { kind: 'number' },
    problems: { kind: 'number' },
    profile: { hidden: true },
    accountName: {},
    createdAt: { kind: 'dateTime', sort: true },
  },
  filters: {
    status: { values: scoreImportStatuses, word: 'scores:imports.status', words: 'scores:status' },
    waveId: { of: 'periode', word: 'scores:imports.wave' },
  },
  order: '-createdAt',
})

export const listScoreProblems = defineList({
  name: 'score-import-problems',
  path: '/score-imports/:id/problems',
  access,
  summary: 'Problems in a score file, in row order',
  params: byId,
  words: { title: 'scores:problems.title', columns: 'scores:problems' },
  row: z.object({
    number: z.int(),
    row: z.int(),
    /** Letter of the column. */
    letter: z.string().nullable(),
    header: z.string().nullable(),
    value: z.string().nullable(),
    reason: z.string(),
  }),
  columns: {
    row: { kind: 'number', sort: true },
    letter: {},
    header: {},
    value: {},
    reason: { width: 60 },
  },
  order: 'row',
})

export const listScoreLines = defineList({
  name: 'score-import-lines',
  path: '/score-imports/:id/lines',
  access,
  summary: 'Scores that an import would write or wrote, with their former values',
  params: byId,
  words: { title: 'scores:lines.title', columns: 'scores:lines' },
  row: z.object({
    number: z.int(),
    row: z.int(),
    registrationId: z.uuid(),
    code: z.string(),
    name: z.string(),
    test: z.string(),
    action: z.enum(lineActions),
    scoreBefore: z.number().nullable(),
    score: z.number(),
  }),
  columns: {
    code: {},
    name: {},
    test: {},
    action: { words: 'scores:action' },
    scoreBefore: { kind: 'number' },
    score: { kind: 'number' },
    row: { kind: 'number', sort: true },
  },
  filters: { action: { values: lineActions, word: 'scores:lines.action', words: 'scores:action', quick: true } },
  order: 'row',
})

export const listScoreRuns = defineList({
  name: 'score-runs',
  path: '/score-runs',
  access,
  summary: 'Score runs, newest first',
  words: { title: 'scores:runs.title', columns: 'scores:runs' },
  row: scoreRun,
  columns: {
    name: {},
    wave: {},
    track: { absent: 'scores:runs.everyTrack' },
    scores: { kind: 'number' },
    createdBy: {},
    createdAt: { kind: 'dateTime', sort: true },
    pinnedAt: { kind: 'dateTime' },
  },
  filters: { waveId: { of: 'periode', word: 'scores:runs.wave' } },
  order: '-createdAt',
})

export const listFinalScores = defineList({
  name: 'final-scores',
  path: '/score-runs/:id/scores',
  access,
  summary: 'Final scores of a run next to the raw ones, optionally next to another run',
  params: byId,
  words: { title: 'scores:finals.title', columns: 'scores:finals' },
  row: z.object({
    id: z.string(),
    registrationId: z.uuid(),
    code: z.string(),
    name: z.string(),
    test: z.string(),
    raw: z.number().nullable(),
    score: z.number(),
    compared: z.number().nullable(),
    difference: z.number().nullable(),
  }),
  columns: {
    code: { sort: true },
    name: {},
    test: {},
    raw: { kind: 'number' },
    score: { kind: 'number', sort: true },
    compared: { kind: 'number' },
    difference: { kind: 'number' },
  },
  filters: {
    testId: { of: 'list-test', word: 'scores:finals.test' },
    comparedWith: { kind: 'text', most: 36, word: 'scores:finals.compared' },
    changed: { kind: 'yesNo', word: 'scores:finals.changed' },
  },
  order: '-score',
})
