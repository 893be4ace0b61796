import crypto from 'node:crypto'
import { z } from 'zod'
import { whatsappProblems } from '#domain/whatsapp/problems.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import type { Services } from '#server/platform/services.ts'
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

/** Compared without telling by its time how much of it was right. */
const same = (one: string, other: string) =>
  crypto.timingSafeEqual(
    crypto.createHash('sha256').update(one).digest(),
    crypto.createHash('sha256').update(other).digest(),
  )

type Question = {
  'hub.mode'?: string | undefined
  'hub.verify_token'?: string | undefined
  'hub.challenge'?: string | undefined
}

/** Meta's challenge, given back to whoever knows the word that was made for it. */
export async function answerChallenge(services: Services, id: string, question: Question): Promise<string> {
  const connection = await getCloud(services, id)
  const expected = unseal(services, id, 'verifyToken', connection.verifyTokenSealed)
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = question
  if (mode !== 'subscribe' || !challenge || !token || !expected || !same(token, expected))
    throw new AppError(403, 'whatsapp_webhook_refused')
  return challenge
}

/** Whether the bytes were signed with the app's secret, as they came: written anew they would be other bytes. */
function isSigned(body: Buffer, signature: unknown, appSecret: string | undefined) {
  if (!appSecret || typeof signature !== 'string') return false
  return same(signature, `sha256=${crypto.createHmac('sha256', appSecret).update(body).digest('hex')}`)
}

const yearThreeThousand = 32_503_680_000
const seconds = z.coerce
  .number()
  .min(0)
  .max(yearThreeThousand)
  .transform((value) => new Date(value * 1000))
const statusReport = z.object({
  id: z.string().min(1).max(200),
  status: z.string(),
  timestamp: seconds,
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
const written = z.object({ from: z.string().regex(/^\d{5,18}$/), timestamp: seconds })
const readable = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown())
    .default([])
    .transform((values) => values.flatMap((value) => schema.safeParse(value).data ?? []) as z.output<T>[])

const notice = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          value: z.object({
            metadata: z.object({ phone_number_id: z.string() }).optional(),
            statuses: readable(statusReport),
            messages: readable(written),
          }),
        }),
      ),
    }),
  ),
})

/** A voice message that was listened to was read. */
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
  const known = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  if (!known) return []
  const error = errors?.[0]
  const failure = known === 'failed' && {
    problem: cloudProblem(error ?? {}),
    detail: error ? [error.title, error.error_data?.details ?? error.message].filter(Boolean).join(' · ') : undefined,
  }
  return [{ providerMessageId: id, status: known, at: timestamp, messageId, ...failure }]
}

/**
 * Takes what Meta reports. Bytes that are not signed with the connection's secret change nothing; what is signed and
 * means nothing to us is accepted in silence, or Meta would send it for days.
 */
export async function takeNotice(services: Services, id: string, body: Buffer, signature: unknown) {
  const connection = await getCloud(services, id)
  if (!isSigned(body, signature, unseal(services, id, 'appSecret', connection.appSecretSealed)))
    throw new AppError(401, 'whatsapp_webhook_refused')
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return
  }
  const told = notice.safeParse(parsed)
  if (!told.success || issuesOfText(parsed).length > 0) return
  const values = told.data.entry
    .flatMap(({ changes }) => changes)
    .filter(({ field, value }) => field === 'messages' && value.metadata?.phone_number_id === connection.phoneNumberId)
    .map(({ value }) => value)
  const reports = values.flatMap((value) => value.statuses.flatMap(reportOf))
  const inbound = values.flatMap((value) => value.messages)
  if (reports.length + inbound.length === 0) return
  const now = services.clock.now()
  await services.db.transaction().execute(async (tx) => {
    // In one order, so that two notices at the same moment do not wait for each other's rows.
    await takeReports(
      tx,
      id,
      reports.toSorted((one, other) => one.providerMessageId.localeCompare(other.providerMessageId)),
      now,
    )
    for (const { from, timestamp } of inbound)
      await tx
        .insertInto('whatsappWindows')
        .values({ connectionId: id, phone: `+${from}`, lastAt: timestamp })
        .onConflict((conflict) =>
          conflict
            .columns(['connectionId', 'phone'])
            .doUpdateSet((eb) => ({ lastAt: eb.fn('greatest', ['whatsappWindows.lastAt', 'excluded.lastAt']) })),
        )
        .execute()
    const blocking = reports.find((report) => report.problem && whatsappProblems[report.problem] === 'wait')
    if (blocking?.problem) await noteProblem(tx, connection, blocking.problem, blocking.detail ?? null, now)
  })
}
