import { sql } from 'kysely'
import { z } from 'zod'
import type { WhatsappItemProblem } from '#domain/whatsapp/items.ts'
import { whatsappProblems } from '#domain/whatsapp/problems.ts'
import { noteProblem as noteProblemOfConnection } from '#server/modules/whatsapp/connections/connection-problem.ts'
import { cloudProblem } from '#server/modules/whatsapp/providers/cloud-problems.ts'
import { type Report, type ReportedStatus, takeReports } from '#server/modules/whatsapp/reports.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { readItem, unixTime, userOf, type WhatsappUser } from './item.ts'
import { markUnderstood, noteProblem } from './understand-items.ts'

/** Queue of `takeStatusesJob`. Declared here, because `takeStatuses` enqueues the job when it fails. */
export const takeStatusesQueue = { name: 'take-whatsapp-statuses', data: z.object({}) }

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

/** `played` (a voice message) counts as read. */
const statuses: Record<string, ReportedStatus> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

type ReadStatus = { report: Report; user: WhatsappUser }

/** Parses a stored status, or returns why it cannot be parsed. */
export function readStatus(raw: Buffer): ReadStatus | WhatsappItemProblem {
  const parts = readItem(raw)
  const { data } = statusReport.safeParse(parts?.item)
  if (!parts || !data) return 'unreadable'
  const { id, timestamp, biz_opaque_callback_data: handoverId, errors } = data
  const status = Object.hasOwn(statuses, data.status) && statuses[data.status]
  if (!status) return 'unknown_status'
  const error = errors?.[0]
  const failure = status === 'failed' && {
    problem: cloudProblem(error ?? {}),
    detail: error ? [error.title, error.error_data?.details ?? error.message].filter(Boolean).join(' · ') : undefined,
  }
  return { report: { providerMessageId: id, status, at: timestamp, handoverId, ...failure }, user: userOf(parts) }
}

/** Applies parsed reports: states of messages, user ids, and problems of the connection. */
export async function takeRead(context: Omit<Context, 'actor'>, connectionId: string, read: readonly ReadStatus[]) {
  const { tx, services } = context
  // Sorted, so that two parallel notices lock rows in the same order.
  const reports = read
    .map(({ report }) => report)
    .toSorted((first, second) => first.providerMessageId.localeCompare(second.providerMessageId))
  await takeReports(context, connectionId, reports)
  await linkUsers(
    tx,
    read.map(({ user }) => user),
  )
  const blocking = reports.find((report) => report.problem && whatsappProblems[report.problem] === 'wait')
  if (blocking?.problem)
    await noteProblemOfConnection(
      tx,
      { id: connectionId, kind: 'cloud' },
      blocking.problem,
      blocking.detail ?? null,
      services.clock.now(),
    )
}

/** Stores the user id in the conversation with the number, so that a later message with only the user id finds it. */
async function linkUsers(tx: Tx, users: readonly WhatsappUser[]) {
  const linked = users.filter(({ phone, userId }) => phone && userId)
  if (linked.length === 0) return
  await sql`UPDATE conversations v SET user_id = r.user_id
    FROM (SELECT phone, max(user_id) AS user_id
      FROM json_to_recordset(${JSON.stringify(linked.map(({ phone, userId }) => ({ phone, user_id: userId })))}::json)
        AS u (phone text, user_id text) GROUP BY phone) r
    WHERE v.phone = r.phone AND v.user_id IS NULL
      AND NOT EXISTS (SELECT FROM conversations o WHERE o.user_id = r.user_id)`.execute(tx)
}

/**
 * Processes the stored reports of one notice together, because Meta sends hundreds a second. If that fails, the job
 * processes them one by one.
 */
export async function takeStatuses(services: Services, connectionId: string, ids: readonly string[]) {
  const { db, clock, jobs, log } = services
  if (ids.length === 0) return
  const now = clock.now()
  try {
    await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const items = await tx
        .selectFrom('whatsappItems')
        .select(['id', 'raw'])
        .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
        .where('handledAt', 'is', null)
        .orderBy('number')
        .forUpdate()
        .execute()
      const read: ReadStatus[] = []
      const understood: string[] = []
      for (const { id, raw } of items) {
        const status = readStatus(raw)
        if (typeof status === 'string') await noteProblem(tx, id, status, null, now)
        else {
          read.push(status)
          understood.push(id)
        }
      }
      await takeRead(context, connectionId, read)
      await markUnderstood(tx, understood, now)
    })
  } catch (error) {
    log.warn({ err: error }, 'reports of WhatsApp could not be taken together')
    await jobs.enqueue(db, takeStatusesQueue, {})
  }
}
