import { z } from 'zod'
import { bulkAnswer } from '#domain/admissions/schemas.ts'
import { endpoint } from '#domain/endpoint.ts'
import { defineList } from '#domain/list.ts'

const time = z.iso.datetime()

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
  params: z.object({ registrationId: z.uuid() }),
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

export const studentRow = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  programme: z.string(),
  wave: z.string(),
  status: z.enum(['confirmed', 'enrolled']),
  npm: z.string().nullable(),
  issuedAt: time.nullable(),
  /** The re-registration payment needed for the number has arrived. */
  unlocked: z.boolean(),
})
export type StudentRow = z.output<typeof studentRow>

export const listStudents = defineList({
  name: 'npm-mahasiswa',
  path: '/npm-mahasiswa',
  access: 'npm-mahasiswa-view',
  summary: 'Confirmed applicants and students with their numbers, newest first',
  words: { title: 'titles:npm-mahasiswa', columns: 'staff:column', filters: 'staff:filter' },
  row: studentRow,
  columns: {
    name: {},
    code: {},
    npm: { word: 'students:npm' },
    programme: {},
    wave: {},
    status: { words: 'staff:status' },
    issuedAt: { word: 'students:issuedAt', kind: 'dateTime' },
    unlocked: { word: 'students:unlocked', kind: 'yesNo' },
  },
  filters: {
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    status: { values: ['confirmed', 'enrolled'], words: 'staff:status' },
  },
  orders: ['createdAt'],
  order: '-createdAt',
  ignoresShortSearch: true,
})
