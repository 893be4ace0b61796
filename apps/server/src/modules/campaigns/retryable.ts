import { type RawBuilder, sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { CampaignRow } from './visible-campaigns.ts'

type Sent = Pick<CampaignRow, 'id' | 'channels'>

/**
 * SQL table (number, channels) of failed recipients that can be retried. `channels` leaves out a channel if the
 * recipient's address there is suppressed. If recipients share an address, only one of them may use it.
 */
export const retryable = ({ id, channels }: Sent): RawBuilder<unknown> => sql`
  SELECT number, array_agg(channel ORDER BY at) AS channels FROM (
    SELECT p.number, p.state, c.channel, c.at,
      row_number() OVER (PARTITION BY c.channel, a.address ORDER BY p.state = 'failed', p.number) AS place
    FROM campaign_recipients p CROSS JOIN unnest(${channels}::text[]) WITH ORDINALITY c (channel, at)
      CROSS JOIN LATERAL (SELECT CASE c.channel WHEN 'whatsapp' THEN p.phone WHEN 'email' THEN p.email
        ELSE p.account_id::text END AS address) a
    WHERE p.campaign_id = ${id} AND a.address IS NOT NULL AND p.reason IS DISTINCT FROM 'complained'
      AND (p.state = 'failed' OR (p.state <> 'skipped' AND c.channel = p.channels[1]))
      AND NOT EXISTS (SELECT FROM suppressed_addresses s WHERE s.channel = c.channel AND s.lifted_at IS NULL
        AND s.address = a.address)) open
  WHERE state = 'failed' AND place = 1 GROUP BY number`

export async function countRetryable(db: Db, campaign: Sent): Promise<number> {
  const { rows } = await sql<{
    people: number
  }>`SELECT count(*)::int AS people FROM (${retryable(campaign)}) r`.execute(db)
  return theOnly(rows).people
}
