import { type RawBuilder, sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import { composeMail } from '#server/modules/messaging/compose-mail.ts'
import type { Outgoing } from '#server/modules/messaging/handovers/claims.ts'
import {
  type ClaimedMessage,
  type Claims,
  type Connection,
  leaseMs,
  reportedLeaseMs,
} from '#server/modules/messaging/handovers/claims.ts'
import { takeWhatsappSlots } from '#server/modules/whatsapp/pace.ts'
import { freeTextMs } from '#server/modules/whatsapp/window.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'

/** SQL condition on `handovers h`: the messages of a lane. */
export type LaneScope = RawBuilder<boolean>

export const mailScope: LaneScope = sql<boolean>`h.channel = 'email'`

const defaultConnection = sql`(SELECT id FROM whatsapp_connections WHERE is_default)`

/** Messages for the default connection: not bound to any other. */
export const defaultScope: LaneScope = sql<boolean>`h.channel = 'whatsapp'
  AND (h.bound_to IS NULL OR h.bound_to = ${defaultConnection})`

/** Messages bound to a connection that is not the default one. */
export const boundScope = (connectionId: string): LaneScope => sql<boolean>`h.channel = 'whatsapp'
  AND h.bound_to = ${connectionId}::uuid AND h.bound_to IS DISTINCT FROM ${defaultConnection}`

/** Urgency of the most urgent due message of a lane; undefined if none is due. */
export async function mostUrgentDue(db: Db, scope: LaneScope, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ urgency: number }>`SELECT h.urgency FROM handovers h
    WHERE h.state = 'due' AND ${scope} AND h.due_at <= ${now} ORDER BY h.urgency LIMIT 1`.execute(db)
  return rows[0]?.urgency
}

type Due = ClaimedMessage & {
  id: string
  accountName: string | null
  language: Language
  toAddress: string
  subject: string
  body: string
  link: string | null
  providerTemplate: unknown
  isWindowOpen: boolean
}

/** Bounds of a claim: at most `most` messages, none less urgent than `lastUrgency`. */
export type Share = { most: number; lastUrgency: number }

/** Locks due messages, most urgent first. Skips rows that other transactions have locked. */
async function lockDue(tx: Tx, scope: LaneScope, { most, lastUrgency }: Share, now: Date, connectionId: string | null) {
  const { rows } = await sql<Due>`
    SELECT m.id, m.account_id, a.name AS account_name, m.language, m.to_address, m.subject, m.body, m.link,
      m.provider_template, m.file_id, m.needs_permission,
      EXISTS (SELECT FROM whatsapp_windows w WHERE w.connection_id = ${connectionId}::uuid AND w.address = m.to_address
        AND w.last_at > ${new Date(now.getTime() - freeTextMs)}) AS is_window_open
    FROM handovers h JOIN messages m ON m.id = h.message_id LEFT JOIN accounts a ON a.id = m.account_id
    WHERE h.state = 'due' AND ${scope} AND h.due_at <= ${now} AND h.urgency <= ${lastUrgency}
      AND m.status = 'queued' AND m.to_address IS NOT NULL
    ORDER BY h.urgency, h.due_at, h.id LIMIT ${sql.lit(most)} FOR NO KEY UPDATE OF h, m SKIP LOCKED`.execute(tx)
  return rows
}

type Hold = { connectionId: string | null; leaseMs: number }

async function markHanded(tx: Tx, claimed: readonly Due[], { connectionId, leaseMs: ms }: Hold, now: Date) {
  if (claimed.length === 0) return
  const ids = claimed.map(({ id }) => id)
  await sql`UPDATE handovers SET state = 'handed', due_at = NULL, handed_at = ${now}, state_at = ${now},
      leased_until = ${new Date(now.getTime() + ms)}, connection_id = ${connectionId}
    WHERE id = ANY(${ids}::uuid[])`.execute(tx)
  await sql`UPDATE messages SET attempts = attempts + 1, connection_id = ${connectionId}
    WHERE id = ANY(${ids}::uuid[])`.execute(tx)
}

const claimOf = ({ id, language, accountId, fileId, needsPermission }: Due) => ({
  ...{ handoverId: id, language },
  ofMessage: { accountId, fileId, needsPermission },
})

/** Claims mails for this process. The mail pace limits only campaigns; single messages just need a free worker. */
export async function claimMessagesByMail({ tx, now }: Omit<Context, 'actor'>, share: Share): Promise<Claims> {
  const due = await lockDue(tx, mailScope, share, now, null)
  if (due.length === 0) return { claims: [], seen: 0, waitMs: 0 }
  const settings = await getSettings(tx)
  const claims = due.map((one) => ({
    ...claimOf(one),
    channel: 'email' as const,
    mail: { to: one.toAddress, subject: one.subject, messageId: one.id, ...composeMail(settings, one) },
  }))
  await markHanded(tx, due, { connectionId: null, leaseMs }, now)
  return { claims, seen: due.length, waitMs: 0 }
}

/** Claims WhatsApp messages for this process, up to the free slots of the connection. */
export async function claimMessagesByWhatsapp(
  { tx, now }: Omit<Context, 'actor'>,
  share: Share,
  { scope, connection }: { scope: LaneScope; connection: Connection },
): Promise<Claims> {
  const due = await lockDue(tx, scope, share, now, connection.id)
  if (due.length === 0) return { claims: [], seen: 0, waitMs: 0 }
  const phones = due.map(({ toAddress }) => toAddress)
  const slots = await takeWhatsappSlots(tx, connection.id, phones, now)
  const claimed = due.slice(0, slots.count)
  const claims = claimed.map((one) => ({
    ...claimOf(one),
    channel: 'whatsapp' as const,
    message: {
      ...{ id: one.id, to: one.toAddress, language: one.language },
      text: [one.body, one.link].filter(Boolean).join('\n\n'),
      template: one.providerTemplate as Outgoing['template'],
      windowOpen: one.isWindowOpen,
    },
  }))
  const lease = connection.kind === 'cloud' ? reportedLeaseMs : leaseMs
  await markHanded(tx, claimed, { connectionId: connection.id, leaseMs: lease }, now)
  return { claims, seen: due.length, waitMs: slots.waitMs }
}

/** Stores on due messages why their channel is down. The list of messages shows it. */
export async function noteWaiting(db: Db, scope: LaneScope, words: string, connectionId: string | null, now: Date) {
  await sql`UPDATE messages m SET error = ${words}, error_detail = NULL,
      connection_id = coalesce(${connectionId}::uuid, m.connection_id)
    FROM handovers h WHERE m.id = h.message_id AND h.state = 'due' AND ${scope} AND h.due_at <= ${now}
      AND m.error IS DISTINCT FROM ${words}`.execute(db)
}
