import { sql } from 'kysely'
import { urgencyOf } from '#server/modules/messaging/urgency.ts'
import type { Context } from '#server/platform/use-case.ts'
import { wakeSender } from './wake.ts'

export type QueuedMessage = {
  id: string
  channel: 'inbox' | 'email' | 'whatsapp'
  event: string
  /** Defaults to the urgency of the event. */
  urgency?: number
  /** The only connection that may send the message; the default connection if left out. */
  boundTo?: string | null
}

/**
 * Writes due handovers in this transaction; the sender claims them after the commit. Inbox messages need none: writing
 * them delivers them.
 */
export async function queueMessages({ tx, services }: Omit<Context, 'actor'>, messages: readonly QueuedMessage[]) {
  const now = services.clock.now()
  const rows = messages
    .filter(({ channel }) => channel !== 'inbox')
    .map(({ id, channel, event, urgency = urgencyOf(event), boundTo = null }) => ({
      ...{ id, channel, urgency },
      bound_to: boundTo,
    }))
  if (rows.length === 0) return
  await sql`INSERT INTO handovers (id, message_id, channel, urgency, bound_to, state, due_at, state_at)
    SELECT h.id, h.id, h.channel, h.urgency, h.bound_to, 'due', ${now}, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS h (id uuid, channel text, urgency smallint, bound_to uuid)`.execute(
    tx,
  )
  wakeSender(services)
}
