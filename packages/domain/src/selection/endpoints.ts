import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import {
  type ChosenRules,
  changedPlaces,
  chosenRules,
  hold,
  problemsOfRules,
  selectionRules,
  selectionStatuses,
} from './rules.ts'
import { verifierRules } from './verifier.ts'

const byId = z.object({ id: z.uuid() })
const version = z.int().min(1)
const name = typedLine().min(3).max(120)
const named = z.object({ id: z.uuid(), name: z.string() })

const test = z.object({
  testId: z.uuid(),
  name: z.string(),
  weight: z.number(),
  passMark: z.number().nullable(),
})

/** Initial values of the form for a new run. */
const selectionDefaults = z.object({
  tracks: z.array(z.object({ trackId: z.uuid(), name: z.string(), verified: z.int(), tests: z.array(test) })),
  scoreRuns: z.array(z.object({ id: z.uuid(), name: z.string(), createdAt: time })),
  /** Verified registrations of the wave. */
  verified: z.int(),
})

export const readSelectionDefaults = endpoint({
  method: 'GET',
  path: '/seleksi/defaults',
  access: 'seleksi-update',
  summary: 'Tracks, tests and score runs of a wave, for a new selection',
  query: z.object({ waveId: z.uuid() }),
  response: z.object({ data: selectionDefaults }),
})

const check = z.object({
  rule: z.enum(verifierRules),
  /** Rows that break the rule. */
  faults: z.int(),
  /** A few examples, for people. */
  examples: z.array(z.string()),
})

const counts = z.object({
  applicants: z.int(),
  placed: z.int(),
  /** Placed manually, or because an earlier decision keeps its place. */
  held: z.int(),
  kept: z.int(),
  reserve: z.int(),
  /** Milliseconds spent on ranking and placing. */
  ms: z.int(),
})

const quotaResult = z.object({
  number: z.int(),
  parentNumber: z.int().nullable(),
  programmeDetailId: z.uuid(),
  programme: z.string(),
  classProgramme: z.string(),
  entryLevel: z.string(),
  trackId: z.uuid().nullable(),
  track: z.string().nullable(),
  /** Including the over-offer, for a programme. */
  places: z.int(),
  overOffer: z.int().nullable(),
  capacity: z.int().nullable(),
  placed: z.int(),
  waiting: z.int(),
  lastTotal: z.number().nullable(),
})
export type QuotaResult = z.output<typeof quotaResult>

const selectionRun = z.object({
  id: z.uuid(),
  version,
  name: z.string(),
  wave: named,
  scoreRun: named.nullable(),
  /** Raw scores recorded or changed after the score run; a run that is not adopted does not use them. */
  newerScores: z.int(),
  basedOn: named.nullable(),
  status: z.enum(selectionStatuses),
  failure: z.string().nullable(),
  rules: selectionRules,
  /** Names of the ids in `rules`. */
  names: z.record(z.string(), z.string()),
  holds: z.array(
    z.object({
      ...hold.shape,
      name: z.string(),
      code: z.string(),
      programme: z.string().nullable(),
    }),
  ),
  counts: counts.nullable(),
  quotas: z.array(quotaResult),
  inputHash: z.string().nullable(),
  outputHash: z.string().nullable(),
  verifiedAt: time.nullable(),
  checks: z.array(check).nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
  adoptedBy: z.string().nullable(),
  adoptedAt: time.nullable(),
  /** By track: time of the last publication and of the next. */
  publications: z.array(z.object({ track: z.string(), publishedAt: time.nullable(), publishAt: time.nullable() })),
  /** Whether the reader sees each applicant's outcome; false before publication for users who only read. */
  outcomeIsVisible: z.boolean(),
  /** Other runs of the wave to compare with. Newest first. */
  others: z.array(z.object({ ...named.shape, status: z.enum(selectionStatuses) })),
  /** Why the reader may not change the run. */
  refusal: z.string().nullable(),
})
export type SelectionRun = z.output<typeof selectionRun>
const runAnswer = z.object({ data: selectionRun })

const rulesOfBody = ({ rules }: { rules?: ChosenRules }) => (rules ? problemsOfRules(rules) : {})

