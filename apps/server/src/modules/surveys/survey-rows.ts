import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import type { LinkRefusal, LinkState, SurveyState } from '#domain/surveys/surveys.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/** A definition from its column. */
export const definitionOf = (column: unknown) =>
  (typeof column === 'string' ? JSON.parse(column) : column) as SurveyDefinition

/** Definitions of versions of a survey, by number; all of them without `numbers`. */
export async function definitionsOf(db: Db, surveyId: string, numbers?: readonly number[]) {
  const rows = await db
    .selectFrom('surveyVersions')
    .select(['number', 'definition'])
    .where('surveyId', '=', surveyId)
    .$if(numbers !== undefined, (versions) => versions.where('number', 'in', numbers!.length > 0 ? numbers! : [0]))
    .orderBy('number')
    .execute()
  return new Map(rows.map(({ number, definition }) => [number, definitionOf(definition)]))
}

const linkRows = (db: Db) =>
  db
    .selectFrom('surveyLinks as l')
    .innerJoin('surveys as s', 's.id', 'l.surveyId')
    .selectAll('l')
    .select(['s.status', 's.published', 's.closedAt as surveyClosedAt'])
    .$narrowType<{ status: SurveyState }>()

export type LinkRow = Awaited<ReturnType<ReturnType<typeof linkRows>['executeTakeFirstOrThrow']>>

/** A link with the state of its survey, by the last part of its address; 404 for an unknown one. */
export async function getLinkBySlug(db: Db, slug: string, { lock = false } = {}): Promise<LinkRow> {
  const found = await linkRows(db)
    .where('l.slug', '=', slug.toLowerCase())
    .$if(lock, (rows) => rows.forUpdate('l'))
    .executeTakeFirst()
  if (!found) throw notFound('survey_link')
  return found
}

/** Why a response that was finished at a time is not taken by a link; null if it is. Places are counted apart. */
export function timeRefusal(link: LinkRow, finishedAt: Date): LinkRefusal | null {
  if (link.status === 'draft') return 'survey_not_published'
  if (link.surveyClosedAt && finishedAt > link.surveyClosedAt) return 'survey_closed'
  if (link.endsAt && finishedAt > link.endsAt) return 'survey_link_ended'
  if (link.closedAt && finishedAt > link.closedAt) return 'survey_link_ended'
  return null
}

export const isFull = ({ budget, taken }: Pick<LinkRow, 'budget' | 'taken'>) => budget !== null && taken >= budget

/** State of a link in the words of its list. */
export function linkStateOf(link: Pick<LinkRow, 'budget' | 'taken' | 'endsAt' | 'closedAt'>, now: Date): LinkState {
  if (link.closedAt) return 'closed'
  if (link.endsAt && link.endsAt < now) return 'ended'
  return isFull(link) ? 'full' : 'open'
}
