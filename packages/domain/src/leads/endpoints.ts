import { z } from 'zod'
import { phoneProblem } from '#domain/accounts/fields.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { callResults, deletionCauses, leadStages, originKinds, staffActions } from './leads.ts'

const byId = z.object({ id: z.uuid() })
const line = (max: number) => typedLine().min(1).max(max)
const optional = (max: number) => typedText().max(max).nullable()
const view = 'marketing-prospek-view'
const update = 'marketing-prospek-update'
const doneAnswer = z.object({ data: z.object({ id: z.uuid() }) })

const details = z.object({
  name: line(120),
  phone: optional(40),
  email: typedText()
    .toLowerCase()
    .max(254)
    .pipe(z.union([z.literal(''), z.email()]))
    .nullable(),
  birthDate: typedDay.nullable(),
  schoolId: z.uuid().nullable(),
  schoolName: optional(150),
  major: optional(120),
  programmeId: z.uuid().nullable(),
  wish: optional(1000),
})
export type LeadDetails = z.output<typeof details>

const note = z.object({
  id: z.uuid(),
  kind: z.enum(['note', 'call', 'stage', 'owner', 'details', 'merge', 'link', 'account']),
  at: time,
  by: z.string().nullable(),
  text: z.string().nullable(),
  result: z.enum(callResults).nullable(),
  stage: z.enum(leadStages).nullable(),
  day: z.string().nullable(),
  owner: z.string().nullable(),
})
export type LeadNote = z.output<typeof note>

const origin = z.object({
  id: z.uuid(),
  kind: z.enum(originKinds),
  eventId: z.uuid().nullable(),
  affiliate: z.string().nullable(),
  recordedBy: z.string().nullable(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  consentText: z.string(),
  consentedAt: time,
  merged: z.boolean(),
})

const other = z.object({
  id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  school: z.string().nullable(),
  stage: z.enum(leadStages),
  createdAt: time,
})

const fullLead = details.extend({
  id: z.uuid(),
  email: z.string().nullable(),
  birthDate: z.string().nullable(),
  school: z.string().nullable(),
  programme: z.string().nullable(),
  stage: z.enum(leadStages),
  ownerId: z.uuid().nullable(),
  owner: z.string().nullable(),
  own: z.boolean(),
  nextContactOn: z.string().nullable(),
  /** Account that signed up by this lead's link. */
  account: z.object({ name: z.string(), registrationId: z.uuid().nullable(), code: z.string().nullable() }).nullable(),
  /** Why the lead may already be an applicant. Not proof: anybody can type that phone or name into an account. */
  maybe: z.array(z.enum(['phone', 'person'])),
  /** Null if there is no link or it has expired. */
  link: z.object({ address: z.string(), expiresAt: time }).nullable(),
  /** When the lead is deleted if nothing is done with it. */
  endsAt: time,
  version: z.int(),
  createdAt: time,
  origins: z.array(origin),
  notes: z.array(note),
  duplicates: z.array(other),
})
export type FullLead = z.output<typeof fullLead>

export const readLead = endpoint({
  method: 'GET',
  path: '/marketing/prospek/:id',
  access: view,
  summary:
    'A lead with its origins, notes and possible duplicates; contacts are masked without permission to change leads',
  params: byId,
  response: z.object({ data: fullLead }),
})

export const listLeadOwners = endpoint({
  method: 'GET',
  path: '/marketing/prospek/owners',
  access: view,
  summary: 'Staff who may own leads',
  response: z.object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) }),
})

const detailProblems = ({ name, phone, email, schoolId, schoolName }: Partial<LeadDetails>): Problems => ({
  ...(phone && { phone: phoneProblem(phone) }),
  ...(!phone && !email && phone !== undefined && { phone: 'field_required' }),
  ...(schoolId && schoolName && { schoolName: 'give_one_of_two' }),
  ...(name !== undefined && !/\p{L}/u.test(name) && { name: 'invalid_input' }),
})

export const createLead = endpoint({
  method: 'POST',
  path: '/marketing/prospek',
  access: update,
  summary: 'Add a person who agreed to be contacted; a known lead gets another origin',
  body: details.extend({
    /** How the person agreed, such as by phone, at the counter or in a message. */
    consentHow: line(500),
    consentOn: typedDay,
  }),
  rules: (body: Partial<LeadDetails> & { consentOn?: string }, now: Date): Problems => ({
    ...detailProblems(body),
    ...(body.consentOn && Date.parse(body.consentOn) > now.getTime() + 86_400_000 && { consentOn: 'in_the_future' }),
  }),
  response: z.object({ data: z.object({ id: z.uuid(), isNew: z.boolean() }) }),
})

export const updateLead = endpoint({
  method: 'PUT',
  path: '/marketing/prospek/:id',
  access: update,
  summary: "Change a lead's details",
  params: byId,
  body: details.extend({ version: z.int() }),
  rules: detailProblems,
  response: doneAnswer,
})

export const planLead = endpoint({
  method: 'PUT',
  path: '/marketing/prospek/:id/plan',
  access: update,
  summary: 'Set owner and date of the next contact',
  params: byId,
  body: z.object({ ownerId: z.uuid().nullable(), nextContactOn: typedDay.nullable() }),
  response: doneAnswer,
})

export const addLeadNote = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/notes',
  access: update,
  summary: 'Add a note; notes are never changed',
  params: byId,
  body: z.object({ text: line(2000) }),
  response: doneAnswer,
})

export const moveLead = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/stage',
  access: update,
  summary: 'Move a lead to another stage',
  params: byId,
  body: z.object({ action: z.enum(staffActions), reason: optional(500) }),
  rules: ({ action, reason }: { action?: string; reason?: string | null }): Problems => ({
    ...(action === 'reopen' && !reason && { reason: 'field_required' }),
  }),
  response: doneAnswer,
})

export const recordCall = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/calls',
  access: update,
  summary: 'Record the result of a call, which decides stage and next contact',
  params: byId,
  body: z.object({ result: z.enum(callResults), nextContactOn: typedDay.nullable(), text: optional(2000) }),
  response: doneAnswer,
})

export const takeNextLead = endpoint({
  method: 'POST',
  path: '/marketing/prospek/next',
  access: update,
  summary: 'Take the lead without an owner that has waited longest; null if there is none',
  response: z.object({ data: z.object({ id: z.uuid() }).nullable() }),
})

export const mergeLeads = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/merge',
  access: update,
  summary: 'Merge another lead of the same person into this one',
  params: byId,
  body: z.object({ otherId: z.uuid() }),
  response: doneAnswer,
})

export const keepApart = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/apart',
  access: update,
  summary: 'Record that two leads are different people',
  params: byId,
  body: z.object({ otherId: z.uuid() }),
  response: doneAnswer,
})

export const deleteLead = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/deletion',
  access: update,
  summary: 'Delete a lead with names, notes and origins; only counts stay',
  params: byId,
  body: z.object({ cause: z.enum(deletionCauses) }),
  response: doneAnswer,
})

export const renewLeadLink = endpoint({
  method: 'POST',
  path: '/marketing/prospek/:id/link',
  access: update,
  summary: 'Create a sign-up link for this lead, replacing an earlier one',
  params: byId,
  response: doneAnswer,
})

export const revokeLeadLink = endpoint({
  method: 'DELETE',
  path: '/marketing/prospek/:id/link',
  access: update,
  summary: 'End the link of a lead',
  params: byId,
  response: doneAnswer,
})
