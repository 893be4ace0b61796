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
  /** Staff only: the unpublished decision. */
  decision: z.string().nullable(),
  documentsState: z.string(),
  /** Whether every required document is settled, so that the registration can be verified. */
  documentsSettled: z.boolean(),
  /** Whether the fee must be paid again; shown only to applicants. */
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
    /** Staff only: the rows counted by a dashboard tile. */
    queue: { values: registrationQueues, words: 'staff:queue' },
  },
  order: '-createdAt',
  orderNames: { newest: '-createdAt', oldest: 'createdAt' },
  ignoresShortSearch: true,
})

/** Outcome of an offered place. */
export const offerAnswers = ['open', 'confirmed', 'declined', 'expired', 'cancelled'] as const

const offerRow = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  phone: z.string().nullable(),
  programme: z.string().nullable(),
  classProgramme: z.string(),
  wave: z.string(),
  track: z.string(),
  answer: z.enum(offerAnswers),
  dueAt: time.nullable(),
  /** When the applicant first saw the result. */
  seenAt: time.nullable(),
  remindedAt: time.nullable(),
  /** Reserve list rank from which the place was offered. */
  reserveRank: z.int().nullable(),
  confirmedAt: time.nullable(),
})
export type OfferRow = z.output<typeof offerRow>

export const listOffers = defineList({
  name: 'offers',
  path: '/konfirmasi-kelulusan',
  access: 'konfirmasi-kelulusan-view',
  summary: 'Accepted applicants of published results, with their deadlines and answers',
  words: { title: 'titles:konfirmasi-kelulusan', columns: 'offers:column', filters: 'offers:filter' },
  row: offerRow,
  columns: {
    name: { sort: true },
    code: { hidden: true },
    phone: { hidden: true, masked: { as: 'phone', without: 'pendaftaran-edit' } },
    programme: {},
    classProgramme: { hidden: true },
    wave: { hidden: true },
    track: {},
    answer: { words: 'offers:answer' },
    dueAt: { kind: 'dateTime', absent: 'offers:noDeadline' },
    seenAt: { kind: 'dateTime', absent: 'offers:notSeen' },
    remindedAt: { kind: 'dateTime', dayOnly: true },
    reserveRank: { kind: 'number', hidden: true },
    confirmedAt: { kind: 'dateTime', dayOnly: true, hidden: true },
  },
  filters: {
    answer: { values: offerAnswers, words: 'offers:answer', quick: true },
    waveId: { of: 'periode' },
    trackId: { of: 'jalur' },
    programmeId: { of: 'prodi' },
    seen: { kind: 'yesNo' },
    reminded: { kind: 'yesNo' },
    fromReserve: { kind: 'yesNo' },
    dueUntil: { kind: 'day' },
  },
  orders: ['newest'],
  order: '-newest',
  ignoresShortSearch: true,
})

export const reserveStatuses = ['waiting', 'offered', 'taken', 'declined', 'expired', 'closed'] as const

const reservePlaceRow = z.object({
  id: z.uuid(),
  registrationId: z.uuid(),
  rank: z.int(),
  name: z.string(),
  code: z.string(),
  programme: z.string(),
  classProgramme: z.string(),
  track: z.string(),
  /** Track of the reserve list; null for a programme not divided by track. */
  listTrack: z.string().nullable(),
  wave: z.string(),
  status: z.enum(reserveStatuses),
  /** Free places of the programme at the candidate's entry level. */
  placesFree: z.int(),
  offeredAt: time.nullable(),
  dueAt: time.nullable(),
  endedAt: time.nullable(),
  endedReason: z.string().nullable(),
})
export type ReservePlaceRow = z.output<typeof reservePlaceRow>

export const listReservePlaces = defineList({
  name: 'reserve-places',
  path: '/seleksi/reserve',
  access: 'seleksi-view',
  summary: 'Reserve lists of adopted selections in the order of the ranks, by track where places are divided by track',
  words: { title: 'staff-titles:seleksi-reserve', columns: 'offers:reserve.column', filters: 'offers:filter' },
  row: reservePlaceRow,
  columns: {
    name: {},
    rank: { kind: 'number' },
    code: { hidden: true },
    programme: {},
    classProgramme: { hidden: true },
    track: {},
    wave: { hidden: true },
    status: { words: 'offers:reserve.status' },
    placesFree: { kind: 'number' },
    offeredAt: { kind: 'dateTime', hidden: true },
    dueAt: { kind: 'dateTime' },
    endedAt: { kind: 'dateTime', hidden: true },
    endedReason: { hidden: true },
  },
  filters: {
    status: { values: reserveStatuses, words: 'offers:reserve.status', quick: true },
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    classProgrammeId: { of: 'program' },
    trackId: { of: 'jalur' },
  },
  orders: ['list'],
  order: 'list',
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
  /** Null if the reader does not see that programme. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  fromClass: z.string(),
  toClass: z.string(),
  /** Status at that time. */
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
    /** Left or entered programme. */
    programmeId: { of: 'prodi' },
    waveId: { of: 'periode' },
    from: { kind: 'day' },
    to: { kind: 'day' },
  },
  order: '-changedAt',
})

export const requestStatuses = ['pending', 'granted', 'refused', 'withdrawn', 'closed'] as const

const programmeRequestRow = z.object({
  id: z.uuid(),
  registrationId: z.uuid(),
  registrationCode: z.string(),
  applicantName: z.string(),
  /** Null if the reader does not see that programme. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  toClass: z.string(),
  programmeId: z.uuid(),
  classProgrammeId: z.uuid(),
  difference: rupiah,
  placesFree: z.int(),
  reason: z.string(),
  status: z.enum(requestStatuses),
  askedAt: time,
  answer: z.string().nullable(),
})
export type ProgrammeRequestRow = z.output<typeof programmeRequestRow>

export const listProgrammeRequests = defineList({
  name: 'programme-requests',
  path: '/pindah-prodi/requests',
  access: 'pindah-prodi-view',
  summary: 'Requests of applicants for another study programme',
  words: {
    title: 'programme-change:request.title',
    columns: 'programme-change:request.column',
    filters: 'programme-change:request.filter',
  },
  row: programmeRequestRow,
  columns: {
    applicantName: {},
    registrationCode: { hidden: true },
    from: { absent: 'programme-change:outOfSight' },
    to: { absent: 'programme-change:outOfSight' },
    toClass: { hidden: true },
    difference: { kind: 'money' },
    placesFree: { kind: 'number' },
    status: { words: 'programme-change:request.status' },
    reason: { hidden: true },
    askedAt: { kind: 'dateTime', dayOnly: true, sort: true },
    answer: { hidden: true },
  },
  filters: {
    status: { values: requestStatuses, words: 'programme-change:request.status', quick: true },
    programmeId: { of: 'prodi' },
    waveId: { of: 'periode' },
  },
  order: '-askedAt',
})
