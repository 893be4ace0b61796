import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { campusFields } from './fields.ts'

const line = (max: number) => typedLine().min(1).max(max)
const params = z.object({ id: z.uuid() })

const column = z.object({ field: z.enum(campusFields), heading: z.string() })
const mapping = z.object({
  columns: z.array(column),
  /** 0 if the university has not saved a mapping. */
  version: z.int(),
  edited: z.object({ at: time, by: z.string() }).nullable(),
})
export type CampusMapping = z.output<typeof mapping>

export const readCampusMapping = endpoint({
  method: 'GET',
  path: '/npm-mahasiswa/campus/mapping',
  access: 'npm-mahasiswa-view',
  summary: 'Columns of the CSV for the campus system',
  response: z.object({ data: mapping }),
})

const isRepeated = (texts: readonly string[]) => new Set(texts).size < texts.length

export const saveCampusMapping = endpoint({
  method: 'PUT',
  path: '/npm-mahasiswa/campus/mapping',
  access: 'npm-mahasiswa-update',
  shared: 'settings_need_whole_view',
  summary: 'Choose, name and order the columns of the CSV for the campus system',
  body: z.strictObject({
    columns: z
      .array(z.strictObject({ field: z.enum(campusFields), heading: line(60) }))
      .min(1)
      .max(campusFields.length),
    version: rowVersion,
  }),
  rules: ({ columns = [] }: { columns?: { field: string; heading: string }[] }): Problems => ({
    columns:
      isRepeated(columns.map(({ field }) => field)) ||
      isRepeated(columns.map(({ heading }) => String(heading).trim().toLowerCase()))
        ? 'campus_columns_repeated'
        : null,
  }),
  response: z.object({ data: mapping }),
})

export const downloadCampusCsv = endpoint({
  method: 'GET',
  path: '/npm-mahasiswa/campus/export',
  access: 'npm-mahasiswa-view',
  summary: 'Students as CSV with the columns of the mapping; 403 without the right to an identity number in it',
  query: z.strictObject({ waveId: z.uuid().optional(), programmeId: z.uuid().optional() }),
  response: z.any(),
})

export const createCampusToken = endpoint({
  method: 'POST',
  path: '/settings/campus',
  access: 'settings-campus-create',
  summary: 'Make a token for the campus system; the answer is the only one that holds it',
  body: z.strictObject({
    name: line(80),
    withIdentity: z.boolean(),
    /** Empty: students of all programmes. */
    programmeIds: z.array(z.uuid()).max(200),
  }),
  response: z.object({ data: z.object({ id: z.uuid(), token: z.string() }) }),
})

const token = z.object({
  id: z.uuid(),
  name: z.string(),
  withIdentity: z.boolean(),
  /** Names of the programmes; null: all programmes. */
  programmes: z.array(z.string()).nullable(),
  createdAt: time,
  createdBy: z.string(),
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
  revokedBy: z.string().nullable(),
  revokedReason: z.string().nullable(),
})
export type CampusToken = z.output<typeof token>

export const readCampusToken = endpoint({
  method: 'GET',
  path: '/settings/campus/:id',
  access: 'settings-campus-view',
  summary: 'A token of the campus system, without the token itself',
  params,
  response: z.object({ data: token }),
})

export const revokeCampusToken = endpoint({
  method: 'POST',
  path: '/settings/campus/:id/revoke',
  access: 'settings-campus-delete',
  summary: 'Revoke a token of the campus system: its next call is refused',
  params,
  body: z.strictObject({ reason: typedText().min(3).max(500) }),
  response: z.object({ data: token }),
})

const text = z.string().nullable()

const student = z.object({
  /** Fixed for the registration, even if the number changes. */
  id: z.uuid(),
  changedAt: z.string(),
  state: z.enum(['enrolled', 'withdrawn']),
  /** Null after the number was withdrawn. */
  npm: text,
  /** Withdrawn numbers of this person. */
  withdrawnNumbers: z.array(z.string()),
  issuedAt: time.nullable(),
  code: z.string(),
  name: z.string(),
  programmeCode: z.string(),
  programme: z.string(),
  faculty: z.string(),
  level: z.string(),
  classProgramme: z.string(),
  academicYear: z.string(),
  wave: z.string(),
  track: z.string(),
  gender: z.enum(['male', 'female']).nullable(),
  birthPlace: text,
  birthDate: text,
  citizenship: z.string(),
  religion: text,
  email: z.string(),
  /** Digits with the country code. */
  phone: text,
  address: text,
  postalCode: text,
  /** Null unless the token was created with identity numbers. */
  identity: z.object({ nik: text, nisn: text, motherName: text }).nullable(),
})

export const readCampusStudents = endpoint({
  method: 'GET',
  path: '/campus/students',
  access: 'public',
  summary: 'Students for the campus system, those who changed first before the others; takes a token of its own',
  query: z.strictObject({
    /** Only students changed at or after this moment. */
    changedSince: z.iso.datetime({ offset: true }).optional(),
    /** `next` of the previous page. */
    cursor: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: z.object({
    data: z.array(student),
    meta: z.object({
      /** Cursor of the next page; null after the last. */
      next: z.string().nullable(),
      /** Value for `changedSince` next time; set on the last page. */
      changedSince: z.string().nullable(),
    }),
  }),
})
