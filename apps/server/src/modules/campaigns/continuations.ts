import { type RawBuilder, sql } from 'kysely'
import type { CampaignState, Channel } from '#domain/campaigns/campaigns.ts'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'

/** A campaign that continues another campaign, directly or through further continuations. */
export type Continuation = { id: string; name: string; state: CampaignState; startedAt: Date | null }

/** All continuations of a campaign. Direct ones come first. */
export async function continuationsOf(db: Db, id: string): Promise<Continuation[]> {
  const { rows } = await sql<Continuation>`
    WITH RECURSIVE later AS (
      SELECT id, name, state, started_at, 1 AS depth FROM campaigns WHERE parent_id = ${id}
      UNION ALL SELECT c.id, c.name, c.state, c.started_at, l.depth + 1 FROM campaigns c JOIN later l ON c.parent_id = l.id)
    SELECT id, name, state, started_at FROM later ORDER BY depth, id`.execute(db)
  return rows
}

/**
 * Whether a campaign is paused or finished, or a continuation took its waiting recipients. The caller checks that no
 * continuation is open.
 */
export async function isContinuable(db: Db, { id, state }: { id: string; state: CampaignState }): Promise<boolean> {
  if (state !== 'cancelled') return state === 'paused' || state === 'finished'
  const { rows } = await sql`SELECT FROM campaign_recipients
    WHERE campaign_id = ${id} AND state = 'skipped' AND reason = 'continued' LIMIT 1`.execute(db)
  return rows.length > 0
}

export const isOpen = ({ state }: Continuation) => state !== 'cancelled'

/** Whether the continuation was ever started or may still be started. */
export const hasSent = ({ state, startedAt }: Continuation) => state !== 'cancelled' || startedAt !== null

/**
 * Ids of a campaign and of all campaigns connected to it by continuations. `isForgotten`: one of them ended more than
 * `keepMessagesDays` ago, and its recipients were erased.
 */
export async function findFamily(db: Db, id: string): Promise<{ ids: string[]; isForgotten: boolean }> {
  const { rows } = await sql<{ id: string; isForgotten: boolean }>`
    WITH RECURSIVE family AS (
      SELECT id, parent_id, forgotten_at FROM campaigns WHERE id = ${id}
      UNION SELECT c.id, c.parent_id, c.forgotten_at FROM campaigns c JOIN family f
        ON c.id = f.parent_id OR c.parent_id = f.id)
    SELECT id, forgotten_at IS NOT NULL AS is_forgotten FROM family`.execute(db)
  return { ids: rows.map((row) => row.id), isForgotten: rows.some(({ isForgotten }) => isForgotten) }
}

/**
 * Ids of all campaigns in the family. 409 if one of them is forgotten, because nobody then knows whom the family
 * reached.
 */
export async function familyOf(db: Db, id: string): Promise<string[]> {
  const { ids, isForgotten } = await findFamily(db, id)
  if (isForgotten) throw conflict('campaign_forgotten')
  return ids
}

/**
 * SQL condition on account_id, source_id, phone and email: no campaign of the family reached this person. A message
 * handed over counts as reaching the person, even with an uncertain outcome, unless it failed. A complaint counts too.
 */
export function isUnreachedBy(family: readonly string[]): RawBuilder<boolean> {
  // PostgreSQL hashes the subquery of NOT IN. For NOT EXISTS, it might compare every pair of rows while newly inserted
  // recipients have no statistics.
  const isUnreached = (column: string, channel?: Channel) =>
    sql`(${sql.ref(column)} IS NULL OR ${sql.ref(column)} NOT IN (SELECT ${sql.ref(column)} FROM campaign_recipients
      WHERE campaign_id = ANY(${family}::uuid[]) AND ${sql.ref(column)} IS NOT NULL
        AND (state IN ('handed', 'accepted', 'delivered', 'read', 'uncertain') OR reason = 'complained')
        ${channel ? sql`AND channels[1] = ${channel}` : sql``}))`
  // A phone counts as reached if the message went by WhatsApp, and an e-mail address if it went by mail.
  return sql<boolean>`(${isUnreached('account_id')} AND ${isUnreached('source_id')}
    AND ${isUnreached('phone', 'whatsapp')} AND ${isUnreached('email', 'email')})`
}

/** SQL condition on account_id and source_id: this person is a recipient of a campaign in the family. */
export function isKnownTo(family: readonly string[]): RawBuilder<boolean> {
  const isKnown = (column: string) =>
    sql`${sql.ref(column)} IN (SELECT ${sql.ref(column)} FROM campaign_recipients
      WHERE campaign_id = ANY(${family}::uuid[]) AND ${sql.ref(column)} IS NOT NULL)`
  return sql<boolean>`(${isKnown('account_id')} OR ${isKnown('source_id')})`
}

/** Whether this campaign or its family has recipients to continue with. Planning may still skip them. */
export async function hasUnreached(db: Db, id: string, family: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{
    isLeft: boolean
  }>`SELECT EXISTS (SELECT FROM campaign_recipients WHERE campaign_id = ${id}
      AND state IN ('planned', 'failed', 'skipped') AND reason IS DISTINCT FROM 'complained')
    OR EXISTS (SELECT FROM campaign_recipients WHERE campaign_id = ANY(${family}::uuid[])
      AND (state = 'failed' OR reason IN ('continued', 'cancelled')) AND ${isUnreachedBy(family)}) AS is_left`.execute(
    db,
  )
  return theOnly(rows).isLeft
}
