import { sql } from 'kysely'
import { keepTryingMs, maxAttempts, retryWaitMs } from '#domain/whatsapp/problems.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { Context } from '#server/platform/use-case.ts'
import {
  type ChangedHandover,
  changedHandover,
  detailOf,
  type HandoverState,
  type LockedHandover,
  type News,
  type Outcome,
} from './news.ts'

/** Event of a mail that failed for good: `{ messageId, event }`. */
export const mailFailed = 'mail-failed'

/** Error of a mail whose account lost the needed permission before the mail was sent. */
export const noLongerAllowed = 'no_longer_allowed'

/** Error of a message that may have arrived and is not sent again. */
const interrupted = 'interrupted'

type Row = LockedHandover & { event: string; attempts: number; createdAt: Date }

/** Status of a message by the state of its handover. */
const statuses = {
  due: 'queued',
  handed: 'queued',
  accepted: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  uncertain: 'failed',
} as const satisfies Record<HandoverState, string>

/** Locks the messages and their handovers. */
export async function lockMessages(tx: Tx, ids: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT h.id, h.channel, m.to_address AS address, h.state, m.event, m.attempts, m.created_at
    FROM handovers h JOIN messages m ON m.id = h.message_id WHERE h.id = ANY(${ids}::uuid[])
    ORDER BY h.id FOR NO KEY UPDATE OF h, m`.execute(tx)
  return rows
}

type Times = { sent_at: Date | null; delivered_at: Date | null; read_at: Date | null }

/** Times of all reports, including those too late to advance the message. */
function timesOf(news: readonly News[]): Times {
  const timeOf = (state: News['state']) => news.find((one) => one.state === state)?.at ?? null
  const [read, delivered] = [timeOf('read'), timeOf('delivered')]
  return {
    sent_at: timeOf('accepted') ?? delivered ?? read,
    delivered_at: delivered ?? read,
    read_at: read,
  }
}

/**
 * Error and detail of a message. WhatsApp problems have sentences of their own; mails show the mail server's answer.
 */
const errorOf = (channel: Row['channel'], reason: string, detail: string | null) =>
  channel === 'email' ? { error: detail ?? reason, error_detail: null } : { error: reason, error_detail: detail }

/** New error and attempts of a message. If the message is tried again, `due_at` is the time of the next try. */
function consequenceOf(row: Row, news: News, now: Date) {
  if (news.state === 'returned') {
    const { words, problem } = news
    // The call never began, so the attempt does not count.
    if (words === undefined) return { due_at: now, attempts: Math.max(0, row.attempts - 1) }
    const detail = words ? cutText(words, 300) : null
    // The channel failed, not the message, so the attempt does not count. One attempt stays counted, so the list of
    // messages shows that the message was tried.
    const attempts = Math.max(1, row.attempts - 1)
    return { due_at: now, attempts, ...errorOf(row.channel, problem ?? interrupted, detail) }
  }
  if (news.state === 'uncertain') return { error: interrupted, error_detail: null }
  if (news.state !== 'failed') return { error: null, error_detail: null }
  const error = errorOf(row.channel, news.reason, detailOf(news))
  const isYoung = now.getTime() - row.createdAt.getTime() <= keepTryingMs
  // A message that the channel accepted is never sent again.
  const isTriedAgain = news.consequence === 'again' && row.state === 'handed' && row.attempts < maxAttempts && isYoung
  return isTriedAgain ? { due_at: new Date(now.getTime() + retryWaitMs(row.attempts)), ...error } : error
}

/**
 * Writes the outcomes of messages and publishes `mail-failed` for failed mails. Returns the changes of their handovers.
 */
export async function advanceMessages(
  { tx, services: { clock, jobs } }: Omit<Context, 'actor'>,
  rows: readonly Row[],
  outcomeOf: (row: Row) => Outcome & { all: readonly News[] },
): Promise<ChangedHandover[]> {
  const now = clock.now()
  const handovers: ChangedHandover[] = []
  const messages: object[] = []
  const failedMails: { messageId: string; event: string }[] = []
  for (const row of rows) {
    const { all, ...outcome } = outcomeOf(row)
    const { latest, providerMessageId } = outcome
    const changed = latest && consequenceOf(row, latest, now)
    const isDue = changed !== undefined && 'due_at' in changed
    const state = isDue ? 'due' : outcome.state
    const handover = changedHandover(row, { ...outcome, state })
    if (handover) handovers.push({ ...handover, ...(isDue && { due_at: changed.due_at, reason: null, detail: null }) })
    messages.push({
      attempts: row.attempts,
      ...changed,
      ...timesOf(all),
      id: row.id,
      is_changed: latest !== undefined,
      has_error: changed !== undefined && 'error' in changed,
      status: statuses[state],
      provider_message_id: providerMessageId,
    })
    if (row.channel === 'email' && statuses[row.state] !== 'failed' && statuses[state] === 'failed')
      failedMails.push({ messageId: row.id, event: row.event })
  }
  await writeMessages(tx, messages)
  for (const failed of failedMails) await jobs.publish(tx, mailFailed, failed)
  return handovers
}

async function writeMessages(tx: Tx, messages: readonly object[]) {
  if (messages.length === 0) return
  await sql`UPDATE messages m SET
      status = CASE WHEN n.is_changed THEN n.status ELSE m.status END,
      error = CASE WHEN n.has_error THEN n.error ELSE m.error END,
      error_detail = CASE WHEN n.has_error THEN n.error_detail ELSE m.error_detail END,
      attempts = n.attempts,
      provider_message_id = coalesce(m.provider_message_id, n.provider_message_id),
      sent_at = coalesce(m.sent_at, n.sent_at),
      delivered_at = coalesce(m.delivered_at, n.delivered_at),
      read_at = coalesce(m.read_at, n.read_at)
    FROM json_to_recordset(${JSON.stringify(messages)}::json) AS n (id uuid, is_changed boolean, has_error boolean,
      status text, error text, error_detail text, attempts integer, provider_message_id text, sent_at timestamptz,
      delivered_at timestamptz, read_at timestamptz)
    WHERE m.id = n.id`.execute(tx)
}
