import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Answers } from '#domain/surveys/definition.ts'
import type { ResultFilters } from '#domain/surveys/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetColumn, SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { matching } from './filters.ts'
import { type MergedQuestion, mergedQuestions } from './merged-questions.ts'
import { answerInWords, answersFor, schoolsNamedIn } from './responses.ts'
import { showSurvey } from './save-survey.ts'
import { definitionsOf } from './survey-rows.ts'

const contactParts = ['name', 'phone', 'email', 'birthDate'] as const

type Say = (key: string, params?: Record<string, unknown>) => string

/** A question of kind `several` has a column per option, and one of kind `contact` a column per part. */
function columnsOf({ key, kind, label, options = [] }: MergedQuestion, language: Language, say: Say): SheetColumn[] {
  const head = label[language]
  if (kind === 'several')
    return options.map((option) => ({
      key: `${key}.${option.key}`,
      label: `${head}: ${option.label[language]}`,
      kind: 'number',
    }))
  if (kind === 'contact')
    return contactParts.map((part) => ({
      key: `${key}.${part}`,
      label: `${head}: ${say(`surveys:contact.${part}`)}`,
      kind: 'text',
    }))
  if (kind === 'scale' || kind === 'number') return [{ key, label: head, kind: 'number' }]
  return [{ key, label: head, kind: kind === 'date' ? 'date' : 'text', ...(kind === 'text' && { width: 50 }) }]
}

/** Cells of one answer, by the keys of the columns from `columnsOf`. */
function cellsOf(question: MergedQuestion, answers: Answers, language: Language, schools: ReadonlyMap<string, string>) {
  const { key, kind, options = [] } = question
  const answer = answers[key]
  if (answer === undefined) return {}
  if (kind === 'several' && Array.isArray(answer))
    return Object.fromEntries(options.map((option) => [`${key}.${option.key}`, answer.includes(option.key) ? 1 : 0]))
  if (kind === 'contact')
    return Object.fromEntries(contactParts.map((part) => [`${key}.${part}`, (answer as Record<string, unknown>)[part]]))
  if (kind === 'photo') return { [key]: (answer as { id: string }).id }
  const isPlain = kind === 'scale' || kind === 'number' || kind === 'date'
  return { [key]: isPlain ? answer : answerInWords(question, answer, language, schools) }
}

type Found = {
  id: string
  finishedAt: Date
  receivedAt: Date
  link: string
  school: string | null
  language: Language
  version: number
  answers: Answers
}

const facts = ['id', 'finishedAt', 'receivedAt', 'link', 'school', 'language', 'version'] as const

/** Streams the matching responses as an xlsx or csv file, with the questions of all versions. */
export async function exportAnswers(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  surveyId: string,
  { format, ...filters }: ResultFilters & { format: 'xlsx' | 'csv' },
) {
  const { db } = services
  const actor = actorOf(request)
  const language = languageOfRequest(request)
  const say = sentences(language)
  const { name } = await showSurvey(db, surveyId)
  const questions = mergedQuestions(await definitionsOf(db, surveyId))
  const query = db
    .selectFrom('surveyResponses as r')
    .innerJoin('surveyLinks as l', 'l.id', 'r.linkId')
    .leftJoin('schools as c', 'c.id', 'r.schoolId')
    .select(['r.id', 'r.finishedAt', 'r.receivedAt', 'l.name as link', 'c.name as school', 'r.language', 'r.version'])
    .select('r.answers')
    .where(matching(surveyId, filters))
    .orderBy('r.finishedAt')
    .orderBy('r.id')
  const convert = async (found: Found[], connection: Db): Promise<SheetRow[]> => {
    const schools = await schoolsNamedIn(
      connection,
      found.map(({ answers }) => answers),
    )
    return found.map(({ answers, ...row }) => {
      const readable = answersFor(actor, questions, answers)
      return {
        ...row,
        ...Object.assign({}, ...questions.map((question) => cellsOf(question, readable, language, schools))),
      }
    })
  }
  return sendExport(services, request, reply, {
    name: 'survey-answers',
    title: name,
    format,
    columns: [
      ...facts.map((key) => ({
        key,
        label: say(`surveys:column.${key}`),
        kind: key === 'version' ? ('number' as const) : key.endsWith('At') ? ('dateTime' as const) : ('text' as const),
      })),
      ...questions.flatMap((question) => columnsOf(question, language, say)),
    ],
    rows: readRows<Found, SheetRow>(db, query, convert),
    filter: await filterWords(db, filters, say),
  })
}

/** The filter in words, for the file and the register of exports. */
async function filterWords(db: Db, filters: ResultFilters, say: Say) {
  const { rows } = await sql<{ link: string | null; school: string | null }>`
    SELECT (SELECT name FROM survey_links WHERE id = ${filters.linkId ?? null}::uuid) AS link,
      (SELECT name FROM schools WHERE id = ${filters.schoolId ?? null}::uuid) AS school`.execute(db)
  const values = {
    link: rows[0]?.link,
    school: rows[0]?.school,
    language: filters.language,
    version: filters.version,
    from: filters.from,
    to: filters.to,
  }
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ label: say(`surveys:column.${key}`), value: String(value) }],
  )
}
