import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { peopleOf } from './audiences/people-of.ts'
import { campaignAnswer } from './campaign-answer.ts'
import { draftOf, planOf } from './plan/plan-of.ts'
import { campaignsVisibleTo, getCampaignRow, requireAudience } from './visible-campaigns.ts'

/** Throws 403 if the actor may not send to the audience, 422 for a wrong filter, sheet, template or placeholder. */
async function checkDraft(services: Services, actor: Actor, draft: CampaignDraft) {
  requireAudience(actor, draft.audience)
  await planOf(services.db, actor, draft, null)
  await peopleOf(services, actor, draft, [])
}

const columnsOf = ({ filters, templateId, channels, ...draft }: CampaignDraft) => ({
  ...draft,
  sheetId: draft.audience === 'sheet' ? draft.sheetId : null,
  filters: JSON.stringify(filters),
  channels: [...channels],
  templateId: channels.includes('whatsapp') ? templateId : null,
})

/** The draft for the audit log, without the search text, which may name a person. */
const summaryOf = ({ filters: { q: _q, ...filters }, ...draft }: CampaignDraft) => ({ ...draft, filters })

export async function createCampaign(services: Services, actor: Actor, language: Language, draft: CampaignDraft) {
  await checkDraft(services, actor, draft)
  const now = services.clock.now()
  const id = await services.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('campaigns')
      .values({
        ...columnsOf(draft),
        createdAt: now,
        createdBy: actor.accountId,
        updatedAt: now,
        updatedBy: actor.accountId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'campaign.create', on: { campaign: id }, after: summaryOf(draft) })
    return id
  })
  return campaignAnswer(services, actor, language, id)
}

/** Changes a draft; 409 if the campaign is no longer a draft or `version` is stale. */
export async function updateCampaign(
  services: Services,
  actor: Actor,
  language: Language,
  id: string,
  { version, ...draft }: CampaignDraft & { version: number },
) {
  const before = await getCampaignRow(services.db, actor, id)
  await checkDraft(services, actor, draft)
  await services.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('campaigns')
      .set((eb) => ({
        ...columnsOf(draft),
        version: eb('version', '+', 1),
        updatedAt: services.clock.now(),
        updatedBy: actor.accountId,
      }))
      .where('id', '=', id)
      .where('version', '=', version)
      .where('state', '=', 'draft')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) await refuseChange(tx, actor, id, version)
    await recordAudit(tx, actor, {
      action: 'campaign.update',
      on: { campaign: id },
      before: summaryOf(draftOf(before)),
      after: summaryOf(draft),
    })
  })
  return campaignAnswer(services, actor, language, id)
}

/**
 * Throws the reason why a campaign cannot be changed. 404 if the actor does not see the campaign, 409 if `version` is
 * stale or the state does not allow the change.
 */
export async function refuseChange(tx: Tx, actor: Actor, id: string, version: number): Promise<never> {
  const current = await getCampaignRow(tx, actor, id)
  throw conflict(current.version === version ? 'wrong_status' : 'stale_version')
}

export const deleteCampaign = ({ db }: Services, actor: Actor, id: string, version: number) =>
  db.transaction().execute(async (tx) => {
    const before = await getCampaignRow(tx, actor, id)
    const { numDeletedRows } = await tx
      .deleteFrom('campaigns as c')
      .where('c.id', '=', id)
      .where('c.version', '=', version)
      .where('c.state', '=', 'draft')
      .where(campaignsVisibleTo(actor))
      .executeTakeFirst()
    if (numDeletedRows === 0n) await refuseChange(tx, actor, id, version)
    await recordAudit(tx, actor, {
      action: 'campaign.delete',
      on: { campaign: id },
      before: summaryOf(draftOf(before)),
    })
    return { id }
  })
