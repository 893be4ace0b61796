import { sql } from 'kysely'
import { listSurveyLinks, listSurveyResponses, listSurveys, listSurveyTexts } from '#domain/surveys/lists.ts'
import type { LinkState } from '#domain/surveys/surveys.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { mergedQuestions } from './merged-questions.ts'
import { requireSurvey } from './results.ts'
import { definitionsOf, linkStateOf } from './survey-rows.ts'

/** Surveys belong to the whole university; 403 for roles limited to some programmes. */
const requireWhole = ({ actor }: { actor: Actor }) => requireWholeView(actor, 'settings_need_whole_view')

const responsesOf = sql<number>`(SELECT coalesce(sum(l.taken), 0)::int FROM survey_links l WHERE l.survey_id = s.id)`
const lastOf = sql<Date | null>`(SELECT max(r.finished_at) FROM survey_responses r WHERE r.survey_id = s.id)`

export const serveSurveys = (app: App, services: Services) =>
  serveList(app, services, listSurveys, {
    from: (reader, { status, q }) => {
      requireWhole(reader)
      return services.db
        .selectFrom('surveys as s')
        .$if(status !== undefined, (rows) => rows.where('s.status', '=', status!))
        .$if(q !== undefined, (rows) => rows.where(contains('s.name', q!)))
    },
    columns: (rows) =>
      rows
        .select(['s.id', 's.name', 's.status', 's.published', 's.updatedAt', 's.version'])
        .select([responsesOf.as('responses'), lastOf.as('lastAt')])
        .select(sql<number>`(SELECT count(*)::int FROM survey_links l WHERE l.survey_id = s.id)`.as('links')),
    toRows: (found) => found as never,
    sorts: {
      name: { by: sql`lower(s.name)`, type: 'text' },
      responses: { by: responsesOf, type: 'bigint' },
      lastAt: { by: lastOf },
      updatedAt: { by: sql`s.updated_at`, type: 'timestamptz' },
    },
    id: sql`s.id`,
  })

/** Links in a state, as `linkStateOf` names it. */
function isInState(state: LinkState, now: Date) {
  const isEnded = sql`coalesce(l.ends_at < ${now}, false)`
  const isFull = sql`coalesce(l.taken >= l.budget, false)`
  if (state === 'closed') return sql<boolean>`l.closed_at IS NOT NULL`
  if (state === 'ended') return sql<boolean>`(l.closed_at IS NULL AND ${isEnded})`
  return sql<boolean>`(l.closed_at IS NULL AND NOT ${isEnded} AND ${isFull} = ${state === 'full'})`
}

export const serveSurveyLinks = (app: App, services: Services) =>
  serveList(app, services, listSurveyLinks, {
    from: async (reader, { state, q }) => {
      requireWhole(reader)
      await requireSurvey(services.db, reader.params.id)
      return services.db
        .selectFrom('surveyLinks as l')
        .leftJoin('schools as c', 'c.id', 'l.schoolId')
        .leftJoin('affiliates as f', 'f.id', 'l.affiliateId')
        .where('l.surveyId', '=', reader.params.id)
        .$if(state !== undefined, (rows) => rows.where(isInState(state!, reader.now)))
        .$if(q !== undefined, (rows) =>
          rows.where(sql<boolean>`(${contains('l.name', q!)} OR ${contains('l.slug', q!)}
            OR ${contains('c.name', q!)} OR ${contains('f.name', q!)})`),
        )
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

type ResponseFilters = { from?: string | undefined; to?: string | undefined; school?: string | undefined }

/** Responses `r` of a survey with their link `l` and school `c`. */
const responses = (db: Db, surveyId: string, { from, to, school }: ResponseFilters) =>
  db
    .selectFrom('surveyResponses as r')
    .innerJoin('surveyLinks as l', 'l.id', 'r.linkId')
    .leftJoin('schools as c', 'c.id', 'r.schoolId')
    .where('r.surveyId', '=', surveyId)
    .$if(from !== undefined, (rows) => rows.where('r.day', '>=', from!))
    .$if(to !== undefined, (rows) => rows.where('r.day', '<=', to!))
    .$if(school !== undefined, (rows) => rows.where('r.schoolId', '=', school!))

const finishedAt = { by: sql`r.finished_at`, type: 'timestamptz' } as const

export const serveSurveyResponses = (app: App, services: Services) =>
  serveList(app, services, listSurveyResponses, {
    from: async (reader, { q, language, lead, ...filters }) => {
      requireWhole(reader)
      await requireSurvey(services.db, reader.params.id)
      return responses(services.db, reader.params.id, filters)
        .$if(language !== undefined, (rows) => rows.where('r.language', '=', language!))
        .$if(lead !== undefined, (rows) => rows.where('r.leadId', lead === 'true' ? 'is not' : 'is', null))
        .$if(q !== undefined, (rows) =>
          rows.where(sql<boolean>`(${contains('l.name', q!)} OR ${contains('c.name', q!)}
            OR starts_with(r.id::text, lower(${q})))`),
        )
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
    toRows: (found) => found as never,
    sorts: { finishedAt, receivedAt: { by: sql`r.received_at`, type: 'timestamptz' } },
    id: sql`r.id`,
  })

export const serveSurveyTexts = (app: App, services: Services) =>
  serveList(app, services, listSurveyTexts, {
    from: async (reader, { q, question, ...filters }) => {
      requireWhole(reader)
      await requireSurvey(services.db, reader.params.id)
      return responses(services.db, reader.params.id, filters)
        .innerJoin('surveyAnswers as a', 'a.responseId', 'r.id')
        .where('a.surveyId', '=', reader.params.id)
        .where('a.text', 'is not', null)
        .$if(question !== undefined, (rows) => rows.where('a.question', '=', question!))
        .$if(q !== undefined, (rows) => rows.where(contains('a.text', q!)))
    },
    columns: (rows) =>
      rows
        .select(['r.id as responseId', 'a.question', 'a.text', 'r.finishedAt', 'r.surveyId'])
        .select(['l.name as link', 'c.name as school'])
        .select(textId.as('id')),
    toRows: async (found, { connection, language }) => {
      const questions = found[0] ? mergedQuestions(await definitionsOf(connection, found[0].surveyId)) : []
      const labels = new Map(questions.map(({ key, label }) => [key, label[language]]))
      return found.map((row) => ({ ...row, text: row.text!, question: labels.get(row.question) ?? row.question }))
    },
    sorts: { finishedAt },
    id: textId,
  })

/** Id of one text answer, from response and question, as a uuid: the list breaks ties by it. */
const textId = sql<string>`md5(r.id::text || a.question)::uuid`
