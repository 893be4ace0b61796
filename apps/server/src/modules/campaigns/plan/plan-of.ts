import { commonPlaceholders, placeholdersOfAudience, type Texts, textFields } from '#domain/campaigns/campaigns.ts'
import type { CampaignDraft } from '#domain/campaigns/endpoints.ts'
import { unknownPlaceholderIn } from '#domain/messaging/placeholders.ts'
import { sheetsVisibleTo } from '#server/modules/campaigns/audiences/people-of.ts'
import type { CampaignRow } from '#server/modules/campaigns/visible-campaigns.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type FieldErrors, invalid } from '#server/platform/errors.ts'
import type { FrozenTemplate, Plan } from './judge.ts'

type Draft = Texts & Pick<CampaignDraft, 'audience' | 'purpose' | 'channels' | 'templateId' | 'sheetId'>

/** The draft's template for WhatsApp. 422 if the template does not exist or the draft may not use it. */
async function findTemplate(db: Db, { templateId, audience, channels }: Draft): Promise<FrozenTemplate | null> {
  if (!templateId || !channels.includes('whatsapp')) return null
  const template = await db
    .selectFrom('campaignTemplates')
    .select(['name', 'audience', 'providerTemplate', 'bodyId', 'bodyEn', 'active'])
    .where('id', '=', templateId)
    .executeTakeFirst()
  if (!template) throw invalid({ templateId: 'campaign_template_unknown' })
  const { audience: audienceOfTemplate, active, ...frozen } = template
  if (!active) throw invalid({ templateId: 'campaign_template_inactive' })
  if (audienceOfTemplate !== audience) throw invalid({ templateId: 'campaign_template_other_audience' })
  if (!template.providerTemplate) throw invalid({ templateId: 'campaign_template_not_whatsapp' })
  return frozen
}

/** Headings of the draft's sheet; 422 if the sheet does not exist or the actor may not see the sheet. */
async function sheetColumnsOf(db: Db, actor: Actor, { audience, sheetId }: Draft): Promise<readonly string[]> {
  if (audience !== 'sheet') return []
  const sheet = await db
    .selectFrom('campaignSheets as s')
    .select('s.columns')
    .where('s.id', '=', sheetId)
    .where(sheetsVisibleTo(actor))
    .executeTakeFirst()
  if (!sheet) throw invalid({ sheetId: 'campaign_sheet_unknown' })
  return sheet.columns
}

/** Plan of a draft. 422 for a wrong template, sheet or placeholder. */
export async function planOf(db: Db, actor: Actor, draft: Draft, parentId: string | null): Promise<Plan> {
  const template = await findTemplate(db, draft)
  const columns = await sheetColumnsOf(db, actor, draft)
  const names = placeholdersOfAudience(draft.audience, columns)
  const problems: FieldErrors = {}
  for (const field of textFields) {
    const detail = unknownPlaceholderIn(draft[field], names)
    if (detail) problems[field] = { code: 'placeholder_unknown', params: { detail } }
  }
  for (const text of template ? [template.bodyId, template.bodyEn] : []) {
    const detail = unknownPlaceholderIn(text, names)
    if (detail) problems.templateId = { code: 'placeholder_unknown', params: { detail } }
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const { purpose, channels, subjectId, subjectEn, bodyId, bodyEn } = draft
  const commonNames = commonPlaceholders.filter((name) => !columns.includes(name))
  return { purpose, channels, subjectId, subjectEn, bodyId, bodyEn, template, commonNames, parentId }
}

export const draftOf = (row: CampaignRow) => ({
  name: row.name,
  audience: row.audience,
  filters: row.filters as Record<string, string>,
  sheetId: row.sheetId,
  purpose: row.purpose,
  ignoresQuietHours: row.ignoresQuietHours,
  channels: row.channels as CampaignDraft['channels'],
  subjectId: row.subjectId,
  subjectEn: row.subjectEn,
  bodyId: row.bodyId,
  bodyEn: row.bodyEn,
  templateId: row.templateId,
})
