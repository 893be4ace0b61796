import { z } from 'zod'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import { bulkAnswer } from '#domain/admissions/schemas.ts'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'

const byRegistration = z.object({ registrationId: z.uuid() })
const reason = typedText().min(3).max(500)
const npm = z.string().min(1).max(30)

export const student = z.object({
  registrationId: z.uuid(),
  npm: z.string(),
  name: z.string(),
  programme: z.string(),
  issuedAt: time,
})

export const issueNumber = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/:registrationId',
  access: 'npm-mahasiswa-update',
  summary: 'Issue the student number of a confirmed registration',
  params: byRegistration,
  body: z.strictObject({}),
  response: z.object({ data: student }),
})

const ids = z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) })

export const previewNumbers = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/bulk/preview',
  access: 'npm-mahasiswa-update',
  reads: true,
  summary: 'Which of the chosen registrations can get a student number, and why not the others',
  body: ids,
  response: z.object({ data: bulkAnswer }),
})

export const issueNumbers = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/bulk',
  access: 'npm-mahasiswa-update',
  summary: 'Issue many student numbers; answers for each',
  body: ids,
  response: z.object({ data: bulkAnswer }),
})

/** Events of a registration's numbers and cards. */
export const numberEvents = ['issued', 'withdrawn', 'printed'] as const

const studentRecord = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  programme: z.string(),
  classProgramme: z.string(),
  wave: z.string(),
  status: z.enum(confirmedStatuses),
  npm: z.string().nullable(),
  issuedAt: time.nullable(),
  /** Rupiah still missing for a number. */
  untilNumber: z.int(),
  hasPhoto: z.boolean(),
  /** Newest first. */
  history: z.array(
    z.object({
      event: z.enum(numberEvents),
      npm: z.string(),
      at: time,
      /** Null: issued by the system. */
      by: z.string().nullable(),
      reason: z.string().nullable(),
      /** For a printed card: its copy number, and the print run to download it from. */
      copy: z.int().nullable(),
      printId: z.uuid().nullable(),
    }),
  ),
})
export type StudentRecord = z.output<typeof studentRecord>

export const showStudent = endpoint({
  method: 'GET',
  path: '/npm-mahasiswa/:registrationId',
  access: 'npm-mahasiswa-view',
  summary: 'A confirmed applicant or student with the history of student numbers and cards',
  params: byRegistration,
  response: z.object({ data: studentRecord }),
})

export const withdrawNumber = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/:registrationId/withdraw',
  access: 'npm-mahasiswa-update',
  summary: 'Take a student number back, which nobody gets again; the student is a confirmed applicant again',
  params: byRegistration,
  /** `npm`: the number the reader saw when deciding. */
  body: z.strictObject({ npm, reason }),
  response: z.object({ data: z.object({ registrationId: z.uuid() }) }),
})

/** Ranges of running numbers that were counted but assigned to nobody. */
export const numberGaps = endpoint({
  method: 'GET',
  path: '/npm-mahasiswa/gaps',
  access: 'npm-mahasiswa-view',
  summary: 'Student numbers that were counted but never issued, as ranges; for roles that see the whole university',
  response: z.object({
    data: z.array(
      z.object({
        /** Text around the running number, which is shown as `#`. */
        scope: z.string(),
        first: z.int(),
        last: z.int(),
        /** Whether the range was skipped on purpose after restoring a backup. */
        restored: z.boolean(),
      }),
    ),
  }),
})

/** Single cards of ISO/IEC 7810 ID-1 (85.60 × 53.98 mm) with crop marks, or A4 sheets of ten. */
export const cardLayouts = ['card', 'sheet'] as const
export type CardLayout = (typeof cardLayouts)[number]

const chosenCards = z.array(z.uuid()).min(1).max(200)

export const previewCards = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/cards/preview',
  access: 'npm-mahasiswa-update',
  reads: true,
  summary: 'Which of the chosen students get a card, which get another copy, and who has no number or photo',
  body: z.strictObject({ ids: chosenCards }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        name: z.string().nullable(),
        /** Why no card can be printed. */
        refusal: z.enum(['not_found', 'no_number', 'no_photo']).nullable(),
        copies: z.int(),
      }),
    ),
  }),
})

export const printCards = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/cards',
  access: 'npm-mahasiswa-update',
  summary: 'Print student cards; a student who has one gets another copy, for a reason, and the earlier one ends',
  body: z.strictObject({ ids: chosenCards, layout: z.enum(cardLayouts), reason: reason.nullable() }),
  response: z.object({ data: z.object({ id: z.uuid(), printed: z.int() }) }),
})

export const downloadCards = endpoint({
  method: 'GET',
  path: '/npm-mahasiswa/cards/:id/cards.pdf',
  access: 'npm-mahasiswa-view',
  summary: 'The cards of a printing (PDF)',
  params: z.object({ id: z.uuid() }),
  response: z.any(),
})

export const ownCard = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/student-card',
  access: 'pendaftaran-view',
  summary: 'The student card as the student shows it on a phone',
  params: z.object({ id: z.uuid() }),
  response: z.object({
    data: z.object({
      npm: z.string(),
      name: z.string(),
      programme: z.string(),
      faculty: z.string(),
      academicYear: z.string(),
      university: z.string(),
      /** Photo as a data URL (JPEG); null without one. */
      photo: z.string().nullable(),
      /** Dark modules of the QR code as an SVG path on a square of `size`. */
      qr: z.object({ size: z.int(), path: z.string() }),
    }),
  }),
})
