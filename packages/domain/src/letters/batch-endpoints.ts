import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'

/** Language of a batch's letters; `applicant` is that of each account. */
export const batchLanguages = [...languages, 'applicant'] as const

export const batchStatuses = ['running', 'done', 'cancelled'] as const

/** Registration statuses a batch can be limited to. */
export const batchStages = ['submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled'] as const

/** How long a running batch shows no sign of life before it may be continued by hand. */
export const batchStallsAfterMs = 120_000

const byId = z.object({ id: z.uuid() })

const request = z.strictObject({
  kindId: z.uuid(),
  language: z.enum(batchLanguages),
  waveId: z.uuid().nullable(),
  programmeId: z.uuid().nullable(),
  trackId: z.uuid().nullable(),
  stage: z.enum(batchStages).nullable(),
})
export type BatchRequest = z.output<typeof request>

export const previewLetterBatch = endpoint({
  method: 'POST',
  path: '/surat/massal/preview',
  access: 'surat-create',
  reads: true,
  summary: "How many people a batch of letters would include, and the first person's letter",
  body: request,
  response: z.object({
    data: z.object({
      people: z.int(),
      /** People who get a letter; null if there are too many to check beforehand. */
      letters: z.int().nullable(),
      /** The first person; `refusal` says why they would get no letter. */
      sample: z
        .object({
          name: z.string(),
          code: z.string(),
          language: z.enum(languages),
          title: z.string(),
          body: z.string(),
          refusal: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
})

const refusedPerson = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  reason: z.string(),
})

const summary = {
  id: z.uuid(),
  kind: z.string(),
  language: z.enum(batchLanguages),
  wave: z.string().nullable(),
  programme: z.string().nullable(),
  track: z.string().nullable(),
  stage: z.enum(batchStages).nullable(),
  status: z.enum(batchStatuses),
  total: z.int(),
  /** People whose letters are printed or were refused. */
  finished: z.int(),
  refused: z.int(),
  startedAt: time,
  startedBy: z.string().nullable(),
  finishedAt: time.nullable(),
}

const batch = z.object({
  ...summary,
  /** Running without a sign of life: its job has ended and can be continued. */
  stalled: z.boolean(),
  chunks: z.array(
    z.object({
      number: z.int(),
      people: z.int(),
      letters: z.int(),
      /** Letters replaced or withdrawn meanwhile, which the file omits. */
      ended: z.int(),
      /** Numbers of the first and the last letter. */
      first: z.string().nullable(),
      last: z.string().nullable(),
      registered: z.boolean(),
      printed: z.boolean(),
      hasFile: z.boolean(),
    }),
  ),
  /** The first 100 who got no letter. */
  refusals: z.array(refusedPerson),
})
export type LetterBatch = z.output<typeof batch>
const answer = z.object({ data: batch })

export const startLetterBatch = endpoint({
  method: 'POST',
  path: '/surat/massal',
  access: 'surat-create',
  summary: 'Issue letters to many people in the background; one batch per kind at a time',
  body: request,
  response: answer,
})

export const readLetterBatch = endpoint({
  method: 'GET',
  path: '/surat/massal/:id',
  access: 'surat-view',
  summary: 'A batch of letters with its progress and files',
  params: byId,
  response: answer,
})

export const cancelLetterBatch = endpoint({
  method: 'POST',
  path: '/surat/massal/:id/cancel',
  access: 'surat-create',
  summary: 'Cancel a batch; letters issued so far stay valid and are printed',
  params: byId,
  response: answer,
})

export const continueLetterBatch = endpoint({
  method: 'POST',
  path: '/surat/massal/:id/continue',
  access: 'surat-create',
  summary: 'Continue a batch whose job ended early',
  params: byId,
  response: answer,
})

export const downloadLetterBatch = endpoint({
  method: 'GET',
  path: '/surat/massal/:id/chunks/:chunk/file.pdf',
  access: 'surat-view',
  summary: 'Printable file of one part of a batch (PDF)',
  params: byId.extend({ chunk: z.coerce.number().int().min(1).max(100_000) }),
  response: z.any(),
})

export const listLetterBatches = defineList({
  name: 'letter-batches',
  path: '/surat/massal',
  access: 'surat-view',
  summary: 'Batches of letters, newest first: one’s own, or all with the whole university in view',
  words: { title: 'staff-titles:surat-massal', columns: 'letters:batchColumn', filters: 'letters:batchColumn' },
  row: z.object(summary),
  columns: {
    kind: { sort: true },
    status: { words: 'letters:batchStatus' },
    total: { kind: 'number', sort: true },
    finished: { kind: 'number' },
    refused: { kind: 'number' },
    language: { words: 'letters:batchLanguage', hidden: true },
    wave: {},
    programme: {},
    track: { hidden: true },
    stage: { words: 'staff:status', hidden: true },
    startedAt: { kind: 'dateTime', sort: true },
    startedBy: {},
    finishedAt: { kind: 'dateTime', hidden: true },
  },
  filters: {
    status: { values: batchStatuses, words: 'letters:batchStatus', quick: true },
    waveId: { of: 'periode', word: 'letters:batchColumn.wave' },
    programmeId: { of: 'prodi', word: 'letters:batchColumn.programme' },
  },
  order: '-startedAt',
})
