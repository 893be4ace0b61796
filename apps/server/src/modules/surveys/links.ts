import crypto from 'node:crypto'
import type { z } from 'zod'
import type { changeSurveyLink, createSurveyLink, SurveyLink } from '#domain/surveys/endpoints.ts'
import { surveyPath } from '#domain/surveys/surveys.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, type FieldErrors, invalid, notFound } from '#server/platform/errors.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import type { Services } from '#server/platform/services.ts'
import { linkStateOf } from './survey-rows.ts'

/** Omits letters and digits that are easily confused on a printed poster. */
const slugCharacters = '23456789abcdefghjkmnpqrstuvwxyz'

/** Makes a URL part from a name, with a random end: `minat-studi-k7qp4x`. */
export function slugFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-|-$/g, '')
  const end = Array.from(crypto.randomBytes(6), (byte) => slugCharacters[byte % slugCharacters.length]).join('')
  return words ? `${words}-${end}` : end
}

export const linkUrl = ({ config }: Pick<Services, 'config'>, slug: string) => `${config.publicUrl}${surveyPath(slug)}`

export async function showLink(services: Services, db: Db, surveyId: string, linkId: string): Promise<SurveyLink> {
  const found = await db
    .selectFrom('surveyLinks as l')
    .leftJoin('schools as c', 'c.id', 'l.schoolId')
    .leftJoin('affiliates as f', 'f.id', 'l.affiliateId')
    .leftJoin('events as e', 'e.id', 'l.eventId')
    .selectAll('l')
    .select(['c.name as school', 'f.name as affiliate', 'e.nameEn', 'e.nameId'])
    .where('l.id', '=', linkId)
    .where('l.surveyId', '=', surveyId)
    .executeTakeFirst()
  if (!found) throw notFound('survey_link')
  const url = linkUrl(services, found.slug)
  const state = linkStateOf(found, services.clock.now())
  const { nameEn, nameId, ...row } = found
  const event = nameEn !== null && nameId !== null ? { en: nameEn, id: nameId } : null
  return { ...row, event, endsAt: found.endsAt?.toISOString() ?? null, url, qr: qrOf(url), state }
}

type NewLink = z.output<typeof createSurveyLink.body>

async function problemsOf(db: Db, { slug, schoolId, eventId, affiliateId }: NewLink): Promise<FieldErrors> {
  const slugOwner =
    slug && (await db.selectFrom('surveyLinks').select('id').where('slug', '=', slug).executeTakeFirst())
  const school = schoolId && (await db.selectFrom('schools').select('id').where('id', '=', schoolId).executeTakeFirst())
  const affiliate =
    affiliateId && (await db.selectFrom('affiliates').select('id').where('id', '=', affiliateId).executeTakeFirst())
  const event = eventId && (await db.selectFrom('events').select('id').where('id', '=', eventId).executeTakeFirst())
  return {
    ...(slugOwner && { slug: 'survey_slug_taken' }),
    ...(schoolId && !school && { schoolId: 'not_found' }),
    ...(eventId && !event && { eventId: 'not_found' }),
    ...(affiliateId && !affiliate && { affiliateId: 'not_found' }),
  }
}

export const createLink = (services: Services, actor: Actor, surveyId: string, { slug, ...link }: NewLink) =>
  services.db.transaction().execute(async (tx) => {
    const survey = await tx
      .selectFrom('surveys')
      .select('id')
      .where('id', '=', surveyId)
      .forKeyShare()
      .executeTakeFirst()
    if (!survey) throw notFound('survey')
    const problems = await problemsOf(tx, { slug, ...link })
    if (Object.keys(problems).length > 0) throw invalid(problems)
    const values = {
      ...link,
      surveyId,
      slug: slug ?? slugFrom(link.name),
      createdAt: services.clock.now(),
      createdBy: actor.accountId,
    }
    const created = await tx
      .insertInto('surveyLinks')
      .values(values)
      .onConflict((same) => same.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!created) throw invalid({ slug: 'survey_slug_taken' })
    const { name, budget, endsAt } = link
    await recordAudit(tx, actor, {
      action: 'survey.link',
      on: { survey: surveyId },
      after: { name, slug: values.slug, budget, endsAt },
    })
    return showLink(services, tx, surveyId, created.id)
  })

type LinkChange = z.output<typeof changeSurveyLink.body>

/**
 * Changes, closes or reopens a link. 409 if `version` is stale, 422 if the budget is below the number of responses
 * already stored.
 */
export const changeLink = (
  services: Services,
  actor: Actor,
  surveyId: string,
  linkId: string,
  { closed, version, ...change }: LinkChange,
) =>
  services.db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('surveyLinks')
      .selectAll()
      .where('id', '=', linkId)
      .where('surveyId', '=', surveyId)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('survey_link')
    if (before.version !== version) throw conflict('stale_version')
    if (change.budget !== null && change.budget < before.taken)
      throw invalid({ budget: { code: 'survey_budget_below', params: { taken: before.taken } } })
    const closedAt = closed ? (before.closedAt ?? services.clock.now()) : null
    await tx
      .updateTable('surveyLinks')
      .set({ ...change, closedAt, version: version + 1 })
      .where('id', '=', linkId)
      .execute()
    const { name, budget, endsAt } = before
    await recordAudit(tx, actor, {
      action: 'survey.link-change',
      on: { survey: surveyId },
      before: { name, budget, endsAt, closed: before.closedAt !== null },
      after: { ...change, closed },
    })
    return showLink(services, tx, surveyId, linkId)
  })
