import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { columnMapping, mappingProblem, scoreMapping } from './mapping.ts'
import { scoreMethod } from './methods.ts'
import { scoreImportStatuses } from './status.ts'

const access = 'import-nilai-cbt-view'
const byId = z.object({ id: z.uuid() })
const score = z.number().min(0).max(1000).multipleOf(0.01)
const reason = typedText().min(3).max(500)

const choice = z.object({ id: z.uuid(), name: z.string() })
const testChoice = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  kind: z.string(),
  maxScore: z.number(),
})
export type TestChoice = z.output<typeof testChoice>

export const readScoreChoices = endpoint({
  method: 'GET',
  path: '/score-choices',
  access,
  summary: 'Waves, tracks, test sessions with their tests, and known systems, to choose from',
  response: z.object({
    data: z.object({
      waves: z.array(choice),
      tracks: z.array(choice),
      sessions: z.array(
        choice.extend({ waveId: z.uuid(), date: z.string(), startTime: z.string(), testIds: z.array(z.uuid()) }),
      ),
      tests: z.array(testChoice),
      profiles: z.array(choice.extend({ mapping: scoreMapping })),
    }),
  }),
})

export const scoreImport = z.object({
  id: z.uuid(),
  accountName: z.string(),
  waveId: z.uuid(),
  wave: z.string(),
  testSessionId: z.uuid().nullable(),
  session: z.string().nullable(),
  profile: z.string().nullable(),
  fileName: z.string(),
  /** Whether the uploaded file still exists. */
  hasFile: z.boolean(),
  bytes: z.int(),
  headers: z.array(z.string()),
  /** The first rows of the file. */
  samples: z.array(z.array(z.string())),
  /** The checked mapping, or an initial guess. */
  mapping: z.array(columnMapping),
  status: z.enum(scoreImportStatuses),
  rows: z.object({ total: z.int(), wrong: z.int(), unconfirmed: z.int(), ignored: z.int() }),
  /** `decided` counts the scores that need a reason; for who does not see hidden decisions, those of their whole track. */
  scores: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), decided: z.int() }),
  problems: z.int(),
  /** Sentences about hidden rows and rows above the headings. */
  notes: z.array(z.string()),
  /** Increases with every check. */
  version: z.int(),
  createdAt: time,
  writtenAt: time.nullable(),
  undoneAt: time.nullable(),
  undoneBy: z.string().nullable(),
})
export type ScoreImport = z.output<typeof scoreImport>
const importAnswer = z.object({ data: scoreImport })

export const uploadScores = endpoint({
  method: 'POST',
  path: '/score-imports',
  access,
  summary: 'Send a file of scores (multipart, XLSX or CSV up to 30 MB); its columns are read, nothing is written yet',
  upload: true,
  query: z.strictObject({ waveId: z.uuid(), testSessionId: z.uuid().optional() }),
  response: importAnswer,
})

export const readScoreImport = endpoint({
  method: 'GET',
  path: '/score-imports/:id',
  access,
  summary: 'One import of scores: its columns, what it would write, or what it wrote',
  params: byId,
  response: importAnswer,
})

export const downloadScoreFile = endpoint({
  method: 'GET',
  path: '/score-imports/:id/file',
  access,
  summary: 'The file of scores as it was sent',
  params: byId,
  response: z.any(),
})

export const checkScoreImport = endpoint({
  method: 'POST',
  path: '/score-imports/:id/check',
  access,
  summary: 'Read the file with this mapping and list every problem; keeps the mapping under the name of the system',
  params: byId,
  body: z.strictObject({ mapping: scoreMapping, profile: typedLine().min(2).max(80).nullable() }),
  rules: ({ mapping }) => {
    const problem = mapping && mappingProblem(mapping)
    return { mapping: problem && { code: `mapping_${problem}` as const } }
  },
  response: importAnswer,
})

const candidate = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  birthDate: z.string().nullable(),
  session: z.string().nullable(),
})

export const listProposedPeople = endpoint({
  method: 'GET',
  path: '/score-imports/:id/people',
  access,
  summary: 'Rows of a file without a known code, with the people their name and birth date may mean',
  params: byId,
  response: z.object({
    data: z.array(
      z.object({
        row: z.int(),
        name: z.string(),
        birthDate: z.string().nullable(),
        candidates: z.array(candidate),
        registrationId: z.uuid().nullable(),
        confirmed: z.boolean(),
      }),
    ),
  }),
})

export const confirmPeople = endpoint({
  method: 'POST',
  path: '/score-imports/:id/people',
  access,
  summary: 'Confirm who is meant in rows without a known code, null for nobody; the file is checked again',
  params: byId,
  body: z.strictObject({
    people: z
      .array(z.strictObject({ row: z.int().min(1), registrationId: z.uuid().nullable() }))
      .min(1)
      .max(1000),
  }),
  response: importAnswer,
})

