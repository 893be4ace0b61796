import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { getCampaignRow } from './visible-campaigns.ts'

/** A campaign usually takes about a dozen steps; only many retries make more. */
const maxEntries = 100

/** Audit entries of a campaign without their values, newest first. */
export async function campaignHistory(db: Db, actor: Actor, id: string) {
  await getCampaignRow(db, actor, id)
  return db
    .selectFrom('auditLog')
    .select(['id', 'at', 'action', 'actorName as name', 'actingAsName as actingAs'])
    .where('subjectType', '=', 'campaign')
    .where('subjectId', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxEntries)
    .execute()
}
