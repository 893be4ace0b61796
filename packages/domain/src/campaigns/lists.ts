import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import {
  audiences,
  campaignStates,
  channels,
  marketingPurposes,
  optOutSources,
  purposes,
  recipientStates,
  suppressionReasons,
} from './campaigns.ts'
import { campaignAccess } from './endpoints.ts'
import { audiencesOfScreen } from './screens.ts'

const campaignRow = z.object({
  id: z.uuid(),
  name: z.string(),
  audience: z.enum(audiences),
  purpose: z.enum(purposes),
  state: z.enum(campaignStates),
  /** Null until the campaign is planned, like `reachable`. */
  recipients: z.int().nullable(),
  reachable: z.int().nullable(),
  /** Handed over, accepted, delivered or read. */
  sent: z.int(),
  failed: z.int(),
  uncertain: z.int(),
  /** Planned and not yet handed over. */
  waiting: z.int(),
  startsAt: time.nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  createdBy: z.string().nullable(),
  createdAt: time,
})

export const listCampaigns = defineList({
  name: 'campaigns',
  path: '/kirim-informasi/campaigns',
  access: campaignAccess.access,
  alsoFor: campaignAccess.alsoFor,
  summary: 'Campaigns of the screens that the reader may open, newest first',
  words: { title: 'campaigns:title', columns: 'campaigns:column', filters: 'campaigns:filter' },
  row: campaignRow,
  columns: {
    name: { sort: true, width: 32 },
    audience: { words: 'campaigns:audience' },
    purpose: { words: 'campaigns:purpose' },
    state: { words: 'campaigns:state' },
    recipients: { kind: 'number', hidden: true },
    reachable: { kind: 'number' },
    sent: { kind: 'number' },
    failed: { kind: 'number' },
    uncertain: { kind: 'number' },
    waiting: { kind: 'number', hidden: true },
    startsAt: { kind: 'dateTime', hidden: true },
    startedAt: { kind: 'dateTime' },
    endedAt: { kind: 'dateTime', hidden: true },
    createdBy: { hidden: true },
    createdAt: { kind: 'dateTime', dayOnly: true, sort: true, hidden: true },
  },
  filters: {
    audience: { values: audiences, words: 'campaigns:audience' },
    screen: { values: Object.keys(audiencesOfScreen) as (keyof typeof audiencesOfScreen)[], words: 'campaigns:screen' },
    state: { values: campaignStates, words: 'campaigns:state', quick: true },
    purpose: { values: purposes, words: 'campaigns:purpose' },
  },
  order: '-createdAt',
})

const recipientRow = z.object({
  number: z.int(),
  name: z.string(),
  language: z.enum(languages),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  channel: z.enum(channels).nullable(),
  state: z.enum(recipientStates),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  attempts: z.int(),
  dueAt: time.nullable(),
  handedAt: time.nullable(),
  stateAt: time,
  registrationId: z.uuid().nullable(),
})

const contact = { without: 'pendaftaran-edit' } as const

export const listRecipients = defineList({
  name: 'campaign-recipients',
  path: '/kirim-informasi/campaigns/:id/recipients',
  access: campaignAccess.access,
  alsoFor: campaignAccess.alsoFor,
  summary: 'Recipients of a campaign with what became of their messages',
  words: {
    title: 'campaigns:recipients',
    columns: 'campaigns:recipientColumn',
    filters: 'campaigns:recipientFilter',
  },
  params: z.object({ id: z.uuid() }),
  row: recipientRow,
  columns: {
    name: { width: 28 },
    channel: { words: 'campaigns:channel' },
    state: { words: 'campaigns:recipientState' },
    reason: { words: 'campaigns:reason' },
    phone: { masked: { as: 'phone', ...contact } },
    email: { masked: { as: 'text', ...contact } },
    language: { words: 'campaigns:language', hidden: true },
    detail: { hidden: true, right: 'pendaftaran-edit' },
    attempts: { kind: 'number', hidden: true },
    dueAt: { kind: 'dateTime', hidden: true },
    handedAt: { kind: 'dateTime' },
    stateAt: { kind: 'dateTime', hidden: true },
    number: { kind: 'number', sort: true, hidden: true },
  },
  filters: {
    state: { values: recipientStates, words: 'campaigns:recipientState', quick: true },
    channel: { values: channels, words: 'campaigns:channel' },
    reason: { kind: 'text', most: 40 },
  },
  order: 'number',
})