export const runScoreImport = endpoint({
  method: 'POST',
  path: '/score-imports/:id/run',
  access,
  summary: 'Write all checked scores or none; people whose result is decided need a reason',
  params: byId,
  body: z.strictObject({
    version: z.int().min(1),
    /** Leaves out rows with problems and unconfirmed people. */
    leavesOut: z.boolean().default(false),
    reason: reason.nullish(),
  }),
  response: importAnswer,
})

export const undoScoreImport = endpoint({
  method: 'DELETE',
  path: '/score-imports/:id',
  access,
  summary: 'Undo a written import, restoring former scores; refused if a later score replaced one of them',
  params: byId,
  response: importAnswer,
})

const scoreRow = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  seat: z.string(),
  /** The reader sees the result decided. */
  decided: z.boolean(),
  /** A new score needs a reason: after the decision, and for a whole track with decisions that the reader does not see. */
  needsReason: z.boolean(),
  absent: z.boolean(),
  score: z.number().nullable(),
  marks: z.array(z.number().nullable()),
  /** Names of the assessors, by mark. */
  assessors: z.array(z.string().nullable()),
  package: z.string().nullable(),
  /** 0 if no score was ever recorded. */
  version: z.int(),
})
export type ScoreRow = z.output<typeof scoreRow>

export const readScoreEntry = endpoint({
  method: 'GET',
  path: '/score-entry',
  access,
  summary: 'The people of a session with their scores in a test, by name',
  query: z.strictObject({ testSessionId: z.uuid(), testId: z.uuid() }),
  response: z.object({
    data: z.object({
      test: testChoice,
      /** Percent of the highest score by which two marks may differ before a third decides. */
      limitPercent: z.number(),
      rows: z.array(scoreRow),
    }),
  }),
})

export const recordScore = endpoint({
  method: 'PUT',
  path: '/pendaftaran/:id/score',
  access,
  summary: "Record one score by hand, or its assessors' marks; null removes it. Repeating it changes nothing",
  params: byId,
  body: z.strictObject({
    testId: z.uuid(),
    /** Version last read; 0 if there was no score. */
    version: z.int().min(0),
    score: score.nullable().optional(),
    marks: z.array(score.nullable()).length(3).optional(),
    reason: reason.nullish(),
  }),
  rules: ({ score, marks }) => ({ score: (score === undefined) === (marks === undefined) ? 'invalid_input' : null }),
  response: z.object({ data: scoreRow }),
})

export const listScoreVersions = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/score-versions',
  access,
  summary: 'Every value the raw scores of a registration have had, newest first',
  params: byId,
  response: z.object({
    data: z.array(
      z.object({
        testId: z.uuid(),
        test: z.string(),
        version: z.int(),
        score: z.number().nullable(),
        package: z.string().nullable(),
        parts: z.record(z.string(), z.number()),
        /** Name of the imported file. */
        file: z.string().nullable(),
        recordedBy: z.string().nullable(),
        recordedAt: time,
      }),
    ),
  }),
})

const runMethods = z
  .array(z.strictObject({ testId: z.uuid(), method: scoreMethod }))
  .min(1)
  .max(50)
  .refine((methods) => new Set(methods.map(({ testId }) => testId)).size === methods.length)

export const scoreRun = z.object({
  id: z.uuid(),
  name: z.string(),
  waveId: z.uuid(),
  wave: z.string(),
  trackId: z.uuid().nullable(),
  track: z.string().nullable(),
  scores: z.int(),
  inputHash: z.string(),
  createdAt: time,
  createdBy: z.string().nullable(),
  pinnedAt: time.nullable(),
})
export type ScoreRun = z.output<typeof scoreRun>

const testSummary = z.object({
  testId: z.uuid(),
  test: z.string(),
  method: scoreMethod,
  scores: z.int(),
  mean: z.number().nullable(),
  deviation: z.number().nullable(),
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  /** Differences from the compared run. */
  compared: z
    .object({ both: z.int(), only: z.int(), missing: z.int(), changed: z.int(), largest: z.number().nullable() })
    .nullable(),
})
const runAnswer = z.object({ data: scoreRun.extend({ tests: z.array(testSummary), canDelete: z.boolean() }) })

export const createScoreRun = endpoint({
  method: 'POST',
  path: '/score-runs',
  access,
  summary: 'Compute final scores from the raw scores of a wave or one of its tracks, with a method per test',
  body: z.strictObject({
    name: typedLine().min(2).max(120),
    waveId: z.uuid(),
    trackId: z.uuid().nullable(),
    methods: runMethods,
  }),
  response: z.object({ data: scoreRun }),
})

export const readScoreRun = endpoint({
  method: 'GET',
  path: '/score-runs/:id',
  access,
  summary: 'One score run by test, optionally compared with another run',
  params: byId,
  query: z.strictObject({ comparedWith: z.uuid().optional() }),
  response: runAnswer,
})

export const deleteScoreRun = endpoint({
  method: 'DELETE',
  path: '/score-runs/:id',
  access,
  summary: 'Delete a score run that no selection uses and no publication pinned',
  params: byId,
  response: z.object({ data: z.null() }),
})
