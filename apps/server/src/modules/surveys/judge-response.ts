import crypto from 'node:crypto'
import type { z } from 'zod'
import { type Answers, answerProblems, keptAnswers, type SurveyDefinition } from '#domain/surveys/definition.ts'
import { type ResponseProblem, type SentResponse, sentResponse } from '#domain/surveys/public-endpoints.ts'
import { cleanText } from '#entities/define/typed-text.ts'
import { type AnswerRow, answerRows } from './answer-rows.ts'

export type Judged = Omit<z.output<typeof sentResponse>, 'answers'> & {
  answers: Answers
  digest: Buffer
  rows: AnswerRow[]
}
export type Verdict = { response: Judged } | { problems: ResponseProblem[] }

const problem = (
  code: ResponseProblem['code'],
  more: Partial<Omit<ResponseProblem, 'code'>> = {},
): ResponseProblem => ({ question: null, part: null, params: {}, code, ...more })

/** Problem list of a response that is refused as a whole. */
export const refusalOf = (code: ResponseProblem['code']) => [problem(code)]

/** Checks a response against the survey version it names. Returns the cleaned response, or its problems. */
export function judgeResponse(sent: unknown, definitions: ReadonlyMap<number, SurveyDefinition>): Verdict {
  const parsed = sentResponse.safeParse(sent)
  if (!parsed.success) return { problems: refusalOf('survey_answer_unusable') }
  const response = parsed.data
  const definition = definitions.get(response.version)
  if (!definition) return { problems: refusalOf('survey_version_unknown') }
  const sentAnswers = cleanTexts(response.answers) as typeof response.answers
  const problems = answerProblems(definition, sentAnswers)
  if (problems.length > 0) return { problems: problems.map(({ code, ...more }) => problem(code, more)) }
  const answers = keptAnswers(definition, sentAnswers)
  return { response: { ...response, answers, digest: digestOf(response), rows: answerRows(definition, answers) } }
}

const cleanTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleanTexts(inner)]))
}

/** SHA-256 of a response, independent of the order of its keys. */
export function digestOf({ version, language, startedAt, finishedAt, answers }: Omit<SentResponse, 'id'>): Buffer {
  const text = JSON.stringify([version, language, startedAt, finishedAt, sorted(answers)])
  return crypto.createHash('sha256').update(text).digest()
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}
