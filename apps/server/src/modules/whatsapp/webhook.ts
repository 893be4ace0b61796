import crypto from 'node:crypto'
import { z } from 'zod'
import { whatsappProblems } from '#domain/whatsapp/problems.ts'
import { cleanLine } from '#entities/define/typed-text.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'
import { noteProblem } from './connections/connection-problem.ts'
import { unseal } from './connections/secrets.ts'
import { cloudProblem } from './providers/cloud-problems.ts'
import { type Report, takeReports } from './reports.ts'

async function getCloud({ db }: Services, id: string) {
  const connection = await db
    .selectFrom('whatsappConnections')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'cloud')
    .executeTakeFirst()
  if (!connection) throw notFound('whatsapp connection')
  return connection
}

type Question = {
  'hub.mode'?: string | undefined
  'hub.verify_token'?: string | undefined
  'hub.challenge'?: string | undefined
}

/** Returns Meta's challenge if the verify token is right; otherwise throws 403. */
export async function answerChallenge(services: Services, id: string, question: Question): Promise<string> {
  const connection = await getCloud(services, id)
  const expected = unseal(services, id, 'verifyToken', connection.verifyTokenSealed)
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = question
  if (mode !== 'subscribe' || !challenge || !token || !expected || !sameText(token, expected))
    throw new AppError(403, 'whatsapp_webhook_refused')
  return challenge
}

/** Checks the signature of the app's secret over the received bytes; serialising again would change them. */
function isSigned(body: Buffer, signature: unknown, appSecret: string | undefined) {
  if (!appSecret || typeof signature !== 'string') return false
  return sameText(signature, `sha256=${crypto.createHmac('sha256', appSecret).update(body).digest('hex')}`)
}

const maxUnixSeconds = 32_503_680_000
const unixTime = z.coerce
  .number()
  .min(0)
  .max(maxUnixSeconds)
  .transform((value) => new Date(value * 1000))
const statusReport = z.object({
  id: z.string().min(1).max(200),
  status: z.string(),
  timestamp: unixTime,
  biz_opaque_callback_data: z.uuid().optional().catch(undefined),
  errors: z
    .array(
      z.object({
        code: z.number().optional(),
        title: z.string().default(''),
        message: z.string().optional(),
        error_data: z.object({ details: z.string().optional() }).optional(),
      }),
    )
    .optional()
    .catch(undefined),
})
/** Keeps what the product does not know: the whole message is stored. */
const inboundMessage = z.looseObject({
  id: z.string().min(1).max(200),
  from: z.string().regex(/^[1-9]\d{4,17}$/),
  timestamp: unixTime,
})
const contact = z.object({ wa_id: z.string(), profile: z.object({ name: z.string() }) })

/** Items that a schema reads; others, and those with text that cannot be stored, are left out. */
const readableItems = <T extends z.ZodType>(schema: T) => itemsOf(schema, (item) => item)
/** Items that a schema reads, without the characters that cannot be stored: a person's message is never lost for them. */
const repairedItems = <T extends z.ZodType>(schema: T) => itemsOf(schema, repaired)

const itemsOf = <T extends z.ZodType>(schema: T, prepare: (item: unknown) => unknown) =>
  z
    .array(z.unknown())
    .default([])
    .transform((items) =>
      items.flatMap((item) => {
        const prepared = prepare(item)
        return issuesOfText(prepared).length > 0 ? [] : (schema.safeParse(prepared).data ?? [])
      }),
    ) as z.ZodType<z.output<T>[]>

/** NUL characters are left out, lone surrogates replaced; both stand escaped in JSON. */
function repaired(item: unknown): unknown {
  if (issuesOfText(item).length === 0) return item
  try {
    const text = JSON.stringify(item).replaceAll(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escaped, code: string) =>
      code === 'u0000' ? '' : code.length === 5 ? '\ufffd' : escaped,
    )
    return JSON.parse(text)
  } catch {
    // Nested too deeply to be written.
    return null
  }
}

const notice = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          value: z.object({
            metadata: z.object({ phone_number_id: z.string() }).optional(),
            statuses: readableItems(statusReport),
            messages: repairedItems(inboundMessage),
            contacts: repairedItems(contact),
          }),
        }),
      ),
    }),
  ),
})

