import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { isSafeAddress } from '#domain/safe-address.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { feederFields, feederPlaces, feederProblems, feederTargets } from './fields.ts'
import { feederOutcomes, feederStates } from './lists.ts'

const params = z.object({ registrationId: z.uuid() })
const text = z.string().nullable()

const bulkIds = z.strictObject({ ids: z.array(z.uuid()).min(1).max(1000) })

/** Why a student is left out of an export, or cannot be removed from it. */
export const feederRefusals = ['not_found', 'incomplete', 'sent', 'waiting', 'not_waiting'] as const
export type FeederRefusal = (typeof feederRefusals)[number]

const bulkResult = z.object({
  /** Register the students are sent to. */
  target: z.enum(feederTargets),
  done: z.int(),
  refused: z.int(),
  items: z.array(
    z.object({
      id: z.uuid(),
      name: text,
      npm: text,
      reason: z.enum(feederRefusals).nullable(),
      problems: z.array(z.object({ field: z.enum(feederFields), problem: z.enum(feederProblems) })),
    }),
  ),
})
export type FeederBulk = z.output<typeof bulkResult>

const corrections = z.object({
  previousUniversityId: text,
  previousProgrammeId: text,
  specialNeedsCode: z.int().nullable(),
  /** Whether staff compared the current NIK with the identity card. */
  nikChecked: z.boolean(),
  version: z.int(),
})

const student = z.object({
  registrationId: z.uuid(),
  accountId: z.uuid(),
  name: z.string(),
  code: z.string(),
  npm: z.string(),
  programme: z.string(),
  /** Master data rows with the student's codes, for links to their forms. */
  rows: z.object({
    programme: z.uuid(),
    track: z.uuid(),
    entryLevel: z.uuid(),
    wave: z.uuid(),
    religion: z.uuid().nullable(),
    district: z.object({ code: z.string(), name: z.string() }).nullable(),
  }),
  fields: z.array(
    z.object({
      field: z.enum(feederFields),
      value: text,
      problem: z.enum(feederProblems).nullable(),
      place: z.enum(feederPlaces),
    }),
  ),
  identityHidden: z.boolean(),
  corrections,
  target: z.enum(feederTargets),
  state: z.enum(feederStates),
  sending: z
    .object({
      requestedAt: time,
      sentAt: time.nullable(),
      sentNpm: text,
      refusedAt: time.nullable(),
      reason: z.enum(feederOutcomes).nullable(),
      detail: text,
      feederStudentId: text,
      feederRegistrationId: text,
    })
    .nullable(),
  answers: z.array(
    z.object({
      id: z.string(),
      act: z.string(),
      errorCode: z.int().nullable(),
      answer: text,
      error: text,
      at: time,
      tookMs: z.int(),
    }),
  ),
})
export type FeederStudent = z.output<typeof student>

export const readFeederStudent = endpoint({
  method: 'GET',
  path: '/mahasiswa-feeder/:registrationId',
  access: 'mahasiswa-feeder-view',
  summary: 'A student with every field the ministry asks for, its problem, and the answers of the register',
  params,
  response: z.object({ data: student }),
})

export const correctFeederStudent = endpoint({
  method: 'PUT',
  path: '/mahasiswa-feeder/:registrationId',
  access: 'mahasiswa-feeder-update',
  summary:
    'Correct what only the ministry asks for: ids of the university before, special needs, a NIK that was checked',
  params,
  body: z.strictObject({
    previousUniversityId: z.uuid().nullable(),
    previousProgrammeId: z.uuid().nullable(),
    specialNeedsCode: z.int().min(0).max(99_999_999).nullable(),
    nikChecked: z.boolean(),
    version: rowVersion,
  }),
  response: z.object({ data: student }),
})

