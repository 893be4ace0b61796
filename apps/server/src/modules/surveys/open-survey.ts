import type { OpenSurvey } from '#domain/surveys/public-endpoints.ts'
import { searchSchools } from '#server/modules/applicants/schools.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getDefinition, getLinkBySlug, isFull, timeRefusal } from './survey-rows.ts'

/** Reads the data of a link's public page; 404 for an unknown slug or before the survey's first version. */
export async function showOpenSurvey({ db, clock }: Services, slug: string): Promise<OpenSurvey> {
  const now = clock.now()
  const link = await getLinkBySlug(db, slug)
  if (link.published === null) throw notFound('survey')
  const definition = await getDefinition(db, link.surveyId, link.published)
  const school = link.schoolId
    ? await db.selectFrom('schools').select(['id', 'name']).where('id', '=', link.schoolId).executeTakeFirst()
    : undefined
  const event = link.eventId ? await eventOf(db, link.eventId) : null
  return {
    slug: link.slug,
    version: link.published,
    definition,
    school: school ?? null,
    event,
    refusal: timeRefusal(link, now) ?? (isFull(link) ? 'survey_link_full' : null),
    endsAt: link.endsAt?.toISOString() ?? null,
    now: now.toISOString(),
  }
}

async function eventOf(db: Db, id: string) {
  const event = await db.selectFrom('events').select(['id', 'nameId', 'nameEn']).where('id', '=', id).executeTakeFirst()
  return event ? { id, name: { id: event.nameId, en: event.nameEn } } : null
}

/** Searches schools for a link's public page; 404 for an unknown slug. */
export async function searchSchoolsOf({ db }: Services, slug: string, q: string) {
  await getLinkBySlug(db, slug)
  return (await searchSchools(db, q)).map(({ id, name, city }) => ({ id, name, city }))
}
