import { sql } from 'kysely'
import { countedKinds } from '#domain/surveys/definition.ts'
import type { ResultFilters, SurveyCross, SurveyResults } from '#domain/surveys/endpoints.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import { answeredIn, countedValues, numberFacts, type SchoolNames, type ValueCounts } from './count-values.ts'
import { countsOf, matching } from './filters.ts'
import { type MergedQuestion, mergedQuestions } from './merged-questions.ts'
import { definitionsOf } from './survey-rows.ts'

/** The median duration covers this many newest responses, because earlier versions may have taken longer. */
const medianSampleSize = 1000

export async function requireSurvey(db: Db, id: string) {
  const found = await db.selectFrom('surveys').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('survey')
}

/** Reads a survey's results; 404 if there is no such survey. */
export async function readResults(db: Db, surveyId: string, filters: ResultFilters): Promise<SurveyResults> {
  await requireSurvey(db, surveyId)
  const definitions = await definitionsOf(db, surveyId)
  const where = matching(surveyId, filters)
  const { rows: counts } = await sql<{ question: string; value: string; count: number }>`
    SELECT r.question, r.value, sum(r.n)::int AS count FROM ${countsOf(filters)}
    WHERE ${where} AND r.question <> '' GROUP BY 1, 2 HAVING sum(r.n) > 0`.execute(db)
  const { rows: days } = await sql<{ day: string; count: number }>`
    SELECT r.day, sum(r.n)::int AS count FROM ${countsOf(filters)}
    WHERE ${where} AND r.question = '' GROUP BY 1 HAVING sum(r.n) > 0 ORDER BY 1`.execute(db)
  const { rows: times } = await sql<{ lastAt: Date | null; seconds: number | null }>`
    SELECT max(finished_at) AS last_at, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - started_at))::float8 AS seconds
    FROM (SELECT r.started_at, r.finished_at FROM survey_responses r WHERE ${where}
      ORDER BY r.finished_at DESC LIMIT ${medianSampleSize}) newest`.execute(db)
  const { rows: leads } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM survey_responses r WHERE ${where} AND r.lead_id IS NOT NULL`.execute(db)

  const byQuestion = new Map<string, Map<string, number>>()
  for (const { question, value, count } of counts) {
    const values = byQuestion.get(question) ?? new Map<string, number>()
    byQuestion.set(question, values.set(value, count))
  }
  const questions = mergedQuestions(definitions)
  const schools = await schoolNames(db, questions, byQuestion)
  return {
    responses: days.reduce((total, { count }) => total + count, 0),
    lastAt: times[0]?.lastAt?.toISOString() ?? null,
    medianSeconds: times[0]?.seconds === null ? null : Math.round(times[0]?.seconds ?? 0),
    leads: leads[0]?.count ?? 0,
    days,
    questions: questions.map((question) => {
      const values: ValueCounts = byQuestion.get(question.key) ?? new Map()
      return {
        key: question.key,
        kind: question.kind,
        label: question.label,
        version: question.version,
        answered: answeredIn(question, values),
        values: countedValues(question, values, schools),
        numbers: numberFacts(question, values),
      }
    }),
    versions: [...definitions.keys()],
  }
}

/** Reads the schools in `counts`. Where several have one name, each name gets its city. */
async function schoolNames(
  db: Db,
  questions: readonly MergedQuestion[],
  counts: ReadonlyMap<string, ValueCounts>,
): Promise<SchoolNames> {
  const ids = questions
    .filter(({ kind }) => kind === 'school')
    .flatMap(({ key }) => [...(counts.get(key)?.keys() ?? [])])
    .filter((id) => id !== '')
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ answered: string; id: string; name: string; city: string | null }>`
    SELECT x.answered, s.id, s.name, c.name AS city
    FROM (SELECT id AS answered, id FROM schools WHERE id = ANY (${ids}::uuid[])
      UNION SELECT former_id, school_id FROM school_aliases WHERE former_id = ANY (${ids}::uuid[])) x
      JOIN schools s ON s.id = x.id LEFT JOIN cities c ON c.id = s.city_id`.execute(db)
  const idsOf = Map.groupBy(rows, ({ name }) => name)
  const isShared = (name: string) => new Set(idsOf.get(name)?.map(({ id }) => id)).size > 1
  return new Map(
    rows.map(({ answered, id, name, city }) => [
      answered,
      { id, name: city && isShared(name) ? `${name}, ${city}` : name },
    ]),
  )
}

type CrossQuery = ResultFilters & { row: string; column: string }

/**
 * Counts the responses for each pair of answers to two questions. 422 if the questions are the same, or if one is
 * unknown or of a kind outside `countedKinds`.
 */
export async function readCross(
  db: Db,
  surveyId: string,
  { row, column, ...filters }: CrossQuery,
): Promise<SurveyCross> {
  await requireSurvey(db, surveyId)
  const questions = mergedQuestions(await definitionsOf(db, surveyId))
  const crossable = (key: string) =>
    questions.find((question) => question.key === key && (countedKinds as readonly string[]).includes(question.kind))
  const [rowQuestion, columnQuestion] = [crossable(row), crossable(column)]
  if (!rowQuestion || !columnQuestion || row === column)
    throw invalid({
      ...(!rowQuestion && { row: 'survey_not_crossable' }),
      ...((!columnQuestion || row === column) && { column: 'survey_not_crossable' }),
    })
  const filtered = Object.values(filters).some((value) => value !== undefined)
  const pairs = sql`survey_answers a JOIN survey_answers b ON b.response_id = a.response_id
    AND b.survey_id = ${surveyId} AND b.question = ${column}
    ${filtered ? sql`JOIN survey_responses r ON r.id = a.response_id AND ${matching(surveyId, filters)}` : sql``}
    WHERE a.survey_id = ${surveyId} AND a.question = ${row}`
  const { rows: cells } = await sql<{ row: string; column: string; count: number }>`
    SELECT a.value AS row, b.value AS "column", count(*)::int AS count FROM ${pairs} GROUP BY 1, 2`.execute(db)
  // An answer of kind `several` has many values, so only its empty value counts the response.
  const countsOnce = (key: MergedQuestion, value: string) => key.kind !== 'several' || value === ''
  const both = cells
    .filter((cell) => countsOnce(rowQuestion, cell.row) && countsOnce(columnQuestion, cell.column))
    .reduce((total, { count }) => total + count, 0)
  const totals = (side: 'row' | 'column', question: MergedQuestion, other: MergedQuestion) => {
    const otherSide = side === 'row' ? 'column' : 'row'
    const counts = new Map<string, number>()
    for (const cell of cells)
      if (countsOnce(other, cell[otherSide])) counts.set(cell[side], (counts.get(cell[side]) ?? 0) + cell.count)
    return countedValues(question, counts, new Map())
  }
  return {
    rows: totals('row', rowQuestion, columnQuestion),
    columns: totals('column', columnQuestion, rowQuestion),
    cells: cells.filter((cell) => cell.row !== '' && cell.column !== ''),
    both,
  }
}
