import { z } from 'zod'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import { documentStages, documentStatuses } from '#domain/documents/document-status.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { defaultNameTemplate, isNameTemplate } from './name-template.ts'

const byId = z.object({ id: z.uuid() })
const access = 'berkas-mahasiswa-update'

export const listFileKinds = endpoint({
  method: 'GET',
  path: '/berkas-mahasiswa/requirements',
  access: 'berkas-mahasiswa-view',
  summary: 'Names of the documents asked for by the tracks, to filter by one',
  response: z.object({ data: z.array(z.string()) }),
})

const paperReceipt = z.object({
  id: z.uuid(),
  number: z.string(),
  receivedAt: time,
  receivedBy: z.string(),
  broughtBy: z.string(),
  note: z.string().nullable(),
  voidedAt: time.nullable(),
  voidReason: z.string().nullable(),
  lines: z.array(z.object({ documentId: z.uuid(), name: z.string(), copies: z.int(), legalised: z.boolean() })),
})
export type PaperReceipt = z.output<typeof paperReceipt>

export const getStudentFiles = endpoint({
  method: 'GET',
  path: '/berkas-mahasiswa/:id',
  access,
  summary: 'Whose documents these are, and the paper copies received of them',
  params: byId,
  response: z.object({
    data: z.object({
      registrationId: z.uuid(),
      code: z.string(),
      name: z.string(),
      status: z.enum(confirmedStatuses),
      npm: z.string().nullable(),
      programme: z.string().nullable(),
      track: z.string(),
      wave: z.string(),
      receipts: z.array(paperReceipt),
      /** Registration whose file has waited longest for review; null if none waits. */
      nextWaiting: z.uuid().nullable(),
    }),
  }),
})

export const approveFiles = endpoint({
  method: 'POST',
  path: '/berkas-mahasiswa/approve',
  access,
  summary: 'Approve many documents of one kind; answers which were refused and why',
  body: z.strictObject({
    /** Name of the kind; documents with another name are refused. */
    requirement: typedLine().min(1).max(120),
    documents: z
      .array(z.strictObject({ id: z.uuid(), version: rowVersion.min(1) }))
      .min(1)
      .max(200),
  }),
  response: z.object({
    data: z.object({
      approved: z.int(),
      refused: z.array(z.object({ id: z.uuid(), reason: z.string() })),
    }),
  }),
})

export const receivePapers = endpoint({
  method: 'POST',
  path: '/berkas-mahasiswa/:id/papers',
  access,
  summary: 'Note paper copies that were handed in; answers the receipt to print, 409 for a paper on a receipt already',
  params: byId,
  body: z.strictObject({
    broughtBy: typedLine().min(2).max(100),
    note: typedText().max(300).nullable().default(null),
    lines: z
      .array(
        z.strictObject({
          documentId: z.uuid(),
          copies: z.int().min(1).max(20).default(1),
          legalised: z.boolean().default(true),
        }),
      )
      .min(1)
      .max(50),
  }),
  rules: ({ lines = [] }: { lines?: { documentId: string }[] }): Problems => ({
    lines: new Set(lines.map(({ documentId }) => documentId)).size < lines.length ? 'already_exists' : null,
  }),
  response: z.object({ data: paperReceipt }),
})

export const voidPapers = endpoint({
  method: 'POST',
  path: '/berkas-mahasiswa/papers/:receiptId/void',
  access,
  summary: 'Void a receipt written by mistake; its number stays used',
  params: z.object({ receiptId: z.uuid() }),
  body: z.strictObject({ reason: typedText().min(3).max(300) }),
  response: z.object({ data: paperReceipt }),
})

export const printPapers = endpoint({
  method: 'GET',
  path: '/berkas-mahasiswa/papers/:receiptId/receipt.pdf',
  access,
  summary: 'Receipt of paper copies (PDF)',
  params: z.object({ receiptId: z.uuid() }),
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.unknown(),
})

const nameTemplate = typedLine().max(100).refine(isNameTemplate).default(defaultNameTemplate)
const yesNo = z.enum(['true', 'false']).optional()

export const zipStudentFiles = endpoint({
  method: 'GET',
  path: '/berkas-mahasiswa/:id/zip',
  access,
  summary: 'Every file of one person as a ZIP; recorded',
  params: byId,
  query: z.object({ template: nameTemplate }),
  response: z.unknown(),
})

export const zipFilteredFiles = endpoint({
  method: 'GET',
  path: '/berkas-mahasiswa/zip',
  access,
  summary: 'The files that a filter of the list finds as a ZIP; recorded for each person',
  query: z.object({
    template: nameTemplate,
    q: typedLine().min(2).max(100).optional(),
    state: z.enum(documentStatuses).optional(),
    stage: z.enum(documentStages).optional(),
    requirement: typedLine().max(120).optional(),
    programmeId: z.uuid().optional(),
    waveId: z.uuid().optional(),
    required: yesNo,
    paper: yesNo,
  }),
  response: z.unknown(),
})
