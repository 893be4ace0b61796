import { z } from 'zod'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import { defineList } from '#domain/list.ts'
import { backgrounds, measuredBackgrounds, photoStates } from './photo-format.ts'

const photoRow = z.object({
  /** Id of the registration. */
  id: z.uuid(),
  name: z.string(),
  npm: z.string().nullable(),
  code: z.string(),
  programme: z.string().nullable(),
  wave: z.string(),
  state: z.enum(photoStates),
  /** Pixels of the uploaded photo, width × height. */
  pixels: z.string().nullable(),
  background: z.enum(measuredBackgrounds).nullable(),
})

/** Requirements for the photos of a list or download: `size` in the format of `photoSizeOf`, 3 × 4 cm by default. */
export const photoFilters = {
  state: { values: [...photoStates, 'unusable'], words: 'photos:state', quick: true },
  size: { kind: 'text', most: 12 },
  wanted: { values: backgrounds, words: 'photos:background' },
  waveId: { of: 'periode', word: 'photos:column.wave' },
  programmeId: { of: 'prodi', word: 'photos:column.programme' },
  status: { values: confirmedStatuses, words: 'staff:status' },
} as const

export const listPhotos = defineList({
  name: 'download-foto-mahasiswa',
  path: '/download-foto-mahasiswa',
  access: 'download-foto-mahasiswa',
  summary: 'Photos of confirmed applicants and students, and why one cannot be used',
  words: { title: 'staff-titles:download-foto-mahasiswa', columns: 'photos:column', filters: 'photos:column' },
  row: photoRow,
  columns: {
    name: {},
    npm: {},
    code: { hidden: true },
    state: { words: 'photos:state' },
    pixels: {},
    background: { words: 'photos:background' },
    programme: {},
    wave: { hidden: true },
  },
  filters: photoFilters,
  orders: ['createdAt'],
  order: '-createdAt',
  ignoresShortSearch: true,
})
