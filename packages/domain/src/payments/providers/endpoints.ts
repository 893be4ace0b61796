import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { pendingChange } from '#domain/payments/approvals/pending-change.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import {
  highestAmount,
  providerBank,
  providerCode,
  providerKinds,
  secretNames,
  snapSettings,
} from './provider-kinds.ts'
import { providerProblems } from './provider-problems.ts'

const path = '/settings/providers'

/** Outcomes of reports that booked nothing although they may be about real money. */
export const unheardOutcomes = ['wrong_signature', 'malformed', 'failed'] as const

const ofProvider = { params: z.object({ id: z.uuid() }) }

/** State of a connection: switched off, never tried, tried with or without success. */
export const providerStandings = ['inactive', 'unchecked', 'ready', 'problem'] as const
export type ProviderStanding = (typeof providerStandings)[number]

export const providerRow = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  kind: z.enum(providerKinds),
  active: z.boolean(),
  standing: z.enum(providerStandings),
  banks: z.array(z.string()),
  /** Names of banks with few numbers left. */
  low: z.array(z.string()),
  checkedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
})
export type ProviderRow = z.output<typeof providerRow>

const bankRow = z.object({
  ...providerBank.shape,
  id: z.uuid(),
  /** Numbers issued so far, and numbers left; null if the gateway makes them. */
  used: z.int(),
  remaining: z.int().nullable(),
  low: z.boolean(),
})

export const pendingConnection = /* @__PURE__ */ pendingChange.extend({
  /** Public key of a pending pair; may already be given to the bank. */
  publicKey: z.string().nullable(),
  /** Whether the bank can be called with the proposed address and keys. */
  canCheck: z.boolean(),
})
export type PendingConnection = z.output<typeof pendingConnection>

const providerDetail = /* @__PURE__ */ providerRow.omit({ banks: true, low: true }).extend({
  baseUrl: z.string(),
  /** Most rupiah of a payment booked without two people. */
  maximumAmount: z.int(),
  snap: snapSettings.nullable(),
  banks: z.array(bankRow),
  /** All that is shown about a secret: when it was set, and its last characters. */
  secrets: z.partialRecord(z.enum(secretNames), z.object({ setAt: time, lastFour: z.string() })),
  /** Our addresses that the bank needs. */
  addresses: z.array(z.object({ name: z.enum(['token', 'inquiry', 'payment', 'report']), url: z.string() })),
  /** Public key with which the bank checks our signatures. */
  ourPublicKey: z.string().nullable(),
  problem: z.string().nullable(),
  problemDetail: z.string().nullable(),
  problemAt: time.nullable(),
  /** Calls to the bank are paused because of consecutive failures. */
  leftAlone: z.boolean(),
  /** Calls of the last seven days that were refused or could not be booked. */
  unheard: z.array(z.object({ outcome: z.enum(unheardOutcomes), count: z.int(), lastAt: time })),
  /** Whether the bank can be called. */
  canCheck: z.boolean(),
  version: z.int(),
  /** A change that awaits approval; until then the connection is unchanged. */
  pending: pendingConnection.nullable(),
})
export type ProviderDetail = z.output<typeof providerDetail>

const detailAnswer = z.object({ data: providerDetail })

const approvalAnswer = z.object({ data: z.object({ approvalId: z.uuid() }) })

export const readProvider = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  access: 'settings-providers-view',
  summary: 'One connection to a bank or gateway and how it stands',
  ...ofProvider,
  response: detailAnswer,
})

/** Connections requested and not approved yet. */
export const listNewProviders = endpoint({
  method: 'GET',
  path: `${path}/requests`,
  access: 'settings-providers-view',
  summary: 'Connections that are asked for and not approved yet',
  response: z.object({ data: z.array(pendingConnection) }),
})

const content = {
  /** May be empty here, so that the refusal lists all missing fields together. */
  name: typedLine().max(100),
  active: z.boolean(),
  baseUrl: z.union([z.literal(''), z.url().max(200)]),
  /** If missing, a new connection gets the usual maximum and an existing one keeps its own. */
  maximumAmount: z.int().min(1).max(highestAmount).optional(),
  /** Settings of a SNAP connection; null for other kinds. */
  snap: snapSettings.nullable(),
  banks: z.array(providerBank.extend({ id: z.uuid().optional() })).max(20),
  /** Missing secrets stay unchanged; null removes a secret. No answer contains them. */
  secrets: z.partialRecord(z.enum(secretNames), typedText().min(1).max(8000).nullable()).default({}),
  /** Reason shown to the deciding account. */
  reason: typedText().max(500).optional(),
}

export const createProvider = endpoint({
  method: 'POST',
  path,
  access: 'settings-providers-create',
  summary: 'Ask for a connection to a bank or gateway; it counts once another account has approved it',
  body: z.strictObject({ code: providerCode, kind: z.enum(providerKinds), ...content }),
  rules: providerProblems,
  rulesInUseCase: true,
  response: approvalAnswer,
})
export type NewProvider = z.output<typeof createProvider.body>

export const updateProvider = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access: 'settings-providers-update',
  summary:
    'Ask for a change of a connection; names change at once. 409 when somebody else changed it since `version`. Secrets left out stay',
  ...ofProvider,
  body: z.strictObject({ version: z.int().min(1), ...content }),
  rules: providerProblems,
  rulesInUseCase: true,
  /** `approvalId` is null if only names changed, which needs no approval. */
  response: z.object({ data: z.object({ approvalId: z.uuid().nullable() }) }),
})
export type ProviderChange = z.output<typeof updateProvider.body>

export const checkProvider = endpoint({
  method: 'POST',
  path: `${path}/:id/check`,
  access: 'settings-providers-update',
  summary: 'Ask the bank whether address and keys are right',
  ...ofProvider,
  response: detailAnswer,
})

export const checkRequestedProvider = endpoint({
  method: 'POST',
  path: `${path}/requests/:id/check`,
  access: 'settings-providers-update',
  summary: 'Ask the bank whether the address and keys of a request are right, before it is approved',
  ...ofProvider,
  response: z.object({ data: z.object({ problem: z.string().nullable(), problemDetail: z.string().nullable() }) }),
})

export const makeInboundSecret = endpoint({
  method: 'POST',
  path: `${path}/:id/inbound-secret`,
  access: 'settings-providers-update',
  summary:
    'Make key and secret with which a bank signs what it sends; told this once. The earlier ones work until another account has approved the new ones',
  ...ofProvider,
  response: z.object({ data: z.object({ clientKey: z.string(), secret: z.string(), approvalId: z.uuid() }) }),
})

export const makeKeyPair = endpoint({
  method: 'POST',
  path: `${path}/:id/key-pair`,
  access: 'settings-providers-update',
  summary:
    'Make the key pair with which we sign; the earlier one works until another account has approved the new one. The private half is never told',
  ...ofProvider,
  response: approvalAnswer,
})
