import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'

/** Eight characters, or NP and six digits for a provisional number; same as the entity's pattern. */
const npsnPattern = /^([0-9A-Z][0-9]{7}|NP[0-9]{6})$/

/** Reading proposals needs permission to view schools; deciding needs permission to edit them. */
const viewPermission = 'master-sma-nama-view'
const access = 'master-sma-nama-update'
const byId = z.object({ id: z.uuid() })

/** Fields a merge may take from either school. */
export const mergeableFields = [
  'npsn',
  'name',
  'schoolTypeId',
  'status',
  'cityId',
  'districtId',
  'address',
  'verified',
] as const
export type MergeableField = (typeof mergeableFields)[number]

export const briefSchool = z.object({
  id: z.uuid(),
  npsn: z.string(),
  name: z.string(),
  schoolTypeId: z.uuid(),
  schoolType: z.string(),
  status: z.enum(['negeri', 'swasta']),
  cityId: z.uuid(),
  city: z.string(),
  districtId: z.uuid().nullable(),
  district: z.string().nullable(),
  address: z.string().nullable(),
  verified: z.boolean(),
  active: z.boolean(),
  version: z.int(),
})
export type BriefSchool = z.output<typeof briefSchool>

const reference = z.object({ what: z.string(), count: z.int() })

const comparedSchool = briefSchool.extend({
  createdAt: time,
  /** Only for readers who decide and see the whole university, because an applicant's name is personal. */
  proposedBy: z.string().nullable(),
  aliases: z.array(z.object({ npsn: z.string(), name: z.string() })),
  /** Number of references to the school, by kind. */
  references: z.array(reference),
})
export type ComparedSchool = z.output<typeof comparedSchool>

export const schoolPair = z.object({
  id: z.uuid(),
  similarity: z.int(),
  dismissed: z.boolean(),
  city: z.string(),
  a: briefSchool,
  b: briefSchool,
})
export type SchoolPair = z.output<typeof schoolPair>

export const schoolQuality = endpoint({
  method: 'GET',
  path: '/master/sma-nama/quality',
  access: viewPermission,
  summary:
    'How many proposed schools wait, how many pairs may be one school, and how many schools are not compared yet',
  response: z.object({ data: z.object({ proposals: z.int(), pairs: z.int(), waiting: z.int() }) }),
})

export const comparePairs = endpoint({
  method: 'POST',
  path: '/master/sma-nama/duplicates/compare',
  access,
  summary: 'Compare the schools that are new or changed now, at most 5,000 of them',
  response: z.object({ data: z.object({ compared: z.int(), waiting: z.int() }) }),
})

export const readPair = endpoint({
  method: 'GET',
  path: '/master/sma-nama/duplicates/:id',
  access: viewPermission,
  summary: 'The schools of a pair and those alike to either, side by side, with what points to each',
  params: byId,
  response: z.object({ data: z.object({ pair: schoolPair, schools: z.array(comparedSchool) }) }),
})

export const compareSchools = endpoint({
  method: 'GET',
  path: '/master/sma-nama/:id/beside/:otherId',
  access: viewPermission,
  summary: 'Two schools side by side, with what points to each',
  params: z.object({ id: z.uuid(), otherId: z.uuid() }),
  response: z.object({ data: z.array(comparedSchool) }),
})

export const dismissPair = endpoint({
  method: 'POST',
  path: '/master/sma-nama/duplicates/:id/dismiss',
  access,
  summary: 'Say that two schools are not one, or take that back; remembered',
  params: byId,
  body: z.strictObject({ dismissed: z.boolean() }),
  response: z.object({ data: schoolPair }),
})

const mergeBody = z.strictObject({
  keepId: z.uuid(),
  mergeIds: z.array(z.uuid()).min(1).max(5),
  /** School that provides each field; other fields stay unchanged. */
  fields: z.partialRecord(z.enum(mergeableFields), z.uuid()).default({}),
  /** Versions on screen when the choice was made. */
  versions: z.record(z.uuid(), z.int()),
})
const mergeProblems = ({ keepId, mergeIds }: { keepId?: string; mergeIds?: string[] }): Problems => ({
  mergeIds: keepId && mergeIds?.includes(keepId) ? 'invalid_input' : null,
})
export type MergeChoice = z.input<typeof mergeBody>

const mergeOutcome = z.object({
  mergeId: z.uuid().nullable(),
  /** Another user had already merged them, so nothing changed. */
  already: z.boolean(),
  schoolId: z.uuid(),
  name: z.string(),
  npsn: z.string(),
  moved: z.array(reference),
  /** Rows deleted because the remaining school already had equal ones. */
  dropped: z.array(reference),
  aliases: z.array(z.string()),
})
export type MergeOutcome = z.output<typeof mergeOutcome>

export const previewMerge = endpoint({
  method: 'POST',
  path: '/master/sma-nama/merge/preview',
  access,
  reads: true,
  summary: 'What a merge would move and drop; nothing is written',
  body: mergeBody,
  rules: mergeProblems,
  response: z.object({ data: mergeOutcome }),
})

export const mergeSchools = endpoint({
  method: 'POST',
  path: '/master/sma-nama/merge',
  access,
  summary: 'Make several schools one: everything that points to them moves to the one that stays; safe to repeat',
  body: mergeBody,
  rules: mergeProblems,
  response: z.object({ data: mergeOutcome }),
})

export const undoMerge = endpoint({
  method: 'POST',
  path: '/master/sma-nama/merges/:id/undo',
  access,
  summary:
    'Take a merge back: the schools return with what was moved from them and still points to the one that stayed',
  params: byId,
  response: z.object({
    data: z.object({
      moved: z.int(),
      /** Rows the merge moved that were edited since, so they stay. */
      left: z.int(),
      /** Whether the remaining school got its earlier data back; false if edited since. */
      restored: z.boolean(),
    }),
  }),
})

export const verifyProposal = endpoint({
  method: 'POST',
  path: '/master/sma-nama/proposals/:id/verify',
  access,
  summary: 'Accept a proposed school, its data put right where needed',
  params: byId,
  body: z.strictObject({
    version: z.int(),
    npsn: typedText().toUpperCase().regex(npsnPattern),
    name: typedLine().min(3).max(150),
    schoolTypeId: z.uuid(),
    status: z.enum(['negeri', 'swasta']),
    cityId: z.uuid(),
    districtId: z.uuid().nullable(),
    address: typedText().max(300).nullable(),
  }),
  response: z.object({ data: briefSchool }),
})

export const verifyProposals = endpoint({
  method: 'POST',
  path: '/master/sma-nama/proposals/verify',
  access,
  summary: 'Accept many proposed schools as they are; those with a likely match stay for a closer look',
  body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(500), preview: z.boolean().default(false) }),
  response: z.object({
    data: z.object({
      verified: z.array(z.object({ id: z.uuid(), name: z.string() })),
      refused: z.array(z.object({ id: z.uuid(), name: z.string(), reason: z.string() })),
    }),
  }),
})

export const rejectProposal = endpoint({
  method: 'POST',
  path: '/master/sma-nama/proposals/:id/reject',
  access,
  summary: 'Refuse a proposed school: it goes, and whoever chose it is asked to choose again',
  params: byId,
  body: z.strictObject({ version: z.int(), reason: typedText().min(3).max(300) }),
  response: z.object({ data: z.object({ asked: z.int() }) }),
})
