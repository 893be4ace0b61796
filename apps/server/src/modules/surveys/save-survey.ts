import { sql } from 'kysely'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { type DefinitionProblems, definitionProblems } from '#domain/surveys/definition-problems.ts'
import type { Survey } from '#domain/surveys/endpoints.ts'
import type { OpenSurvey } from '#domain/surveys/public-endpoints.ts'
import type { SurveyState } from '#domain/surveys/surveys.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { slugFrom } from './links.ts'
import { mergedQuestions } from './merged-questions.ts'
import { definitionOf, definitionsOf } from './survey-rows.ts'

type Draft = { name: string; draft: SurveyDefinition }

export async function showSurvey(db: Db, id: string): Promise<Survey> {
  const found = await db
    .selectFrom('surveys as s')
    .leftJoin('surveyVersions as v', (join) =>
      join.onRef('v.surveyId', '=', 's.id').onRef('v.number', '=', 's.published'),
    )
    .select(['s.id', 's.name', 's.status', 's.version', 's.draft', 's.published', 's.createdAt', 's.updatedAt'])
    .select(sql<boolean>`v.definition IS DISTINCT FROM s.draft`.as('changed'))
    .select(
      sql<number>`(SELECT coalesce(sum(taken), 0)::int FROM survey_links l WHERE l.survey_id = s.id)`.as('responses'),
    )
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('survey')
  const links = await db
    .selectFrom('surveyLinks')
    .select(['id', 'name'])
    .where('surveyId', '=', id)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  const questions = mergedQuestions(await definitionsOf(db, id))
  return {
    ...found,
    status: found.status as SurveyState,
    draft: definitionOf(found.draft),
    questions: questions.map(({ key, kind, label }) => ({ key, kind, label })),
    links,
    createdAt: found.createdAt.toISOString(),
    updatedAt: found.updatedAt.toISOString(),
  }
}

/** Returns the draft in the format that the public page reads. */
export async function previewSurvey({ db, clock }: Services, id: string): Promise<OpenSurvey> {
  const { draft } = await showSurvey(db, id)
  const now = clock.now().toISOString()
  const nowhere = { school: null, event: null, refusal: null, endsAt: null }
  return { slug: 'preview', version: null, definition: draft, ...nowhere, now }
}

/** Locks the survey; 404 if there is none, 409 if `version` is stale. */
async function lockSurvey(tx: Tx, id: string, version: number) {
  const survey = await tx.selectFrom('surveys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!survey) throw notFound('survey')
  if (survey.version !== version) throw conflict('stale_version')
  return survey
}

const bumped = (now: Date) => ({ version: sql<number>`version + 1`, updatedAt: now })

export const createSurvey = ({ db, clock }: Services, actor: Actor, { name, draft }: Draft) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const { id } = await tx
      .insertInto('surveys')
      .values({ name, draft: JSON.stringify(draft), createdAt: now, updatedAt: now, createdBy: actor.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'survey.create', on: { survey: id }, after: { name } })
    return showSurvey(tx, id)
  })

export const saveSurvey = (
  { db, clock }: Services,
  actor: Actor,
  id: string,
  { name, draft, version }: Draft & { version: number },
) =>
  db.transaction().execute(async (tx) => {
    const before = await lockSurvey(tx, id, version)
    await tx
      .updateTable('surveys')
      .set({ name, draft: JSON.stringify(draft), ...bumped(clock.now()) })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'survey.update',
      on: { survey: id },
      before: { name: before.name, questions: definitionOf(before.draft).questions.length },
      after: { name, questions: draft.questions.length },
    })
    return showSurvey(tx, id)
  })

/**
 * Finds questions whose kind differs from an earlier version, because results and exports could not read the earlier
 * answers.
 */
const kindProblems = (draft: SurveyDefinition, published: Survey['questions']): DefinitionProblems =>
  Object.fromEntries(
    draft.questions.flatMap(({ key, kind }, index) =>
      published.some((earlier) => earlier.key === key && earlier.kind !== kind)
        ? [[`questions.${index}.kind`, 'survey_kind_changed' as const]]
        : [],
    ),
  )

/**
 * Publishes the draft as the next version. 422 with the draft's problems, 409 if nothing changed or `version` is stale.
 */
export const publishSurvey = ({ db, clock }: Services, actor: Actor, id: string, version: number) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const survey = await lockSurvey(tx, id, version)
    const { changed, draft, questions } = await showSurvey(tx, id)
    if (!changed) throw conflict('survey_nothing_to_publish')
    const problems = { ...definitionProblems(draft), ...kindProblems(draft, questions) }
    if (Object.keys(problems).length > 0)
      throw invalid(Object.fromEntries(Object.entries(problems).map(([field, found]) => [`draft.${field}`, found])))
    const number = (survey.published ?? 0) + 1
    await tx
      .insertInto('surveyVersions')
      .values({
        surveyId: id,
        number,
        definition: JSON.stringify(draft),
        publishedAt: now,
        publishedBy: actor.accountId,
      })
      .execute()
    const { status } = survey
    await tx
      .updateTable('surveys')
      .set({ published: number, status: status === 'draft' ? 'open' : status, ...bumped(now) })
      .where('id', '=', id)
      .execute()
    const links = await tx.selectFrom('surveyLinks').select('id').where('surveyId', '=', id).limit(1).execute()
    if (links.length === 0)
      await tx
        .insertInto('surveyLinks')
        .values({
          surveyId: id,
          name: survey.name,
          slug: slugFrom(survey.name),
          createdAt: now,
          createdBy: actor.accountId,
        })
        .execute()
    await recordAudit(tx, actor, { action: 'survey.publish', on: { survey: id }, after: { version: number } })
    return showSurvey(tx, id)
  })

/** Closes an open survey or reopens a closed one. 409 in another status or if `version` is stale. */
export const setSurveyState = (
  { db, clock }: Services,
  actor: Actor,
  id: string,
  version: number,
  step: 'close' | 'reopen',
) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const { status } = await lockSurvey(tx, id, version)
    const [from, to] = step === 'close' ? (['open', 'closed'] as const) : (['closed', 'open'] as const)
    const moved = await tx
      .updateTable('surveys')
      .set({ status: to, closedAt: step === 'close' ? now : null, ...bumped(now) })
      .where('id', '=', id)
      .where('status', '=', from)
      .returning('id')
      .executeTakeFirst()
    if (!moved) throw conflict('wrong_status')
    await recordAudit(tx, actor, {
      action: `survey.${step}`,
      on: { survey: id },
      before: { status },
      after: { status: to },
    })
    return showSurvey(tx, id)
  })

export const duplicateSurvey = async (services: Services, actor: Actor, id: string, name: string) => {
  const { draft } = await showSurvey(services.db, id)
  return createSurvey(services, actor, { name, draft })
}

/** Deletes a survey with its links. 409 if it was published, because its versions and answers must stay. */
export const deleteSurvey = ({ db }: Services, actor: Actor, id: string) =>
  db.transaction().execute(async (tx) => {
    const survey = await tx.selectFrom('surveys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!survey) throw notFound('survey')
    if (survey.published !== null) throw conflict('survey_has_versions')
    await tx.deleteFrom('surveys').where('id', '=', id).execute()
    await recordAudit(tx, actor, { action: 'survey.delete', on: { survey: id }, before: { name: survey.name } })
    return { id }
  })
