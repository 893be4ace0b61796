import { z } from 'zod'
import { licenceClasses } from '#domain/applicants/driving-licence.ts'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { licenceStates, licenceValidities } from './validity.ts'

const classNames = Object.fromEntries(licenceClasses.map((name) => [name, { en: name, id: name }]))

const licenceRow = z.object({
  /** Id of the account. */
  id: z.uuid(),
  name: z.string(),
  code: z.string(),
  npm: z.string().nullable(),
  class: z.enum(licenceClasses),
  number: z.string(),
  expiresOn: z.string(),
  validity: z.enum(licenceValidities),
  state: z.enum(licenceStates),
  updatedAt: time,
})

export const listLicences = defineList({
  name: 'sim-mahasiswa',
  path: '/sim-mahasiswa',
  access: 'sim-mahasiswa-view',
  summary: 'Driving licences of applicants and students who drive, longest unchanged first',
  words: { title: 'staff-titles:sim-mahasiswa', columns: 'licences:column', filters: 'licences:column' },
  row: licenceRow,
  columns: {
    name: {},
    state: { words: 'licences:state' },
    class: {},
    number: { masked: { as: 'text', without: 'sim-mahasiswa-update' } },
    expiresOn: { kind: 'date', sort: true },
    validity: { words: 'licences:validity' },
    npm: {},
    code: { hidden: true },
    updatedAt: { kind: 'dateTime', sort: true },
  },
  filters: {
    state: { values: licenceStates, words: 'licences:state', quick: true },
    validity: { values: licenceValidities, words: 'licences:validity', quick: true },
    class: { values: licenceClasses, words: classNames },
  },
  order: 'updatedAt',
  ignoresShortSearch: true,
})