const suppressionRow = z.object({
  id: z.uuid(),
  address: z.string(),
  channel: z.enum(['whatsapp', 'email']),
  reason: z.enum(suppressionReasons),
  detail: z.string().nullable(),
  createdAt: time,
  liftedAt: time.nullable(),
  liftedBy: z.string().nullable(),
  version: z.int(),
})
export type SuppressionRow = z.output<typeof suppressionRow>

export const listSuppressions = defineList({
  name: 'suppressed-addresses',
  path: '/kirim-informasi/suppressions',
  access: campaignAccess.access,
  alsoFor: campaignAccess.alsoFor,
  summary: 'Addresses that are not written to because they bounced or complained',
  words: {
    title: 'campaigns:suppressions',
    columns: 'campaigns:suppressionColumn',
    filters: 'campaigns:suppressionFilter',
  },
  row: suppressionRow,
  columns: {
    address: { width: 28, masked: { as: 'text', ...contact } },
    channel: { words: 'campaigns:channel' },
    reason: { words: 'campaigns:suppressionReason' },
    detail: { hidden: true, right: 'pendaftaran-edit' },
    createdAt: { kind: 'dateTime', sort: true },
    liftedAt: { kind: 'dateTime' },
    liftedBy: { hidden: true },
  },
  filters: {
    channel: { values: ['whatsapp', 'email'], words: 'campaigns:channel' },
    reason: { values: suppressionReasons, words: 'campaigns:suppressionReason' },
    lifted: { kind: 'yesNo' },
  },
  order: '-createdAt',
  searchUntold: true,
})

const optOutRow = z.object({
  id: z.uuid(),
  address: z.string(),
  purpose: z.enum(marketingPurposes),
  source: z.enum(optOutSources),
  note: z.string().nullable(),
  createdAt: time,
  createdBy: z.string().nullable(),
  liftedAt: time.nullable(),
  liftedBy: z.string().nullable(),
  version: z.int(),
})
export type OptOutRow = z.output<typeof optOutRow>

export const listOptOuts = defineList({
  name: 'opt-outs',
  path: '/kirim-informasi/opt-outs',
  access: campaignAccess.access,
  alsoFor: campaignAccess.alsoFor,
  summary: 'Addresses whose owners want no more messages of a purpose',
  words: { title: 'campaigns:optOuts', columns: 'campaigns:optOutColumn', filters: 'campaigns:optOutFilter' },
  row: optOutRow,
  columns: {
    address: { width: 28, masked: { as: 'text', ...contact } },
    purpose: { words: 'campaigns:purpose' },
    source: { words: 'campaigns:optOutSource' },
    note: { hidden: true },
    createdAt: { kind: 'dateTime', sort: true },
    createdBy: { hidden: true },
    liftedAt: { kind: 'dateTime' },
    liftedBy: { hidden: true },
  },
  filters: {
    purpose: { values: marketingPurposes, words: 'campaigns:purpose' },
    source: { values: optOutSources, words: 'campaigns:optOutSource' },
    lifted: { kind: 'yesNo' },
  },
  order: '-createdAt',
  searchUntold: true,
})

const templateRow = z.object({
  id: z.uuid(),
  name: z.string(),
  audience: z.enum(audiences),
  providerTemplate: z.string().nullable(),
  subjectId: z.string(),
  subjectEn: z.string(),
  bodyId: z.string(),
  bodyEn: z.string(),
  active: z.boolean(),
  updatedAt: time,
  version: z.int(),
})
export type TemplateRow = z.output<typeof templateRow>

export const listCampaignTemplates = defineList({
  name: 'campaign-templates',
  path: '/kirim-informasi/templates',
  access: campaignAccess.access,
  alsoFor: campaignAccess.alsoFor,
  summary: 'Texts for campaigns; those approved for WhatsApp go out there at any time',
  words: { title: 'campaigns:templates', columns: 'campaigns:templateColumn', filters: 'campaigns:templateFilter' },
  row: templateRow,
  columns: {
    name: { sort: true, width: 28 },
    audience: { words: 'campaigns:audience' },
    providerTemplate: { absent: 'campaigns:notOnWhatsapp' },
    subjectId: { hidden: true },
    subjectEn: { hidden: true },
    bodyId: { hidden: true },
    bodyEn: { hidden: true },
    active: { kind: 'yesNo' },
    updatedAt: { kind: 'dateTime', dayOnly: true },
  },
  filters: {
    audience: { values: audiences, words: 'campaigns:audience' },
    active: { kind: 'yesNo' },
    whatsapp: { kind: 'yesNo' },
  },
  order: 'name',
})
