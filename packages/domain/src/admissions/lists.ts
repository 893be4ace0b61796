import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { registrationQueues, registrationStatuses, resultFilters, shownResults } from './registration-status.ts'

/** Whole rupiah. */
const rupiah = z.int()

const registrationRow = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  wave: z.string(),
  track: z.string(),
  classProgramme: z.string(),
  programme: z.string().nullable(),
  status: z.enum(registrationStatuses),
  result: z.enum(shownResults),
  /** Staff only: the decision before it is published. */
  decision: z.string().nullable(),
  documentsState: z.string(),
  /** Every required document is settled, so that the registration can be verified. */
  documentsSettled: z.boolean(),
  /** The fee is to be paid again; told to applicants only. */
  feeOwed: z.boolean(),
  createdAt: time,
  submittedAt: time.nullable(),
})
export type RegistrationRow = z.output<typeof registrationRow>

export const listRegistrations = defineList({
  name: 'pendaftaran',
  path: '/pendaftaran',
  access: 'pendaftaran-view',
  summary: 'Registrations: the own ones of an applicant, those in scope of staff',
  words: { title: 'staff:list.title', columns: 'staff:column', filters: 'staff:filter' },
  row: registrationRow,
  columns: {
    name: { sort: true },
    code: { sort: true },
    phone: { hidden: true, masked: { as: 'phone', without: 'pendaftaran-edit' } },
    wave: { hidden: true },
    track: { hidden: true },
    programme: {},
    classProgramme: { hidden: true },
    status: { words: 'staff:status' },
    documentsState: { word: 'staff:column.documents', words: 'staff:documents' },
    result: { words: 'staff:result' },
    decision: { words: 'staff:decision', hidden: true },
    createdAt: { word: 'staff:column.created', kind: 'dateTime', dayOnly: true, sort: true },
    submittedAt: { word: 'staff:column.submitted', kind: 'dateTime', dayOnly: true, hidden: true },
  },
  filters: {
    waveId: { of: 'periode' },
    trackId: { of: 'jalur' },
    programmeId: { of: 'prodi' },
    status: { values: registrationStatuses, words: 'staff:status' },
    result: { values: resultFilters, words: 'staff:result' },
    documents: { values: ['missing', 'to_review', 'rejected', 'complete'], words: 'staff:documents' },
    /** For staff: what a tile of their dashboard counts. */
    queue: { values: registrationQueues, words: 'staff:queue' },
  },
  order: '-createdAt',
  orderNames: { newest: '-createdAt', oldest: 'createdAt' },
  ignoresShortSearch: true,
})

/** Sign of the price difference. */
export const changeDirections = ['dearer', 'cheaper', 'equal'] as const

const programmeChangeRow = z.object({
  id: z.uuid(),
  changedAt: time,
  registrationId: z.uuid(),
  registrationCode: z.string(),
  applicantName: z.string(),
  /** Null: of a programme the reader does not see. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  fromClass: z.string(),
  toClass: z.string(),
  /** Where the registration stood then. */
  status: z.enum(registrationStatuses),
  totalBefore: rupiah,
  totalAfter: rupiah,
  difference: rupiah,
  moved: rupiah,
  waiting: rupiah,
  billNumber: z.string().nullable(),
  reason: z.string(),
  changedBy: z.string(),
})
export type ProgrammeChangeRow = z.output<typeof programmeChangeRow>

export const listProgrammeChanges = defineList({
  name: 'programme-changes',
  path: '/pindah-prodi',
  access: 'pindah-prodi-view',
  summary: 'Changes of study programme',
  words: { title: 'titles:pindah-prodi', columns: 'programme-change:column', filters: 'programme-change:filter' },
  row: programmeChangeRow,
  columns: {
    applicantName: {},
    from: { absent: 'programme-change:outOfSight' },
    fromClass: { hidden: true },
    to: { absent: 'programme-change:outOfSight' },
    toClass: { hidden: true },
    difference: { kind: 'money', sort: true },
    changedAt: { kind: 'dateTime', dayOnly: true, sort: true },
    changedBy: {},
    registrationCode: { hidden: true },
    status: { words: 'staff:status', hidden: true },
    totalBefore: { kind: 'money', hidden: true },
    totalAfter: { kind: 'money', hidden: true },
    moved: { kind: 'money', hidden: true },
    waiting: { kind: 'money', hidden: true },
    billNumber: { hidden: true },
    reason: { hidden: true },
  },
  filters: {
    direction: { values: changeDirections, words: 'programme-change:direction' },
    /** Left or entered. */
    programmeId: { of: 'prodi' },
    waveId: { of: 'periode' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-changedAt',
})
