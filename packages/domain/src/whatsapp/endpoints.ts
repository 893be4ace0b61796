import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { connectionProblems } from './connection-problems.ts'
import { deviceStates, whatsappKinds, whatsappStandings } from './standing.ts'

const path = '/settings/whatsapp'
const connectionPath = { params: z.object({ id: z.uuid() }) }

export const connectionRow = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(whatsappKinds),
  phone: z.string().nullable(),
  active: z.boolean(),
  isDefault: z.boolean(),
  standing: z.enum(whatsappStandings),
  /** Key below `whatsapp:problem`. */
  problem: z.string().nullable(),
  /** Messages sent in the last 24 hours. */
  sentLastDay: z.int(),
  createdAt: time,
  updatedAt: time,
})
export type WhatsappConnectionRow = z.output<typeof connectionRow>

/** Time at which a secret was set; its value is never returned. */
const secretSetAt = time.nullable()

const connectionDetail = connectionRow.extend({
  perMinute: z.int(),
  perDay: z.int(),
  phoneNumberId: z.string().nullable(),
  businessAccountId: z.string().nullable(),
  graphUrl: z.string(),
  graphVersion: z.string(),
  secrets: z.object({ accessToken: secretSetAt, appSecret: secretSetAt, verifyToken: secretSetAt }),
  /** Webhook address for connections to Meta's Cloud API. */
  webhookUrl: z.string().nullable(),
  verifiedName: z.string().nullable(),
  quality: z.string().nullable(),
  state: z.enum(deviceStates),
  problemDetail: z.string().nullable(),
  problemAt: time.nullable(),
  connectedAt: time.nullable(),
  checkedAt: time.nullable(),
  retryAt: time.nullable(),
  /** Null unless the user may edit connections and the code has not expired. */
  pairing: z
    .object({
      /** The QR code of `size` by `size` modules, as an SVG path. */
      qr: z.object({ size: z.int(), path: z.string() }).nullable(),
      code: z.string().nullable(),
    })
    .nullable(),
  /** Messages queued for the connection. */
  waiting: z.int(),
  version: z.int(),
})
export type WhatsappConnection = z.output<typeof connectionDetail>
const detailAnswer = z.object({ data: connectionDetail })

export const readConnection = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  access: 'settings-whatsapp-view',
  summary: 'One WhatsApp connection and how it stands',
  ...connectionPath,
  response: detailAnswer,
})

const text = (max: number) => typedText().min(1).max(max)
/** Missing keeps the stored secret; null removes it. Never returned. */
const newSecret = text(1000).nullable().optional()

const content = {
  /** Empty passes the schema, so the rules report it together with other missing fields. */
  name: typedLine().max(100),
  phone: typedLine().max(30).nullable(),
  active: z.boolean(),
  isDefault: z.boolean(),
  perMinute: z.int().min(1).max(4800),
  perDay: z.int().min(1).max(1_000_000),
  phoneNumberId: text(40).regex(/^\d+$/).nullable(),
  businessAccountId: text(40).regex(/^\d+$/).nullable(),
  graphUrl: z.url().max(200),
  graphVersion: text(10).regex(/^v\d+\.\d+$/),
  accessToken: newSecret,
  appSecret: newSecret,
}

export const createConnection = endpoint({
  method: 'POST',
  path,
  access: 'settings-whatsapp-create',
  summary: 'Add a WhatsApp connection',
  body: z.strictObject({ kind: z.enum(whatsappKinds), ...content }),
  rules: connectionProblems,
  response: detailAnswer,
})

export const updateConnection = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access: 'settings-whatsapp-update',
  summary: 'Change a WhatsApp connection; 409 when somebody else did since `version`. Secrets left out stay',
  ...connectionPath,
  body: z.strictObject({ version: z.int().min(1), ...content }),
  rules: connectionProblems,
  response: detailAnswer,
})

export const removeConnection = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'settings-whatsapp-delete',
  summary: 'Delete a WhatsApp connection through which nothing was sent',
  ...connectionPath,
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const connectDevice = endpoint({
  method: 'POST',
  path: `${path}/:id/connect`,
  access: 'settings-whatsapp-update',
  summary: 'Link a phone: by QR code, or by a pairing code for the phone number given',
  ...connectionPath,
  body: z.strictObject({ phone: typedLine().max(30).optional() }),
  response: detailAnswer,
})

export const disconnectDevice = endpoint({
  method: 'POST',
  path: `${path}/:id/disconnect`,
  access: 'settings-whatsapp-update',
  summary: 'Pause a linked phone, or log it out for good',
  ...connectionPath,
  body: z.strictObject({ logOut: z.boolean() }),
  response: detailAnswer,
})

export const checkConnection = endpoint({
  method: 'POST',
  path: `${path}/:id/check`,
  access: 'settings-whatsapp-update',
  summary: "Ask Meta's Cloud API whether number and access token are right",
  ...connectionPath,
  response: detailAnswer,
})

export const renewVerifyToken = endpoint({
  method: 'POST',
  path: `${path}/:id/verify-token`,
  access: 'settings-whatsapp-update',
  summary: 'Make the word with which Meta confirms the webhook; shown this once, the earlier one stops working',
  ...connectionPath,
  response: z.object({ data: z.object({ verifyToken: z.string() }) }),
})

export const testConnection = endpoint({
  method: 'POST',
  path: `${path}/:id/test`,
  access: 'settings-whatsapp-update',
  summary: 'Send a test message through a connection to a phone, the own one unless told',
  ...connectionPath,
  body: z.strictObject({ phone: typedLine().max(30).optional() }),
  response: z.object({ data: z.object({ to: z.string() }) }),
})

export const confirmWebhook = endpoint({
  method: 'GET',
  path: '/whatsapp/webhook/:id',
  access: 'public',
  summary: "Meta's question whether the webhook is ours; answered with its own challenge",
  ...connectionPath,
  query: z.object({
    'hub.mode': z.string().max(50).optional(),
    'hub.verify_token': z.string().max(1000).optional(),
    'hub.challenge': z.string().max(1000).optional(),
  }),
  response: z.any(),
})

export const receiveWebhook = endpoint({
  method: 'POST',
  path: '/whatsapp/webhook/:id',
  access: 'public',
  summary: "What became of messages, reported by Meta and signed with the app's secret",
  ...connectionPath,
  response: z.any(),
})
