import { type RawBuilder, sql } from 'kysely'
import { type Audience, audiencePermissions, audiences, scopedAudiences } from '#domain/campaigns/campaigns.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { AppError, notFound } from '#server/platform/errors.ts'

export const audiencesOf = (actor: Actor): Audience[] =>
  audiences.filter(
    (audience) =>
      actor.permissions.has(audiencePermissions[audience]) && (seesAll(actor) || scopedAudiences.includes(audience)),
  )

/** Throws 403 if the actor may not send to the audience. */
export function requireAudience(actor: Actor, audience: Audience) {
  if (!actor.permissions.has(audiencePermissions[audience])) throw new AppError(403, 'campaign_audience_closed')
  if (!scopedAudiences.includes(audience)) requireWholeView(actor, 'settings_need_whole_view')
}

/**
 * SQL condition: the actor may send to the audience of campaign `c`. With a role limited to some study programmes, an
 * account sees only campaigns it created.
 */
export const campaignsVisibleTo = (actor: Actor): RawBuilder<boolean> =>
  seesAll(actor)
    ? sql<boolean>`c.audience = ANY(${audiencesOf(actor)}::text[])`
    : sql<boolean>`(c.audience = ANY(${audiencesOf(actor)}::text[]) AND c.created_by = ${actor.accountId})`

/** The campaign if the actor sees it; 404 otherwise. */
export async function getCampaignRow(db: Db, actor: Actor, id: string) {
  const row = await db
    .selectFrom('campaigns as c')
    .selectAll()
    .where('c.id', '=', id)
    .where(campaignsVisibleTo(actor))
    .executeTakeFirst()
  if (!row) throw notFound('campaign')
  return row
}

export type CampaignRow = Awaited<ReturnType<typeof getCampaignRow>>

/** Whether the campaign's sheet was deleted, so that the campaign can find no recipients. */
export const hasLostSheet = ({ audience, sheetId }: Pick<CampaignRow, 'audience' | 'sheetId'>) =>
  audience === 'sheet' && sheetId === null
