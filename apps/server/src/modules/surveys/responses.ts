import { sql } from 'kysely'
import type { Answer, Answers, ContactAnswer, Question, SchoolAnswer } from '#domain/surveys/definition.ts'
import type { ResultFilters, SurveyResponse } from '#domain/surveys/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { contactsFor } from '#server/modules/leads/contacts.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { discardFile, imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { matching } from './filters.ts'
import { requireSurvey } from './results.ts'
import { getDefinition } from './survey-rows.ts'

const photosPerPage = 24

const photoOf = (services: Services, actor: Actor, fileId: string) => ({
  url: imageUrl(services, actor, 'photo', fileId),
  thumbnail: imageUrl(services, actor, 'photo', fileId, { thumbnail: true }),
})

const optionWords = ({ options }: Question, key: string, language: Language) =>
  options?.find((option) => option.key === key)?.label[language] ?? key

/** Converts an answer to text; null for a photo. */
export function answerInWords(
  question: Question,
  answer: Answer,
  language: Language,
  schools: ReadonlyMap<string, string>,
): string | null {
  switch (question.kind) {
    case 'choice':
      return optionWords(question, answer as string, language)
    case 'several':
      return (answer as string[]).map((key) => optionWords(question, key, language)).join(', ')
    case 'date':
      return longDate(answer as string, language)
    case 'school': {
      const school = answer as SchoolAnswer
      return 'id' in school ? (schools.get(school.id) ?? '?') : school.name
    }
    case 'contact': {
      const { name, phone, email, birthDate } = answer as ContactAnswer
      return [name, phone, email, birthDate].filter(Boolean).join(', ')
    }
    case 'photo':
      return null
    default:
      return String(answer)
  }
}

/** Reads the names of schools in answers, by id. A merged school has the name of the school it was merged into. */
export async function schoolsNamedIn(db: Db, answers: readonly Answers[]): Promise<Map<string, string>> {
  const ids = answers.flatMap((ofOne) =>
    Object.values(ofOne).flatMap((answer) =>
      typeof answer === 'object' && 'id' in answer && typeof answer.id === 'string' ? [answer.id] : [],
    ),
  )
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM schools WHERE id = ANY (${ids}::uuid[])
    UNION SELECT a.former_id, s.name FROM school_aliases a JOIN schools s ON s.id = a.school_id
      WHERE a.former_id = ANY (${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Masks phone and e-mail in contact answers, unless the actor may see contacts of leads. */
export function answersFor(
  actor: Actor,
  questions: readonly Pick<Question, 'key' | 'kind'>[],
  answers: Answers,
): Answers {
  const contacts = contactsFor(actor)
  const masked = questions.flatMap(({ key, kind }) => {
    if (kind !== 'contact' || answers[key] === undefined) return []
    const contact = answers[key] as ContactAnswer
    const { phone, email } = contact
    return [[key, { ...contact, phone: contacts.phone(phone), ...(email && { email: contacts.email(email) }) }]]
  })
  return { ...answers, ...Object.fromEntries(masked) }
}

export async function showResponse(
  services: Services,
  actor: Actor,
  surveyId: string,
  responseId: string,
  language: Language,
): Promise<SurveyResponse> {
  const { db } = services
  const found = await db
    .selectFrom('surveyResponses as r')
    .innerJoin('surveyLinks as l', 'l.id', 'r.linkId')
    .leftJoin('schools as c', 'c.id', 'r.schoolId')
    .select(['r.id', 'r.version', 'r.language', 'r.startedAt', 'r.finishedAt', 'r.receivedAt', 'r.leadId'])
    .select(['r.answers', 'r.erasedAt', 'l.name as link', 'c.name as school'])
    .where('r.id', '=', responseId)
    .where('r.surveyId', '=', surveyId)
    .executeTakeFirst()
  if (!found) throw notFound('survey_response')
  const { questions } = await getDefinition(db, surveyId, found.version)
  const photos = await db
    .selectFrom('surveyPhotos')
    .select(['question', 'fileId'])
    .where('responseId', '=', responseId)
    .execute()
  const answers = answersFor(actor, questions, found.answers)
  const schools = await schoolsNamedIn(db, [answers])
  const { answers: _answers, erasedAt, ...response } = found
  return {
    ...response,
    startedAt: found.startedAt.toISOString(),
    finishedAt: found.finishedAt.toISOString(),
    receivedAt: found.receivedAt.toISOString(),
    erased: erasedAt !== null,
    answers: questions.map((question) => {
      const answer = answers[question.key]
      const photo = photos.find((stored) => stored.question === question.key)
      return {
        key: question.key,
        kind: question.kind,
        label: question.label,
        text: answer === undefined ? null : answerInWords(question, answer, language, schools),
        photo: photo ? photoOf(services, actor, photo.fileId) : null,
      }
    }),
  }
}

/** Deletes a response with its photos. Keeps the id: if the device sends the response again, it is not stored. */
export const removeResponse = (
  { db, clock }: Services,
  actor: Actor,
  surveyId: string,
  responseId: string,
  reason: string,
) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const response = await tx
      .selectFrom('surveyResponses')
      .select(['id', 'linkId', 'version', 'finishedAt'])
      .where('id', '=', responseId)
      .where('surveyId', '=', surveyId)
      .forUpdate()
      .executeTakeFirst()
    if (!response) throw notFound('survey_response')
    const photos = await tx
      .deleteFrom('surveyPhotos')
      .where('responseId', '=', responseId)
      .returning('fileId')
      .execute()
    for (const { fileId } of photos) await discardFile(tx, fileId, now)
    await tx
      .insertInto('surveyRemovals')
      .values({ responseId, surveyId, reason, removedAt: now, removedBy: actor.accountId })
      .execute()
    await tx.deleteFrom('surveyResponses').where('id', '=', responseId).execute()
    const { version, finishedAt } = response
    await recordAudit(tx, actor, {
      action: 'survey.remove',
      on: { survey: surveyId },
      before: { responseId, version, finishedAt: finishedAt.toISOString() },
      reason,
    })
    return { id: responseId }
  })

type PhotoQuery = ResultFilters & { question: string; page: number }

export async function listPhotos(
  services: Services,
  actor: Actor,
  surveyId: string,
  { question, page, ...filters }: PhotoQuery,
) {
  const { db } = services
  await requireSurvey(db, surveyId)
  const photos = db
    .selectFrom('surveyPhotos as p')
    .innerJoin('surveyResponses as r', 'r.id', 'p.responseId')
    .where('p.question', '=', question)
    .where(matching(surveyId, filters))
  const { total } = await photos.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await photos
    .select(['p.responseId', 'p.fileId', 'r.finishedAt'])
    .orderBy('r.finishedAt', 'desc')
    .orderBy('p.photoId')
    .limit(photosPerPage)
    .offset((page - 1) * photosPerPage)
    .execute()
  return {
    data: rows.map(({ responseId, fileId, finishedAt }) => ({
      responseId,
      at: finishedAt.toISOString(),
      ...photoOf(services, actor, fileId),
    })),
    meta: { total: Number(total), perPage: photosPerPage },
  }
}