export const createSelectionRun = endpoint({
  method: 'POST',
  path: '/seleksi',
  access: 'seleksi-update',
  shared: 'selection_by_whole',
  summary: 'Start a selection of a wave; the server computes it in the background',
  body: z.strictObject({ name, waveId: z.uuid(), scoreRunId: z.uuid().nullable(), rules: chosenRules }),
  rules: rulesOfBody,
  response: runAnswer,
})

export const readSelectionRun = endpoint({
  method: 'GET',
  path: '/seleksi/:id',
  access: 'seleksi-view',
  summary: 'A selection with its rules, quotas and checks',
  params: byId,
  response: runAnswer,
})

export const updateSelectionRun = endpoint({
  method: 'PUT',
  path: '/seleksi/:id',
  access: 'seleksi-update',
  summary: 'Change the rules of a selection that is not adopted, and compute it again',
  params: byId,
  body: z.strictObject({ version, name, scoreRunId: z.uuid().nullable(), rules: chosenRules }),
  rules: rulesOfBody,
  response: runAnswer,
})

export const computeSelectionRun = endpoint({
  method: 'POST',
  path: '/seleksi/:id/compute',
  access: 'seleksi-update',
  summary: 'Compute a selection again from the present scores, choices and quotas',
  params: byId,
  body: z.strictObject({ version }),
  response: runAnswer,
})

export const copySelectionRun = endpoint({
  method: 'POST',
  path: '/seleksi/:id/copy',
  access: 'seleksi-update',
  summary: 'Copy a selection, with other quotas if wanted; nothing changes elsewhere until the copy is adopted',
  params: byId,
  body: z.strictObject({ name, places: z.array(changedPlaces).max(2000) }),
  response: runAnswer,
})

export const removeSelectionRun = endpoint({
  method: 'DELETE',
  path: '/seleksi/:id',
  access: 'seleksi-update',
  summary: 'Delete a selection that was not adopted',
  params: byId,
  query: z.object({ version: z.coerce.number().int().min(1) }),
  response: z.object({ data: z.null() }),
})

export const holdPlace = endpoint({
  method: 'POST',
  path: '/seleksi/:id/holds',
  access: 'seleksi-update',
  summary: 'Hold a place for an applicant, or take the applicant out, with a reason; computes the selection again',
  params: byId,
  body: z.strictObject({ version, ...hold.shape }),
  rules: ({ kind, programmeId }: { kind?: string; programmeId?: string | null }) => ({
    programmeId: kind === 'place' && !programmeId ? 'field_required' : null,
  }),
  response: runAnswer,
})

export const releaseHold = endpoint({
  method: 'DELETE',
  path: '/seleksi/:id/holds/:registrationId',
  access: 'seleksi-update',
  summary: 'Take a hold back; computes the selection again',
  params: z.object({ id: z.uuid(), registrationId: z.uuid() }),
  query: z.object({ version: z.coerce.number().int().min(1) }),
  response: runAnswer,
})

export const tryQuotas = endpoint({
  method: 'POST',
  path: '/seleksi/:id/what-if',
  access: 'seleksi-view',
  reads: true,
  summary: 'What a selection would be with other quotas; nothing is stored',
  params: byId,
  body: z.strictObject({ places: z.array(changedPlaces).max(2000) }),
  response: z.object({
    data: z.object({
      quotas: z.array(
        z.object({ number: z.int(), places: z.int(), placed: z.int(), lastTotal: z.number().nullable() }),
      ),
      gained: z.int(),
      lost: z.int(),
      moved: z.int(),
      /** Milliseconds spent on ranking and placing. */
      ms: z.int(),
    }),
  }),
})

export const verifySelectionRun = endpoint({
  method: 'POST',
  path: '/seleksi/:id/verify',
  access: 'seleksi-update',
  summary: 'Check a computed selection rule by rule, apart from the program that computed it',
  params: byId,
  body: z.strictObject({}),
  response: runAnswer,
})

export const adoptSelectionRun = endpoint({
  method: 'POST',
  path: '/seleksi/:id/adopt',
  access: 'seleksi-update',
  summary: 'Adopt a verified selection: writes its decisions in the background, unpublished',
  params: byId,
  body: z.strictObject({ version }),
  response: runAnswer,
})
