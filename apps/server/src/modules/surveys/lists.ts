import { type NotNull, sql } from 'kysely'
import { listSurveyLinks, listSurveyResponses, listSurveys, listSurveyTexts } from '#domain/surveys/lists.ts'
import type { LinkState } from '#domain/surveys/surveys.ts'
import { type Reader, serveList } from '#server/list/serve-list.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { ofWholeView, requireWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { mergedQuestions } from './merged-questions.ts'
import { requireSurvey } from './results.ts'
import { definitionsOf, linkStateOf } from './survey-rows.ts'

/** Surveys belong to the whole university, so a role limited to some study programmes gets 403. */
const ofWholeUniversity = ofWholeView('settings_need_whole_view')

type ReaderOfSurvey = Pick<Reader, 'services' | 'actor'> & { params: { id: string } }

/** Returns the id of the survey in the path. 403 for a limited role, 404 if there is no such survey. */
async function surveyOf({ services: { db }, actor, params: { id } }: ReaderOfSurvey) {
  requireWholeView(actor, 'settings_need_whole_view')
  await requireSurvey(db, id)
  return id
}

const responsesOf = sql<number>`(SELECT coalesce(sum(l.taken), 0)::int FROM survey_links l WHERE l.survey_id = s.id)`
const lastOf = sql<Date | null>`(SELECT max(r.finished_at) FROM survey_responses r WHERE r.survey_id = s.id)`

export const serveSurveys = (app: App, services: Services) =>
  serveList(app, services, listSurveys, {
    from: () => services.db.selectFrom('surveys as s'),
    scope: ofWholeUniversity,
    filters: {
      status: 's.status',
      q: (q) => contains('s.name', q),
    },
    columns: (rows) =>
      rows
        .select(['s.id', 's.name', 's.status', 's.published', 's.updatedAt', 's.version'])
        .select([responsesOf.as('responses'), lastOf.as('lastAt')])
        .select(sql<number>`(SELECT count(*)::int FROM survey_links l WHERE l.survey_id = s.id)`.as('links')),
    sorts: {
      name: { by: sql`lower(s.name)`, type: 'text' },
      responses: { by: responsesOf, type: 'bigint' },
      lastAt: { by: lastOf },
      updatedAt: { by: sql`s.updated_at`, type: 'timestamptz' },
    },
    id: sql`s.id`,
  })

/** SQL version of `linkStateOf`; keep the two alike. */
function isInState(state: LinkState, now: Date) {
  const isEnded = sql`coalesce(l.ends_at < ${now}, false)`
  const isFull = sql`coalesce(l.taken >= l.budget, false)`
  if (state === 'closed') return sql<boolean>`l.closed_at IS NOT NULL`
  if (state === 'ended') return sql<boolean>`(l.closed_at IS NULL AND ${isEnded})`
  return sql<boolean>`(l.closed_at IS NULL AND NOT ${isEnded} AND ${isFull} = ${state === 'full'})`
}

export const serveSurveyLinks = (app: App, services: Services) =>
  serveList(app, services, listSurveyLinks, {
    from: () =>
      services.db
        .selectFrom('surveyLinks as l')
        .leftJoin('schools as c', 'c.id', 'l.schoolId')
        .leftJoin('affiliates as f', 'f.id', 'l.affiliateId'),
    scope: async (reader) => sql<boolean>`l.survey_id = ${await surveyOf(reader)}`,
    filters: {
      state: (state, { now }) => isInState(state, now),
      q: (q) => sql<boolean>`(${contains('l.name', q)} OR ${contains('l.slug', q)}
        OR ${contains('c.name', q)} OR ${contains('f.name', q)})`,
    },
    columns: (rows) =>
      rows
        .select(['l.id', 'l.name', 'l.slug', 'l.taken', 'l.budget', 'l.endsAt', 'l.closedAt', 'l.version'])
        .select(['c.name as school', 'f.name as affiliate']),
    toRows: (found, { now }) =>
      found.map(({ closedAt, ...link }) => ({ ...link, state: linkStateOf({ ...link, closedAt }, now) })),
    sorts: {
      name: { by: sql`lower(l.name)`, type: 'text' },
      taken: { by: sql`l.taken`, type: 'bigint' },
      endsAt: { by: sql`l.ends_at` },
    },
    id: sql`l.id`,
  })

const responses = (db: Db) =>
  db
    .selectFrom('surveyResponses as r')
    .innerJoin('surveyLinks as l', 'l.id', 'r.linkId')
    .leftJoin('schools as c', 'c.id', 'r.schoolId')

/** Filters shared by the lists of responses and of text answers. */
const responseFilters = {
  from: (day: string) => sql<boolean>`r.day >= ${day}`,
  to: (day: string) => sql<boolean>`r.day <= ${day}`,
  school: 'r.schoolId',
} as const

const finishedAt = { by: sql`r.finished_at`, type: 'timestamptz' } as const

export const serveSurveyResponses = (app: App, services: Services) =>
  serveList(app, services, listSurveyResponses, {
    from: () => responses(services.db),
    scope: async (reader) => sql<boolean>`r.survey_id = ${await surveyOf(reader)}`,
    filters: {
      q: (q) => sql<boolean>`(${contains('l.name', q)} OR ${contains('c.name', q)}
        OR starts_with(r.id::text, lower(${q})))`,
      language: 'r.language',
      lead: (lead) => (eb) => eb('r.leadId', lead === 'true' ? 'is not' : 'is', null),
      ...responseFilters,
    },
    columns: (rows) =>
      rows
        .select([
          'r.id',
          'r.finishedAt',
          'r.receivedAt',
          'l.name as link',
          'c.name as school',
          'r.language',
          'r.version',
        ])
        .select(sql<number>`extract(epoch FROM r.finished_at - r.started_at)::bigint`.as('seconds'))
        .select(sql<boolean>`r.lead_id IS NOT NULL`.as('lead')),
    sorts: { finishedAt, receivedAt: { by: sql`r.received_at`, type: 'timestamptz' } },
    id: sql`r.id`,
  })

export const serveSurveyTexts = (app: App, services: Services) =>
  serveList(app, services, listSurveyTexts, {
    from: () =>
      responses(services.db).innerJoin('surveyAnswers as a', 'a.responseId', 'r.id').where('a.text', 'is not', null),
    scope: async (reader) => {
      const id = await surveyOf(reader)
      return sql<boolean>`r.survey_id = ${id} AND a.survey_id = ${id}`
    },
    filters: {
      q: (q) => contains('a.text', q),
      question: 'a.question',
      ...responseFilters,
    },
    columns: (rows) =>
      rows
        .select(['r.id as responseId', 'a.question', 'a.text', 'r.finishedAt', 'r.surveyId'])
        .select(['l.name as link', 'c.name as school'])
        .select(textId.as('id'))
        .$narrowType<{ text: NotNull }>(),
    toRows: async (found, { connection, language }) => {
      const questions = found[0] ? mergedQuestions(await definitionsOf(connection, found[0].surveyId)) : []
      const labels = new Map(questions.map(({ key, label }) => [key, label[language]]))
      return found.map((row) => ({ ...row, question: labels.get(row.question) ?? row.question }))
    },
    sorts: { finishedAt },
    id: textId,
  })

/** Row id of a text answer, made from response id and question key. */
const textId = sql<string>`md5(r.id::text || a.question)::uuid`
