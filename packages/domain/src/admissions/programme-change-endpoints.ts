import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { registrationStatuses } from './registration-status.ts'

const time = z.iso.datetime()
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

/** A handful, for a field to choose from. */
export const findChangeCandidates = endpoint({
  method: 'GET',
  path: '/pindah-prodi/candidates',
  access: 'pindah-prodi-update',
  summary: 'Registrations by name, code or phone whose study programme may be changed',
  query: z.strictObject({ q: z.string().trim().min(2).max(100).optional() }),
  response: z.object({ data: z.array(changeCandidate) }),
})

export const changeTarget = z.object({
  programmeId: z.uuid(),
  programme: z.string(),
  faculty: z.string(),
  classProgrammeId: z.uuid(),
  classProgramme: z.string(),
  placesLeft: z.int(),
  /** What the tuition matrix asks before any discount; null while it says nothing. */
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
      /** Why it cannot be moved at all. */
      problems: z.array(z.object({ code: z.string(), message: z.string() })),
      targets: z.array(changeTarget),
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

/** The bill on one side of the comparison; without a number it is what would be asked. */
const side = z.object({
  number: z.string().nullable(),
  total: rupiah,
  paid: rupiah,
  dueAt: time.nullable(),
  installments: z.array(part),
})

export const programmeChangePreview = z.object({
  /** What was looked at: sent along when the change is accepted, which is refused when the facts are others by then. */
  seen: z.string(),
  registration: changeCandidate,
  from: place,
  to: place,
  money: z.object({
    /** `anew`: the bill is replaced; `stays`: it asks for the same; `none`: nothing is asked for yet. */
    bill: z.enum(['anew', 'stays', 'none']),
    plan: z.string().nullable(),
    lines: z.array(comparedLine),
    before: side,
    after: side,
    difference: rupiah,
    /** Of what is paid: goes to the new bill, and is too much for it. */
    moved: rupiah,
    waiting: rupiah,
  }),
  fee: z.object({
    before: rupiah,
    after: rupiah,
    /** `settled`: paid and stays as it is; `anew`: not paid yet, asked for anew. */
    effect: z.enum(['same', 'settled', 'anew']),
  }),
  notes: z.array(z.object({ code: z.string(), warning: z.boolean(), message: z.string() })),
  /** Everything that forbids it. */
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
  body: z.strictObject({ ...target, reason: z.string().trim().min(5).max(500), seen: z.string().max(100) }),
  response: z.object({ data: z.object({ id: z.uuid(), billNumber: z.string().nullable(), waiting: rupiah }) }),
})
