import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { signedIn } from './endpoints.ts'
import { addressProblems } from './fields.ts'

/** Hours until the link of an invitation expires. */
export const invitationHours = 72
/** Minutes until a view as another account ends. */
export const seeAsMinutes = 30

const inputText = z.string().max(1000)
const ofAccount = { params: z.object({ id: z.uuid() }) }
const reason = typedText().min(3).max(300)

export const accountRow = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Masked like the phone number on applicants' accounts, unless the reader may edit accounts. */
  email: z.string(),
  phone: z.string().nullable(),
  role: z.object({ id: z.uuid(), name: z.string() }),
  applicant: z.boolean(),
  active: z.boolean(),
  /** Whether the invitation is still open. */
  invited: z.boolean(),
  emailVerifiedAt: time.nullable(),
  twoFactor: z.enum(['on', 'missing', 'off']),
  lockedUntil: z.string().nullable(),
  lastSignedInAt: time.nullable(),
  createdAt: time,
  status: z.enum(['invited', 'inactive', 'locked', 'active']),
  emailVerified: z.boolean(),
})
export type AccountRow = z.output<typeof accountRow>

const roleChoice = z.object({
  id: z.uuid(),
  name: z.string(),
  applicant: z.boolean(),
  active: z.boolean(),
  requireTotp: z.boolean(),
  /** Faculties and study programmes the role's holders see; empty: all. */
  limits: z.array(z.string()),
  /** Why the reader may not assign the role; null if allowed. */
  refusal: z.string().nullable(),
})
export type RoleChoice = z.output<typeof roleChoice>

export const listRoleChoices = endpoint({
  method: 'GET',
  path: '/settings/accounts/roles',
  access: 'settings-accounts-view',
  summary: 'Roles an account may have, and which of them the reader may give',
  response: z.object({ data: z.array(roleChoice) }),
})

const accountDetail = accountRow.extend({
  language: z.enum(languages),
  version: z.int(),
  updatedAt: time,
  hasPassword: z.boolean(),
  googleLinked: z.boolean(),
  requireTotp: z.boolean(),
  role: z.object({ id: z.uuid(), name: z.string(), requireTotp: z.boolean(), limits: z.array(z.string()) }),
  totp: z.object({ since: time.nullable(), recoveryCodesLeft: z.int() }),
  invitation: z.object({ sentAt: time, expiresAt: time, by: z.string().nullable() }).nullable(),
  openSessions: z.int(),
  /** Why each action is not allowed; null if allowed. */
  refusals: z.object({ change: z.string().nullable(), standing: z.string().nullable(), seeAs: z.string().nullable() }),
})
export type AccountDetail = z.output<typeof accountDetail>
const detailAnswer = z.object({ data: accountDetail })

export const readAccount = endpoint({
  method: 'GET',
  path: '/settings/accounts/:id',
  access: 'settings-accounts-view',
  summary: 'One account',
  ...ofAccount,
  response: detailAnswer,
})

const name = typedLine().min(1).max(100)
const language = z.enum(languages)

export const inviteAccount = endpoint({
  method: 'POST',
  path: '/settings/accounts',
  access: 'settings-accounts-create',
  summary: 'Invite somebody by e-mail, who sets the own password through a link that works for 72 hours',
  body: z.strictObject({ name, email: inputText, roleId: z.uuid(), language }),
  rules: addressProblems,
  response: detailAnswer,
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/settings/accounts/:id/invitation',
  access: 'settings-accounts-create',
  summary: 'Send an invitation again; the earlier link stops working',
  ...ofAccount,
  response: detailAnswer,
})

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/settings/accounts/:id/invitation',
  access: 'settings-accounts-create',
  summary: 'Withdraw an invitation nobody has accepted; its account goes',
  ...ofAccount,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const updateAccount = endpoint({
  method: 'PUT',
  path: '/settings/accounts/:id',
  access: 'settings-accounts-update',
  summary:
    'Change name, role, language and whether a second factor is required; 409 when somebody else did since `version`',
  ...ofAccount,
  body: z.strictObject({ version: z.int().min(1), name, roleId: z.uuid(), language, requireTotp: z.boolean() }),
  response: detailAnswer,
})

