import { mustGet } from '#domain/must.ts'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import type { LinkRefusal, LinkState, SurveyState } from '#domain/surveys/surveys.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/** Parses the definition column, which some queries return as text. */
export const definitionOf = (column: unknown) =>
  (typeof column === 'string' ? JSON.parse(column) : column) as SurveyDefinition

/** Reads versions of a survey by number; without `numbers`, all of them. */
export async function definitionsOf(db: Db, surveyId: string, numbers?: readonly number[]) {
  const versions = db.selectFrom('surveyVersions').select(['number', 'definition']).where('surveyId', '=', surveyId)
  const rows = await (numbers ? versions.where('number', 'in', numbers.length > 0 ? numbers : [0]) : versions)
    .orderBy('number')
    .execute()
  return new Map(rows.map(({ number, definition }) => [number, definitionOf(definition)]))
}

/** Reads one version; throws if it does not exist. */
export const getDefinition = async (db: Db, surveyId: string, number: number) =>
  mustGet(await definitionsOf(db, surveyId, [number]), number)

const linkRows = (db: Db) =>
  db
    .selectFrom('surveyLinks as l')
    .innerJoin('surveys as s', 's.id', 'l.surveyId')
    .selectAll('l')
    .select(['s.status', 's.published', 's.closedAt as surveyClosedAt'])
    .$narrowType<{ status: SurveyState }>()

export type LinkRow = Awaited<ReturnType<ReturnType<typeof linkRows>['executeTakeFirstOrThrow']>>

/** Reads a link with its survey's status; 404 for an unknown slug. `lock` locks the link until the commit. */
export async function getLinkBySlug(db: Db, slug: string, { lock = false } = {}): Promise<LinkRow> {
  const found = await linkRows(db)
    .where('l.slug', '=', slug.toLowerCase())
    .$if(lock, (rows) => rows.forUpdate('l'))
    .executeTakeFirst()
  if (!found) throw notFound('survey_link')
  return found
}

/** Why a link refuses a response finished at this time, or null. Ignores the budget. */
export function timeRefusal(link: LinkRow, finishedAt: Date): LinkRefusal | null {
  if (link.status === 'draft') return 'survey_not_published'
  if (link.surveyClosedAt && finishedAt > link.surveyClosedAt) return 'survey_closed'
  if (link.endsAt && finishedAt > link.endsAt) return 'survey_link_ended'
  if (link.closedAt && finishedAt > link.closedAt) return 'survey_link_ended'
  return null
}

export const isFull = ({ budget, taken }: Pick<LinkRow, 'budget' | 'taken'>) => budget !== null && taken >= budget

export function linkStateOf(link: Pick<LinkRow, 'budget' | 'taken' | 'endsAt' | 'closedAt'>, now: Date): LinkState {
  if (link.closedAt) return 'closed'
  if (link.endsAt && link.endsAt < now) return 'ended'
  return isFull(link) ? 'full' : 'open'
}