/** `played` (a voice message) counts as read. */
const statuses: Record<string, Report['status']> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

function reportOf({
  id,
  status,
  timestamp,
  biz_opaque_callback_data: messageId,
  errors,
}: z.output<typeof statusReport>) {
  const knownStatus = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  if (!knownStatus) return []
  const error = errors?.[0]
  const failure = knownStatus === 'failed' && {
    problem: cloudProblem(error ?? {}),
    detail: error ? [error.title, error.error_data?.details ?? error.message].filter(Boolean).join(' · ') : undefined,
  }
  return [{ providerMessageId: id, status: knownStatus, at: timestamp, messageId, ...failure }]
}

/**
 * Stores a notice of Meta; throws 401 unless signed with the connection's secret. Signed notices without known content
 * are accepted and ignored, because Meta would repeat them for days.
 */
export async function takeNotice(services: Services, id: string, body: Buffer, signature: unknown) {
  const connection = await getCloud(services, id)
  if (!isSigned(body, signature, unseal(services, id, 'appSecret', connection.appSecretSealed)))
    throw new AppError(401, 'whatsapp_webhook_refused')
  let payload: unknown
  try {
    payload = JSON.parse(body.toString('utf8'))
  } catch {
    return
  }
  const parsedNotice = notice.safeParse(payload)
  if (!parsedNotice.success) return
  const values = parsedNotice.data.entry
    .flatMap(({ changes }) => changes)
    .filter(({ field, value }) => field === 'messages' && value.metadata?.phone_number_id === connection.phoneNumberId)
    .map(({ value }) => value)
  const reports = values.flatMap((value) => value.statuses.flatMap(reportOf))
  const inbound = values.flatMap(({ messages, contacts }) =>
    messages.map((message) => ({
      message,
      profileName: contacts.find(({ wa_id: whatsappId }) => whatsappId === message.from)?.profile.name ?? null,
    })),
  )
  if (reports.length + inbound.length === 0) return
  const now = services.clock.now()
  await services.db.transaction().execute(async (tx) => {
    // Sorted, so that two notices at the same moment lock rows in the same order.
    await takeReports(
      tx,
      id,
      reports.toSorted((first, second) => first.providerMessageId.localeCompare(second.providerMessageId)),
      now,
    )
    for (const { message } of inbound) {
      const { from, timestamp } = message
      await tx
        .insertInto('whatsappWindows')
        .values({ connectionId: id, phone: `+${from}`, lastAt: timestamp })
        .onConflict((conflict) =>
          conflict
            .columns(['connectionId', 'phone'])
            .doUpdateSet((eb) => ({ lastAt: eb.fn('greatest', ['whatsappWindows.lastAt', 'excluded.lastAt']) })),
        )
        .execute()
    }
    await keepInbound(tx, services, id, inbound, now)
    const blockingReport = reports.find((report) => report.problem && whatsappProblems[report.problem] === 'wait')
    if (blockingReport?.problem)
      await noteProblem(tx, connection, blockingReport.problem, blockingReport.detail ?? null, now)
  })
}

type InboundMessage = { message: z.output<typeof inboundMessage>; profileName: string | null }

/** Stores messages of people as they came, before anything is read from them; Meta repeats some, and each is kept once. */
async function keepInbound(
  tx: Tx,
  { jobs }: Services,
  connectionId: string,
  inbound: readonly InboundMessage[],
  receivedAt: Date,
) {
  if (inbound.length === 0) return
  const newRows = await tx
    .insertInto('whatsappInbound')
    .values(
      inbound.map(({ message, profileName }) => ({
        connectionId,
        providerMessageId: message.id,
        phone: `+${message.from}`,
        profileName: (profileName && cleanLine(profileName).slice(0, 120).toWellFormed()) || null,
        raw: JSON.stringify({ ...message, timestamp: message.timestamp.toISOString() }),
        sentAt: message.timestamp,
        receivedAt,
      })),
    )
    .onConflict((conflict) => conflict.columns(['connectionId', 'providerMessageId']).doNothing())
    .returning('id')
    .execute()
  await jobs.publishMany(tx, whatsappReceived, newRows)
}

/** Event of each stored WhatsApp message of a person: `{ id }`. */
export const whatsappReceived = 'whatsapp.received'
