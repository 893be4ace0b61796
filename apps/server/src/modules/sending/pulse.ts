import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { hasDueRecipient, isDone, isDueToStart } from '#server/modules/campaigns/claim/lifecycle.ts'
import type { Services } from '#server/platform/services.ts'

/** Work that waits for the sender. */
export type Pulse = {
  /** Channels with something due. */
  channels: string[]
  hasScheduledCampaign: boolean
  hasDoneCampaign: boolean
  hasExpiredLease: boolean
  /** Connections other than the default one. They send only messages bound to them. */
  connectionIds: string[]
}

/** Reads the waiting work in one statement, so an idle process runs no other query. */
export async function readPulse({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<Pulse> {
  const now = clock.now()
  const { rows } = await sql<Pulse>`
    SELECT ARRAY(SELECT lane FROM unnest(ARRAY['email', 'whatsapp', 'inbox']) AS lane
        WHERE EXISTS (SELECT FROM handovers h WHERE h.state = 'due' AND h.channel = lane AND h.due_at <= ${now})
          OR EXISTS (SELECT FROM campaigns c WHERE ${hasDueRecipient(sql`lane`, now)})) AS channels,
      EXISTS (SELECT FROM campaigns WHERE ${isDueToStart(now)}) AS has_scheduled_campaign,
      EXISTS (SELECT FROM campaigns WHERE ${isDone}) AS has_done_campaign,
      EXISTS (SELECT FROM handovers WHERE state = 'handed' AND leased_until < ${now}) AS has_expired_lease,
      ARRAY(SELECT id FROM whatsapp_connections WHERE NOT is_default ORDER BY id) AS connection_ids`.execute(db)
  return theOnly(rows)
}
