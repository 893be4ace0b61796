import { z } from 'zod'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'

const studentRow = z.object({
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  programme: z.string(),
  wave: z.string(),
  status: z.enum(confirmedStatuses),
  npm: z.string().nullable(),
  issuedAt: time.nullable(),
  /** Cards printed with the current number. */
  cards: z.int(),
  /** Whether the re-registration money needed for a number has arrived. */
  unlocked: z.boolean(),
})

export type StudentRow = z.output<typeof studentRow>

export const listStudents = defineList({
  name: 'npm-mahasiswa',
  path: '/npm-mahasiswa',
  access: 'npm-mahasiswa-view',
  summary: 'Confirmed applicants and students with their numbers, newest first',
  words: { title: 'staff-titles:npm-mahasiswa', columns: 'staff:column', filters: 'staff:filter' },
  row: studentRow,
  columns: {
    name: {},
    code: { hidden: true },
    npm: { word: 'students:npm' },
    unlocked: { word: 'students:unlocked', kind: 'yesNo' },
    cards: { word: 'students:cards', kind: 'number' },
    programme: {},
    issuedAt: { word: 'students:issuedAt', kind: 'dateTime' },
    wave: { hidden: true },
    status: { words: 'staff:status', hidden: true },
  },
  filters: {
    waveId: { of: 'periode' },
    programmeId: { of: 'prodi' },
    status: { word: 'students:npm', values: confirmedStatuses, words: 'students:numberFilter', quick: true },
    card: { word: 'students:cards', values: ['none', 'printed'], words: 'students:cardFilter' },
  },
  orders: ['createdAt'],
  order: '-createdAt',
  ignoresShortSearch: true,
})

const withdrawnNumber = z.object({
  npm: z.string(),
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  programme: z.string(),
  issuedAt: time,
  withdrawnAt: time,
  withdrawnBy: z.string(),
  reason: z.string(),
})

export const listWithdrawnNumbers = defineList({
  name: 'npm-mahasiswa-withdrawn',
  path: '/npm-mahasiswa/withdrawn',
  access: 'npm-mahasiswa-view',
  summary: 'Student numbers that were taken back and belong to nobody, newest first',
  words: { title: 'students:withdrawn.title', columns: 'students:withdrawn', filters: 'staff:filter' },
  row: withdrawnNumber,
  columns: {
    npm: { word: 'students:npm', sort: true },
    name: { word: 'staff:column.name' },
    code: { word: 'staff:column.code' },
    programme: { word: 'staff:column.programme' },
    issuedAt: { word: 'students:issuedAt', kind: 'dateTime', dayOnly: true },
    withdrawnAt: { kind: 'dateTime', sort: true },
    withdrawnBy: {},
    reason: {},
  },
  filters: { programmeId: { of: 'prodi' } },
  order: '-withdrawnAt',
})
