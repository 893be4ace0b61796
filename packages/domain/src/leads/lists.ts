import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { leadChecks, leadQueues, leadStages, originKinds } from './leads.ts'

const lead = z.object({
  id: z.uuid(),
  name: z.string(),
  stage: z.enum(leadStages),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  school: z.string().nullable(),
  province: z.string().nullable(),
  major: z.string().nullable(),
  programme: z.string().nullable(),
  owner: z.string().nullable(),
  nextContactOn: z.string().nullable(),
  lastContactAt: time.nullable(),
  kind: z.enum(originKinds),
  origins: z.int(),
  affiliate: z.string().nullable(),
  /** An account has the same phone, or the same name and birth date. Not proof: anybody can type them. */
  maybeApplicant: z.boolean(),
  duplicate: z.boolean(),
  createdAt: time,
})
export type LeadRow = z.output<typeof lead>

const contact = { without: 'marketing-prospek-update' } as const

export const listLeads = defineList({
  name: 'leads',
  path: '/marketing/prospek',
  access: 'marketing-prospek-view',
  summary: 'Leads; those due to be called come first',
  words: { title: 'staff-titles:marketing-prospek', columns: 'leads:column', filters: 'leads:filter' },
  row: lead,
  columns: {
    name: { sort: true },
    stage: { words: 'leads:stage' },
    phone: { masked: { as: 'phone', ...contact } },
    nextContactOn: { kind: 'date', sort: true },
    owner: { absent: 'leads:nobody' },
    school: { width: 28 },
    programme: { hidden: true },
    major: { hidden: true },
    province: { hidden: true },
    email: { hidden: true, masked: { as: 'text', ...contact } },
    kind: { words: 'leads:kind', hidden: true },
    origins: { kind: 'number', hidden: true },
    affiliate: { hidden: true },
    maybeApplicant: { kind: 'yesNo', hidden: true },
    duplicate: { kind: 'yesNo', hidden: true },
    lastContactAt: { kind: 'dateTime', hidden: true },
    createdAt: { kind: 'dateTime', dayOnly: true, sort: true },
  },
  filters: {
    queue: { values: leadQueues, words: 'leads:queue', quick: true },
    check: { values: leadChecks, words: 'leads:check' },
    stage: { values: leadStages, words: 'leads:stage' },
    ownerId: { kind: 'id', table: 'accounts' },
    kind: { values: originKinds, words: 'leads:kind' },
    eventId: { kind: 'text', most: 36 },
    affiliateId: { of: 'afiliator' },
    schoolId: { of: 'sma-nama' },
    provinceId: { of: 'provinsi' },
    programmeId: { of: 'prodi' },
    dueUntil: { kind: 'day' },
    cameFrom: { kind: 'day' },
    cameUntil: { kind: 'day' },
  },
  order: '-createdAt',
  searchUntold: true,
})
