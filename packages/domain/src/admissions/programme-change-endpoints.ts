import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { registrationStatuses } from './registration-status.ts'

/** Whole rupiah. */
const rupiah = z.int()
const byId = z.object({ id: z.uuid() })
const named = z.object({ id: z.uuid(), name: z.string() })

export const changeCandidate = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  programme: z.string().nullable(),
  status: z.enum(registrationStatuses),
})
export type ChangeCandidate = z.output<typeof changeCandidate>

/** Returns a few candidates for a search field. */
export const findChangeCandidates = endpoint({
  method: 'GET',
  path: '/pindah-prodi/candidates',
  access: 'pindah-prodi-update',
  summary: 'Registrations by name, code or phone whose study programme may be changed',
  query: z.strictObject({ q: typedLine().min(2).max(100).optional() }),
  response: z.object({ data: z.array(changeCandidate) }),
})

export const changeTarget = z.object({
  programmeId: z.uuid(),
  programme: z.string(),
  faculty: z.string(),
  classProgrammeId: z.uuid(),
  classProgramme: z.string(),
  placesLeft: z.int(),
  /** Tuition before discounts; null if no row applies. */
  tuition: rupiah.nullable(),
})
export type ChangeTarget = z.output<typeof changeTarget>

export const readChangeTargets = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/programme-change',
  access: 'pindah-prodi-update',
  summary: 'Where a registration could go: study programmes and classes of its wave and entry level',
  params: byId,
  response: z.object({
    data: z.object({
      registration: changeCandidate.extend({
        wave: z.string(),
        track: z.string(),
        classProgramme: z.string(),
        programmeId: z.uuid().nullable(),
        classProgrammeId: z.uuid(),
      }),
      /** Reasons why the registration cannot change at all. */
      problems: z.array(z.object({ code: z.string(), message: z.string() })),
      targets: z.array(changeTarget),
      /** The applicant's pending request. */
      asked: z
        .object({
          id: z.uuid(),
          programmeId: z.uuid(),
          programme: z.string(),
          classProgrammeId: z.uuid(),
          classProgramme: z.string(),
          reason: z.string(),
          askedAt: time,
        })
        .nullable(),
    }),
  }),
})

const place = z.object({
  programme: named,
  classProgramme: named,
  capacity: z.int().nullable(),
  taken: z.int(),
})

export const comparedLine = z.object({
  key: z.string(),
  description: z.string(),
  kind: z.enum(['fee', 'discount', 'reduction']),
  before: rupiah,
  after: rupiah,
})

const part = z.object({ position: z.int(), amount: rupiah, paid: rupiah, dueAt: time })

/** The bill before or after the change; without a number, the bill that would be issued. */
const side = z.object({
  number: z.string().nullable(),
  total: rupiah,
  paid: rupiah,
  dueAt: time.nullable(),
  installments: z.array(part),
})

export const programmeChangePreview = z.object({
  /** Fingerprint of the preview; the change is refused if the facts have changed since. */
  seen: z.string(),
  registration: changeCandidate,
  from: place,
  to: place,
  money: z.object({
    /** `anew`: replaced by a new bill; `stays`: same amount; `none`: no bill yet. */
    bill: z.enum(['anew', 'stays', 'none']),
    plan: z.string().nullable(),
    lines: z.array(comparedLine),
    before: side,
    after: side,
    difference: rupiah,
    /** Paid money moved to the new bill, and money beyond its total. */
    moved: rupiah,
    waiting: rupiah,
  }),
  fee: z.object({
    before: rupiah,
    after: rupiah,
    /** `settled`: paid and unchanged; `anew`: unpaid and issued again. */
    effect: z.enum(['same', 'settled', 'anew']),
  }),
  notes: z.array(z.object({ code: z.string(), warning: z.boolean(), message: z.string() })),
  /** All reasons why the change is not allowed. */
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
})
export type ProgrammeChangePreview = z.output<typeof programmeChangePreview>

const target = { programmeId: z.uuid(), classProgrammeId: z.uuid() }

export const previewProgrammeChange = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/programme-change/preview',
  access: 'pindah-prodi-update',
  reads: true,
  summary: 'What a change of study programme would do to bill, money, place and choices; changes nothing',
  params: byId,
  body: z.strictObject(target),
  response: z.object({ data: programmeChangePreview }),
})

export const changeProgramme = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/programme-change',
  access: 'pindah-prodi-update',
  summary: 'Move a registration to another study programme, as it was shown',
  params: byId,
  body: z.strictObject({ ...target, reason: typedText().min(5).max(500), seen: z.string().max(100) }),
  response: z.object({ data: z.object({ id: z.uuid(), billNumber: z.string().nullable(), waiting: rupiah }) }),
})
