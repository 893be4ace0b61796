import { sql } from 'kysely'
import type { CampaignState } from '#domain/campaigns/campaigns.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'

/** A campaign that continues another one, directly or through others. */
export type Continuation = { id: string; name: string; state: CampaignState; startedAt: Date | null }

/** Campaigns that continue a campaign, the nearest first. */
export async function continuationsOf(db: Db, id: string): Promise<Continuation[]> {
  const { rows } = await sql<Continuation>`
    WITH RECURSIVE later AS (
      SELECT id, name, state, started_at, 1 AS depth FROM campaigns WHERE parent_id = ${id}
      UNION ALL SELECT c.id, c.name, c.state, c.started_at, l.depth + 1 FROM campaigns c JOIN later l ON c.parent_id = l.id)
    SELECT id, name, state, started_at FROM later ORDER BY depth, id`.execute(db)
  return rows
}

export const isOpen = ({ state }: Continuation) => state !== 'cancelled'

/** Whether it may have written to somebody whom the campaign before failed to reach. */
export const hasSent = ({ state, startedAt }: Continuation) => state !== 'cancelled' || startedAt !== null

/**
 * Ids of all campaigns that are tied to a campaign by continuing one another, its own among them; throws 409 where the
 * people of one are forgotten, since nobody can say any more whom it reached.
 */
export async function familyOf(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; isForgotten: boolean }>`
    WITH RECURSIVE family AS (
      SELECT id, parent_id, forgotten_at FROM campaigns WHERE id = ${id}
      UNION SELECT c.id, c.parent_id, c.forgotten_at FROM campaigns c JOIN family f
        ON c.id = f.parent_id OR c.parent_id = f.id)
    SELECT id, forgotten_at IS NOT NULL AS is_forgotten FROM family`.execute(db)
  if (rows.some(({ isForgotten }) => isForgotten)) throw conflict('campaign_forgotten')
  return rows.map((row) => row.id)
}
