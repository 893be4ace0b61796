import { sql } from 'kysely'
import type { deletionCauses } from '#domain/leads/leads.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { lockLead } from './lock-lead.ts'

type Cause = (typeof deletionCauses)[number] | 'retention'

/** Deletes leads with all their data, keeping one row each for statistics. The caller holds their locks. */
export async function eraseLeads(tx: Tx, ids: readonly string[], cause: Cause, now: Date) {
  await sql`
    INSERT INTO lead_deletions (at, cause, stage, kind, event_id, affiliate_id, came_in)
    SELECT ${now}::timestamptz, ${cause}, l.stage, coalesce(o.kind, 'staff'), o.event_id, o.affiliate_id,
      date_trunc('month', l.created_at AT TIME ZONE 'UTC')::date
    FROM leads l LEFT JOIN LATERAL (SELECT kind, event_id, affiliate_id FROM lead_origins WHERE lead_id = l.id
      ORDER BY recorded_at, id LIMIT 1) o ON true
    WHERE l.id = ANY(${ids}::uuid[]) AND l.merged_into IS NULL`.execute(tx)
  await eraseConversations(tx, ids, now)
  await sql`DELETE FROM leads WHERE id = ANY(${ids}::uuid[])`.execute(tx)
}

/**
 * Deletes WhatsApp conversations of people without an account together with their lead: messages, answers, files and
 * raw webhook data.
 */
async function eraseConversations(tx: Tx, leadIds: readonly string[], now: Date) {
  const conversations = sql`SELECT v.id FROM conversations v JOIN leads l ON l.id = v.lead_id
    WHERE v.account_id IS NULL AND (l.id = ANY(${leadIds}::uuid[]) OR l.merged_into = ANY(${leadIds}::uuid[]))`
  await sql`UPDATE files SET deleted_at = ${now} WHERE deleted_at IS NULL AND id IN
    (SELECT m.file_id FROM chat_messages m WHERE m.conversation_id IN (${conversations}))`.execute(tx)
  await sql`DELETE FROM messages WHERE id IN
    (SELECT m.message_id FROM chat_messages m WHERE m.conversation_id IN (${conversations}))`.execute(tx)
  const addresses = sql`SELECT unnest(ARRAY[v.phone, v.user_id]) FROM conversations v WHERE v.id IN (${conversations})`
  await sql`DELETE FROM whatsapp_items WHERE phone IN (${addresses}) OR user_id IN (${addresses})`.execute(tx)
  await sql`DELETE FROM whatsapp_windows WHERE address IN (${addresses})`.execute(tx)
  await sql`DELETE FROM conversations WHERE id IN (${conversations})`.execute(tx)
}

export const remove = ({ db, clock }: Services, actor: Actor, id: string, cause: (typeof deletionCauses)[number]) =>
  db.transaction().execute(async (tx) => {
    await lockLead(tx, id)
    await eraseLeads(tx, [id], cause, clock.now())
    await recordAudit(tx, actor, { action: 'lead.delete', on: { lead: id }, after: { cause } })
    return { id }
  })
