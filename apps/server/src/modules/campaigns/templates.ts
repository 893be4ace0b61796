import { sql } from 'kysely'
import type { z } from 'zod'
import type { createTemplate, updateTemplate } from '#domain/campaigns/address-endpoints.ts'
import { listCampaignTemplates } from '#domain/campaigns/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { audiencesOf, requireAudience } from './visible-campaigns.ts'

type NewTemplate = z.output<typeof createTemplate.body>
type ChangedTemplate = z.output<typeof updateTemplate.body>

/** Adds a template. All study programmes share it. */
export async function addTemplate({ db, clock }: Services, actor: Actor, template: NewTemplate) {
  requireAudience(actor, template.audience)
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('campaignTemplates')
      .values({
        ...template,
        ...{ createdAt: now, createdBy: actor.accountId, updatedAt: now, updatedBy: actor.accountId },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, {
      action: 'campaign-template.create',
      on: { 'campaign-template': id },
      after: template,
    })
    return { id }
  })
}

/** Changes a template; planned campaigns keep their frozen copy. */
export async function changeTemplate(
  { db, clock }: Services,
  actor: Actor,
  id: string,
  { version, ...template }: ChangedTemplate,
) {
  requireAudience(actor, template.audience)
  return db.transaction().execute(async (tx) => {
    const stored = await tx
      .selectFrom('campaignTemplates')
      .select([
        'name',
        'audience',
        'providerTemplate',
        'subjectId',
        'subjectEn',
        'bodyId',
        'bodyEn',
        'active',
        'version',
      ])
      .where('id', '=', id)
      .where(sql<boolean>`audience = ANY(${audiencesOf(actor)}::text[])`)
      .forUpdate()
      .executeTakeFirst()
    if (!stored) throw notFound('template')
    const { version: storedVersion, ...before } = stored
    if (storedVersion !== version) throw conflict('stale_version')
    await tx
      .updateTable('campaignTemplates')
      .set((eb) => ({
        ...template,
        version: eb('version', '+', 1),
        updatedAt: clock.now(),
        updatedBy: actor.accountId,
      }))
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'campaign-template.update',
      on: { 'campaign-template': id },
      before,
      after: template,
    })
    return { id }
  })
}

export const serveTemplates = (app: App, services: Services) =>
  serveList(app, services, listCampaignTemplates, {
    from: () => services.db.selectFrom('campaignTemplates as t'),
    scope: ({ actor }) => sql<boolean>`t.audience = ANY(${audiencesOf(actor)}::text[])`,
    filters: {
      audience: 't.audience',
      active: 't.active',
      whatsapp: (whatsapp) => (eb) => eb('t.providerTemplate', whatsapp === 'true' ? 'is not' : 'is', null),
      q: (q) => contains('t.name', q),
    },
    columns: (rows) =>
      rows
        .select(['t.id', 't.name', 't.audience', 't.providerTemplate', 't.subjectId', 't.subjectEn', 't.bodyId'])
        .select(['t.bodyEn', 't.active', 't.updatedAt', 't.version']),
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' } },
    id: sql`t.id`,
  })
