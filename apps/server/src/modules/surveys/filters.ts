import { type RawBuilder, sql } from 'kysely'
import type { ResultFilters } from '#domain/surveys/endpoints.ts'

/**
 * SQL condition on `r`, which may be `survey_counts`, `survey_counted` or `survey_responses`. `survey_counts` has no
 * `school_id`; see `countsOf`.
 */
export function matching(surveyId: string, { linkId, schoolId, language, version, from, to }: ResultFilters) {
  const conditions: RawBuilder<unknown>[] = [sql`r.survey_id = ${surveyId}`]
  if (linkId) conditions.push(sql`r.link_id = ${linkId}`)
  if (schoolId) conditions.push(sql`r.school_id = ${schoolId}`)
  if (language) conditions.push(sql`r.language = ${language}`)
  if (version) conditions.push(sql`r.version = ${version}`)
  if (from) conditions.push(sql`r.day >= ${from}::date`)
  if (to) conditions.push(sql`r.day <= ${to}::date`)
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`
}

/**
 * SQL source of rows with `question`, `value` and count `n`. A filter by school reads the view `survey_counted`,
 * because `survey_counts` has no school.
 */
export const countsOf = ({ schoolId }: ResultFilters) =>
  schoolId ? sql`(SELECT *, 1 AS n FROM survey_counted) r` : sql`(SELECT *, count AS n FROM survey_counts) r`