/** Actions on an account besides editing its fields; the body has at most a reason. */
const action = (path: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/settings/accounts/:id/${path}`,
    access: 'settings-accounts-update',
    summary,
    ...ofAccount,
    response: detailAnswer,
  })

export const deactivateAccount = action('deactivate', 'Deactivate an account: all its sessions end at once')
export const reactivateAccount = action('reactivate', 'Let a deactivated account sign in again')
export const sendPasswordReset = action('password-reset', 'Mail a link for a new password')
export const unlockAccount = action('unlock', 'Let somebody sign in at once again who failed too often')

export const resetTotp = endpoint({
  method: 'POST',
  path: '/settings/accounts/:id/totp-reset',
  access: 'settings-accounts-update',
  summary: 'Take the second factor off an account whose owner lost it; the owner is told and signed out everywhere',
  ...ofAccount,
  body: z.strictObject({ reason }),
  response: detailAnswer,
})

const accountSession = z.object({
  id: z.uuid(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
})

export const listSessionsOfAccount = endpoint({
  method: 'GET',
  path: '/settings/accounts/:id/sessions',
  access: 'settings-accounts-update',
  summary: 'Where an account is signed in',
  ...ofAccount,
  response: z.object({ data: z.array(accountSession) }),
})

const endedAnswer = z.object({ data: z.object({ ended: z.int() }) })

export const endSessionsOfAccount = endpoint({
  method: 'DELETE',
  path: '/settings/accounts/:id/sessions',
  access: 'settings-accounts-update',
  summary: 'Sign an account out everywhere',
  ...ofAccount,
  response: endedAnswer,
})

export const endSessionOfAccount = endpoint({
  method: 'DELETE',
  path: '/settings/accounts/:id/sessions/:sessionId',
  access: 'settings-accounts-update',
  summary: 'Sign one device of an account out',
  params: z.object({ id: z.uuid(), sessionId: z.uuid() }),
  response: endedAnswer,
})

const historyEntry = z.object({
  id: z.int(),
  at: time,
  action: z.string(),
  actor: z.object({ id: z.string().nullable(), name: z.string(), role: z.string() }),
  actingAs: z.string().nullable(),
  before: z.unknown().nullable(),
  after: z.unknown().nullable(),
  reason: z.string().nullable(),
})
export type AccountHistoryEntry = z.output<typeof historyEntry>

export const accountHistory = endpoint({
  method: 'GET',
  path: '/settings/accounts/:id/history',
  access: 'settings-accounts-update',
  summary: 'What was done to an account and by it, newest first',
  ...ofAccount,
  query: z.strictObject({ before: z.coerce.number().int().min(1).optional() }),
  response: z.object({ data: z.array(historyEntry), meta: z.object({ next: z.int().nullable() }) }),
})

export const accountBulkActions = ['deactivate', 'reactivate', 'end-sessions'] as const
export type AccountBulkAction = (typeof accountBulkActions)[number]

const selection = z.strictObject({ action: z.enum(accountBulkActions), ids: z.array(z.uuid()).min(1).max(500) })
const judgedAccount = z.object({ id: z.uuid(), title: z.string() })
const bulkAnswer = z.object({
  data: z.object({ allowed: z.array(judgedAccount), refused: z.array(judgedAccount.extend({ reason: z.string() })) }),
})

export const previewAccountsBulk = endpoint({
  method: 'POST',
  path: '/settings/accounts/bulk/preview',
  access: 'settings-accounts-update',
  reads: true,
  summary: 'What an action would do to several accounts, and to which not and why',
  body: selection,
  response: bulkAnswer,
})

export const runAccountsBulk = endpoint({
  method: 'POST',
  path: '/settings/accounts/bulk',
  access: 'settings-accounts-update',
  summary: 'Deactivate, reactivate or sign out several accounts; those refused stay as they are',
  body: selection,
  response: bulkAnswer,
})

export const seeAs = endpoint({
  method: 'POST',
  path: '/settings/accounts/:id/see-as',
  access: 'settings-accounts-impersonate',
  summary: 'See the product as somebody else for half an hour, without being able to change anything',
  ...ofAccount,
  response: signedIn,
})
