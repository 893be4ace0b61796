import { z } from 'zod'
import { documentStages, documentStatuses } from '#domain/documents/document-status.ts'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'

export const listStudentFiles = defineList({
  name: 'berkas-mahasiswa',
  path: '/berkas-mahasiswa',
  access: 'berkas-mahasiswa-view',
  summary:
    'Documents that the reader may review: of everyone with a confirmed place, and for reviewers of registrations also of applicants; the longest waiting first',
  words: { title: 'staff-titles:berkas-mahasiswa', columns: 'student-files:column', filters: 'student-files:column' },
  row: z.object({
    id: z.uuid(),
    registrationId: z.uuid(),
    name: z.string(),
    code: z.string(),
    npm: z.string().nullable(),
    programme: z.string().nullable(),
    wave: z.string(),
    requirement: z.string(),
    stage: z.enum(documentStages),
    required: z.boolean(),
    state: z.enum(documentStatuses),
    uploadedAt: time.nullable(),
    dueOn: z.string().nullable(),
    reviewedBy: z.string().nullable(),
    /** Whether a paper copy was received. */
    paper: z.boolean(),
    /** Whether the place is confirmed, so its documents have a page among the student files. */
    isConfirmed: z.boolean(),
    /** Document version for a bulk approval; a file replaced since is refused. */
    version: z.int(),
  }),
  columns: {
    name: {},
    requirement: {},
    state: { words: 'student-files:state' },
    uploadedAt: { kind: 'dateTime' },
    stage: { words: 'documents:stage' },
    required: { kind: 'yesNo', hidden: true },
    code: {},
    npm: { hidden: true },
    programme: {},
    wave: { hidden: true },
    dueOn: { kind: 'date' },
    paper: { kind: 'yesNo' },
    reviewedBy: { hidden: true },
  },
  filters: {
    state: { values: documentStatuses, words: 'student-files:state', quick: true },
    stage: { values: documentStages, words: 'documents:stage' },
    requirement: { kind: 'text', most: 120 },
    programmeId: { of: 'prodi', word: 'student-files:column.programme' },
    waveId: { of: 'periode', word: 'student-files:column.wave' },
    required: { kind: 'yesNo' },
    paper: { kind: 'yesNo' },
  },
  orders: ['waiting', 'newest'],
  order: 'waiting',
})
