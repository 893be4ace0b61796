import { z } from 'zod'
import { universityCalendar } from '#domain/calendar.ts'
import { endpoint } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import {
  documentStages,
  documentStatuses,
  documentsStates,
  documentTransitions,
  reviewActions,
} from './document-status.ts'
import { documentFileTypes } from './file-types.ts'

const text = z.string().nullable()

/** Opens only the documents of applicants with a confirmed place. */
const alsoFor = ['berkas-mahasiswa-update']

export const documentSlot = z.object({
  id: z.uuid(),
  registrationId: z.uuid(),
  name: z.string(),
  /** `enrolment` documents open once the place is confirmed. */
  stage: z.enum(documentStages),
  required: z.boolean(),
  acceptedTypes: z.array(z.string()),
  maxMb: z.int(),
  mayDefer: z.boolean(),
  status: z.enum(documentStatuses),
  rejectReason: text,
  deferredUntil: text,
  /** Day until which the applicant may let the document follow; null if not possible. */
  mayFollowUntil: text,
  dueOn: text,
  /** Whether staff requested it, rather than the track. */
  requested: z.boolean(),
  uploadedAt: time.nullable(),
  reviewedAt: time.nullable(),
  reviewedBy: text,
  /** Action of the last review. */
  lastReview: z.enum(reviewActions).nullable(),
  /** Seconds in which the reader can still undo the last review; null if not possible. */
  undoSeconds: z.int().nullable(),
  /** Whether the registration was decided after the last review, so the document cannot be reopened. */
  decisionFollows: z.boolean(),
  /** Whether the track provides a form to fill in: `/documents/:documentId/template`. */
  hasTemplate: z.boolean(),
  version: z.int(),
  file: z
    .object({
      id: z.uuid(),
      name: z.string(),
      mime: z.string(),
      bytes: z.int(),
      isImage: z.boolean(),
      /** Signed URL that expires soon, only for the reader's own pictures; other files open through `viewDocument`. */
      url: text,
      thumbnailUrl: text,
    })
    .nullable(),
})
export type DocumentSlot = z.output<typeof documentSlot>

const registrationId = z.object({ id: z.uuid() })
const documentId = z.object({ documentId: z.uuid() })
const documentAnswer = z.object({ data: documentSlot, meta: z.object({ documentsState: z.enum(documentsStates) }) })

export const listDocuments = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/files',
  access: 'pendaftaran-view',
  alsoFor,
  summary: 'Document slots of a registration',
  params: registrationId,
  response: z.object({
    data: z.array(documentSlot),
    meta: z.object({
      registrationId: z.uuid(),
      code: z.string(),
      registrationStatus: z.string(),
      documentsState: z.enum(documentsStates),
      /** Whether documents may still be uploaded or reviewed. */
      open: z.boolean(),
    }),
  }),
})

export const listAccountDocuments = endpoint({
  method: 'GET',
  path: '/account/files',
  access: 'signed-in',
  summary: 'Documents of all own registrations',
  response: z.object({
    data: z.array(
      z.object({
        registrationId: z.uuid(),
        code: z.string(),
        registrationStatus: z.string(),
        track: z.string(),
        wave: z.string(),
        documentsState: z.enum(documentsStates),
        open: z.boolean(),
        documents: z.array(documentSlot),
      }),
    ),
  }),
})

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/files/:documentId',
  access: documentTransitions.upload.access,
  summary:
    'Send the file of a slot, or another one before it is approved (multipart, field `file`; `version` before it: 409 if another)',
  upload: true,
  params: z.object({ id: z.uuid(), documentId: z.uuid() }),
  response: documentAnswer,
})

export const postponeDocument = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/files/:documentId/postpone',
  access: documentTransitions.postpone.access,
  summary: 'Let a missing document follow, once, for the days in the settings',
  params: z.object({ id: z.uuid(), documentId: z.uuid() }),
  body: z.strictObject({ version: rowVersion.min(1) }),
  response: documentAnswer,
})

export const requestDocument = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/files',
  access: 'pendaftaran-verify',
  alsoFor,
  summary: 'Ask the applicant for one more document',
  params: registrationId,
  body: z.strictObject({
    name: typedLine().min(2).max(120),
    /** Whether the registration is incomplete without the document. */
    required: z.boolean().default(true),
    acceptedTypes: z.array(z.enum(documentFileTypes)).min(1).default(['pdf', 'jpg', 'png']),
    maxMb: z.int().min(1).max(20).default(5),
    dueOn: typedDay.nullable().default(null),
  }),
  rules: ({ dueOn }, now) => ({
    dueOn: dueOn && dueOn <= universityCalendar().dayOf(now) ? 'document_date_past' : null,
  }),
  response: documentAnswer,
})

/** Version on the reviewer's screen; the review is refused if the file was replaced since. */
const version = { version: rowVersion.min(1) }
const reason = typedText().min(3).max(300)

export const approveDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/approve',
  access: documentTransitions.approve.access,
  alsoFor,
  summary: 'Approve a document',
  params: documentId,
  body: z.strictObject(version),
  response: documentAnswer,
})

export const rejectDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/reject',
  access: documentTransitions.reject.access,
  alsoFor,
  summary: 'Refuse a document and say why',
  params: documentId,
  body: z.strictObject({ ...version, reason }),
  response: documentAnswer,
})

export const waiveDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/waive',
  access: documentTransitions.waive.access,
  alsoFor,
  summary: 'Do without a document',
  params: documentId,
  body: z.strictObject({ ...version, reason: typedText().max(300).optional() }),
  response: documentAnswer,
})

export const deferDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/defer',
  access: documentTransitions.defer.access,
  alsoFor,
  summary: 'Let a document follow until a date',
  params: documentId,
  body: z.strictObject({ ...version, until: typedDay }),
  rules: ({ until }, now) => ({
    until: until && until <= universityCalendar().dayOf(now) ? 'document_date_past' : null,
  }),
  response: documentAnswer,
})

export const reopenDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/reopen',
  access: documentTransitions.reopen.access,
  alsoFor,
  summary: 'Take a review of a document back, also a rejection, until the registration is decided',
  params: documentId,
  body: z.strictObject({ ...version, reason }),
  response: documentAnswer,
})

export const undoReview = endpoint({
  method: 'POST',
  path: '/documents/:documentId/undo',
  access: documentTransitions.approve.access,
  alsoFor,
  summary: 'Undo the own last review of a document within a minute; nothing of it reaches the applicant',
  params: documentId,
  /** `version` of the document after the review. */
  body: z.strictObject(version),
  response: documentAnswer,
})

export const viewDocument = endpoint({
  method: 'POST',
  path: '/documents/:documentId/view',
  access: 'pendaftaran-view',
  alsoFor,
  summary: 'Open a document: a signed address for a picture, none for a PDF (fetch its content); reads are recorded',
  params: documentId,
  response: z.object({
    data: z.object({ kind: z.enum(['image', 'pdf']), url: text, name: z.string(), version: z.int() }),
  }),
})

export const documentContent = endpoint({
  method: 'GET',
  path: '/documents/:documentId/content',
  access: 'pendaftaran-view',
  alsoFor,
  summary: 'The file of a document, as a download; reads are recorded',
  params: documentId,
  response: z.unknown(),
})

export const documentTemplate = endpoint({
  method: 'GET',
  path: '/documents/:documentId/template',
  access: 'pendaftaran-view',
  summary: 'The form to fill in for a document, as a download',
  params: documentId,
  response: z.unknown(),
})
