import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'

const studentRow = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  programme: z.string(),
  wave: z.string(),
  status: z.enum(['confirmed', 'enrolled']),
  npm: z.string().nullable(),
  issuedAt: time.nullable(),
  /** Re-registration money needed for a number has come in. */
  unlocked: z.boolean(),
})

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
