import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { letterAudiences, letterStates } from './letter-texts.ts'

const kindRow = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  audience: z.enum(letterAudiences),
  numberTemplate: z.string(),
  letters: z.int(),
  active: z.boolean(),
  updatedAt: time,
})

export const listLetterKinds = defineList({
  name: 'letter-kinds',
  path: '/surat',
  access: 'surat-view',
  summary: 'Kinds of letters',
  words: { title: 'letters:kinds.title', columns: 'letters:kind', filters: 'letters:kindFilter' },
  row: kindRow,
  columns: {
    name: { sort: true },
    code: { sort: true },
    audience: { words: 'letters:audience' },
    numberTemplate: {},
    letters: { kind: 'number' },
    active: { kind: 'yesNo' },
    updatedAt: { kind: 'dateTime', hidden: true },
  },
  filters: { active: { kind: 'yesNo' } },
  order: 'name',
})

const letterRow = z.object({
  id: z.uuid(),
  number: z.string(),
  registrationId: z.uuid(),
  name: z.string(),
  code: z.string(),
  kind: z.string(),
  language: z.enum(languages),
  state: z.enum(letterStates),
  issuedAt: time,
  issuedBy: z.string().nullable(),
  validUntil: z.string().nullable(),
  withdrawnReason: z.string().nullable(),
})
export type LetterRow = z.output<typeof letterRow>

export const listLetters = defineList({
  name: 'letters',
  path: '/surat/terbit',
  access: 'surat-view',
  summary: 'Register of letters, newest first',
  words: { title: 'letters:register.title', columns: 'letters:letter', filters: 'letters:letterFilter' },
  row: letterRow,
  columns: {
    number: { sort: true },
    name: {},
    code: {},
    kind: {},
    language: { words: 'letters:language', hidden: true },
    state: { words: 'letters:state' },
    issuedAt: { kind: 'dateTime', sort: true },
    issuedBy: { hidden: true },
    validUntil: { kind: 'date' },
    withdrawnReason: { hidden: true, width: 30 },
  },
  filters: {
    state: { values: letterStates, words: 'letters:state' },
    kind: { kind: 'text', most: 20 },
    /** Id of a batch. */
    batch: { kind: 'text', most: 36 },
  },
  order: '-issuedAt',
})
