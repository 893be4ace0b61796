import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { affiliateKinds, applicationStates, holdReasons, payoutStates, referredStages } from './affiliates.ts'
import { closingRules, commissionStages, entryCauses, entryKinds } from './commission.ts'

const words = (title: string) => ({ title, columns: 'affiliates:column', filters: 'affiliates:column' })
const entryStages = [...commissionStages, 'none'] as const

const entry = z.object({
  id: z.uuid(),
  createdAt: time,
  affiliateId: z.uuid(),
  affiliate: z.string(),
  code: z.string().nullable(),
  stage: z.enum(entryStages),
  kind: z.enum(entryKinds),
  cause: z.enum(entryCauses),
  amount: z.int(),
  held: z.boolean(),
  note: z.string().nullable(),
})

const entryFilters = {
  kind: { values: entryKinds, words: 'affiliates:kindOfEntry' },
  stage: { values: entryStages, words: 'affiliates:stage' },
} as const

export const listCommission = defineList({
  name: 'commission',
  path: '/komisi',
  access: 'komisi-view',
  summary: 'Ledger of commission, newest first',
  words: words('staff-titles:komisi'),
  row: entry,
  columns: {
    createdAt: { kind: 'dateTime', sort: true },
    affiliate: {},
    kind: { words: 'affiliates:kindOfEntry' },
    amount: { kind: 'money', sort: true },
    stage: { words: 'affiliates:stage' },
    code: { absent: 'affiliates:noRegistration' },
    cause: { words: 'affiliates:cause' },
    held: { kind: 'yesNo' },
    note: { hidden: true, width: 30 },
  },
  filters: { ...entryFilters, affiliateId: { of: 'afiliator' } },
  order: '-createdAt',
  sums: ['amount'],
})

const balance = z.object({
  id: z.uuid(),
  affiliate: z.string(),
  code: z.string(),
  kind: z.enum(affiliateKinds),
  people: z.int(),
  balance: z.int(),
  held: z.int(),
  frozen: z.int(),
  payable: z.int(),
  bank: z.boolean(),
})

export const listBalances = defineList({
  name: 'commission-balances',
  path: '/komisi/balances',
  access: 'komisi-view',
  summary: 'Affiliates with their balance of commission',
  words: words('affiliates:balances.title'),
  row: balance,
  columns: {
    affiliate: { sort: true },
    balance: { kind: 'money', sort: true },
    payable: { kind: 'money' },
    held: { kind: 'money' },
    frozen: { kind: 'money' },
    people: { kind: 'number', sort: true },
    code: {},
    kind: { words: 'affiliates:kind' },
    bank: { kind: 'yesNo' },
  },
  filters: { kind: { values: affiliateKinds, words: 'affiliates:kind' } },
  order: '-balance',
  sums: ['balance', 'payable'],
})

export const holdStates = ['open', 'release', 'take_back'] as const

const hold = z.object({
  id: z.uuid(),
  createdAt: time,
  affiliate: z.string(),
  registrationId: z.uuid(),
  code: z.string(),
  reason: z.enum(holdReasons),
  amount: z.int(),
  state: z.enum(holdStates),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
})
export type HoldRow = z.output<typeof hold>

export const listHolds = defineList({
  name: 'commission-holds',
  path: '/komisi/holds',
  access: 'komisi-view',
  summary: 'Commission that alarms hold until staff have looked',
  words: words('affiliates:holds.title'),
  row: hold,
  columns: {
    createdAt: { kind: 'dateTime', sort: true },
    affiliate: {},
    reason: { words: 'affiliates:holdReason' },
    amount: { kind: 'money' },
    state: { words: 'affiliates:holdState' },
    code: {},
    decidedBy: { hidden: true },
    note: { hidden: true, width: 30 },
  },
  filters: {
    state: { values: holdStates, words: 'affiliates:holdState', quick: true },
    reason: { values: holdReasons, words: 'affiliates:holdReason' },
  },
  order: '-createdAt',
})

export const ruleStates = ['pending', 'in_force', 'replaced', 'refused'] as const

const rule = z.object({
  id: z.uuid(),
  createdAt: time,
  /** Name of the affiliate, or a phrase for all of that kind. */
  whose: z.string(),
  kind: z.enum(affiliateKinds).nullable(),
  stage: z.enum(commissionStages),
  version: z.int(),
  amount: z.int().nullable(),
  percent: z.number().nullable(),
  onClose: z.enum(closingRules),
  state: z.enum(ruleStates),
  own: z.boolean(),
  createdBy: z.string().nullable(),
  approvedBy: z.string().nullable(),
  reason: z.string(),
})
export type RuleRow = z.output<typeof rule>