export const mapFeederRegion = endpoint({
  method: 'POST',
  path: '/mahasiswa-feeder/regions',
  access: 'master-wilayah-feeder-update',
  summary: 'Say which code the ministry’s register has for a district',
  body: z.strictObject({
    districtCode: z.string().regex(/^\d{2}\.\d{2}\.\d{2}$/),
    code: typedText().regex(/^\d{6}$/),
  }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const previewFeederSending = endpoint({
  method: 'POST',
  path: '/mahasiswa-feeder/preview',
  access: 'mahasiswa-feeder-view',
  summary: 'Dry run: which students would be sent, and every problem of the others',
  reads: true,
  body: bulkIds,
  response: z.object({ data: bulkResult }),
})

export const sendToFeeder = endpoint({
  method: 'POST',
  path: '/mahasiswa-feeder/send',
  access: 'mahasiswa-feeder-update',
  summary: 'Send students to the ministry’s register, in the background; those with problems are left out',
  body: bulkIds,
  response: z.object({ data: bulkResult }),
})

export const stopFeederSending = endpoint({
  method: 'POST',
  path: '/mahasiswa-feeder/stop',
  access: 'mahasiswa-feeder-update',
  summary: 'Take students that still wait out of the sending',
  body: bulkIds,
  response: z.object({ data: bulkResult }),
})

export const downloadFeederSheet = endpoint({
  method: 'GET',
  path: '/mahasiswa-feeder/sheet',
  access: 'download-mahasiswa-feeder',
  summary: 'Students in the columns of the ministry’s template, with identity numbers in full',
  query: z.strictObject({
    format: z.enum(['xlsx', 'csv']).default('xlsx'),
    waveId: z.uuid().optional(),
    programmeId: z.uuid().optional(),
    /** Only students without problems. */
    ready: z.enum(['true', 'false']).default('false'),
  }),
  response: z.any(),
})

export const feederConnectionProblems = ['unavailable', 'refused', 'sign_in'] as const

const connection = z.object({
  target: z.enum(feederTargets),
  /** Targets of this installation; the built-in register exists only in a demo. */
  targets: z.array(z.enum(feederTargets)),
  address: text,
  username: text,
  passwordSetAt: time.nullable(),
  checkedAt: time.nullable(),
  university: text,
  problem: z.enum(feederConnectionProblems).nullable(),
  problemDetail: text,
  problemAt: time.nullable(),
  /** Students waiting to be sent. */
  waiting: z.int(),
  version: z.int(),
  edited: z.object({ at: time, by: text }).nullable(),
})
export type FeederConnection = z.output<typeof connection>

export const readFeederConnection = endpoint({
  method: 'GET',
  path: '/settings/feeder',
  access: 'settings-feeder-view',
  summary: 'Where students are sent to, without the password',
  response: z.object({ data: connection }),
})

type ConnectionBody = {
  target?: string
  address?: string | null
  username?: string | null
}

export const saveFeederConnection = endpoint({
  method: 'PUT',
  path: '/settings/feeder',
  access: 'settings-feeder-update',
  summary: 'Set where students are sent to; without a password the stored one stays',
  body: z.strictObject({
    target: z.enum(feederTargets),
    address: z
      .url({ protocol: /^https?$/ })
      .max(200)
      .nullable(),
    username: typedLine().max(100).nullable(),
    password: z.string().min(1).max(200).optional(),
    version: rowVersion,
  }),
  rules: ({ target, address, username }: ConnectionBody): Problems => ({
    address:
      target !== 'demo' && address === null
        ? 'field_required'
        : address && !isSafeAddress(address)
          ? 'address_unsafe'
          : null,
    username: target !== 'demo' && (username === null || username === '') ? 'field_required' : null,
  }),
  response: z.object({ data: connection }),
})

export const checkFeederConnection = endpoint({
  method: 'POST',
  path: '/settings/feeder/check',
  access: 'settings-feeder-update',
  summary: 'Sign in to the ministry’s register and read the name of the university; nothing is sent',
  response: z.object({ data: connection }),
})