export const listRules = defineList({
  name: 'commission-rules',
  path: '/komisi/rules',
  access: 'komisi-view',
  summary: 'What steps earn, with every earlier version',
  words: words('affiliates:rules.title'),
  row: rule,
  columns: {
    whose: {},
    stage: { words: 'affiliates:stage' },
    amount: { kind: 'money' },
    percent: { kind: 'percent' },
    state: { words: 'affiliates:ruleState' },
    kind: { words: 'affiliates:kind' },
    onClose: { words: 'affiliates:onClose', hidden: true },
    version: { kind: 'number' },
    createdAt: { kind: 'dateTime', sort: true },
    createdBy: {},
    approvedBy: {},
    reason: { hidden: true, width: 30 },
  },
  filters: {
    state: { values: ruleStates, words: 'affiliates:ruleState', quick: true },
    stage: { values: commissionStages, words: 'affiliates:stage' },
  },
  order: '-createdAt',
})

const payout = z.object({
  id: z.uuid(),
  number: z.string(),
  status: z.enum(payoutStates),
  people: z.int(),
  amount: z.int(),
  tax: z.int(),
  createdAt: time,
  createdBy: z.string(),
  approvedBy: z.string().nullable(),
  paidAt: time.nullable(),
})

export const listPayouts = defineList({
  name: 'commission-payouts',
  path: '/komisi/payouts',
  access: 'komisi-view',
  summary: 'Payouts of commission, newest first',
  words: words('affiliates:payouts.title'),
  row: payout,
  columns: {
    number: { sort: true },
    status: { words: 'affiliates:payoutState' },
    people: { kind: 'number' },
    amount: { kind: 'money' },
    tax: { kind: 'money' },
    createdAt: { kind: 'dateTime', sort: true },
    createdBy: {},
    approvedBy: {},
    paidAt: { kind: 'dateTime' },
  },
  filters: { status: { values: payoutStates, words: 'affiliates:payoutState', quick: true } },
  order: '-createdAt',
})

const application = z.object({
  id: z.uuid(),
  createdAt: time,
  name: z.string(),
  email: z.string(),
  kind: z.enum(affiliateKinds),
  phone: z.string(),
  reason: z.string(),
  biography: z.string().nullable(),
  status: z.enum(applicationStates),
  own: z.boolean(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
})
export type ApplicationRow = z.output<typeof application>

export const listApplications = defineList({
  name: 'affiliate-applications',
  path: '/komisi/applications',
  access: 'komisi-view',
  summary: 'Requests to become an affiliate, newest first',
  words: words('affiliates:applications.title'),
  row: application,
  columns: {
    name: {},
    kind: { words: 'affiliates:kind' },
    phone: {},
    email: { hidden: true },
    reason: { width: 40 },
    status: { words: 'affiliates:applicationState' },
    createdAt: { kind: 'dateTime', sort: true },
    decidedBy: { hidden: true },
    note: { hidden: true, width: 30 },
  },
  filters: { status: { values: applicationStates, words: 'affiliates:applicationState', quick: true } },
  order: '-createdAt',
})

const person = z.object({
  id: z.uuid(),
  /** Masked: first letters of each name. */
  name: z.string(),
  stage: z.enum(referredStages),
  startedAt: time,
  commission: z.int(),
  held: z.boolean(),
})

export const listReferred = defineList({
  name: 'own-referrals',
  path: '/account/affiliate/people',
  access: 'afiliator-saya',
  summary: 'People whom the own affiliate brought, with masked names, newest first',
  words: words('affiliates:own.people'),
  row: person,
  columns: {
    name: {},
    stage: { words: 'affiliates:referredStage' },
    startedAt: { kind: 'dateTime', sort: true, dayOnly: true },
    commission: { kind: 'money' },
    held: { kind: 'yesNo' },
  },
  order: '-startedAt',
  unsearchable: true,
})

const ownEntry = entry
  .omit({ affiliateId: true, affiliate: true, code: true, note: true })
  .extend({ person: z.string().nullable() })

export const listOwnCommission = defineList({
  name: 'own-commission',
  path: '/account/affiliate/commission',
  access: 'afiliator-saya',
  summary: 'Entries of commission of the own affiliate, newest first',
  words: words('affiliates:own.commission'),
  row: ownEntry,
  columns: {
    createdAt: { kind: 'dateTime', sort: true, dayOnly: true },
    person: { absent: 'affiliates:noRegistration' },
    kind: { words: 'affiliates:kindOfEntry' },
    amount: { kind: 'money' },
    stage: { words: 'affiliates:stage' },
    cause: { words: 'affiliates:cause', hidden: true },
    held: { kind: 'yesNo' },
  },
  order: '-createdAt',
  sums: ['amount'],
  unsearchable: true,
})
