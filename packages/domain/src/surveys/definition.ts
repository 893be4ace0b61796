import { isEmail } from '#domain/accounts/fields.ts'
import { parsePhone } from '#entities/define/phone.ts'

/* The structure of a survey and the checks of its answers, for device and server. Must not import zod: the public page
   ships this file. */

export type Words = { id: string; en: string }

export const questionKinds = [
  'choice',
  'several',
  'scale',
  'number',
  'date',
  'text',
  'school',
  'contact',
  'photo',
] as const
export type QuestionKind = (typeof questionKinds)[number]

export const conditionKinds = ['one-of', 'answered'] as const

/** Kinds with a fixed set of answers, for cross tables and for conditions on specific answers. */
export const countedKinds = ['choice', 'several', 'scale'] as const satisfies readonly QuestionKind[]

export type Option = { key: string; label: Words }

/** Makes a question depend on the answer to an earlier question. `values` are option keys, or scale steps as text. */
export type Condition = { question: string; is: (typeof conditionKinds)[number]; values?: string[] | undefined }

export type Question = {
  key: string
  kind: QuestionKind
  label: Words
  help?: Words | undefined
  required: boolean
  /** For `choice` and `several`. */
  options?: Option[] | undefined
  scale?: { from: number; to: number; fromLabel?: Words | undefined; toLabel?: Words | undefined } | undefined
  number?: { min?: number | undefined; max?: number | undefined } | undefined
  text?: { maxLength: number; multiline: boolean } | undefined
  /** For `contact`: the sentence that the respondent agrees to. */
  consent?: Words | undefined
  when?: Condition | undefined
}

export type SurveyDefinition = {
  title: Words
  intro?: Words | undefined
  thanks?: Words | undefined
  questions: Question[]
}

export type SchoolAnswer = { id: string } | { name: string }
export type ContactAnswer = {
  name: string
  phone: string
  email?: string | undefined
  birthDate?: string | undefined
  consent: true
}
export type PhotoAnswer = { id: string }
export type Answer = string | number | string[] | SchoolAnswer | ContactAnswer | PhotoAnswer
/** Answers by question key; a question without an answer has no key. */
export type Answers = Record<string, Answer>

export const surveyLimits = {
  questions: 60,
  options: 60,
  key: 40,
  label: 300,
  longText: 2000,
  /** Longest text answer, in characters. */
  answerText: 2000,
  scaleFrom: 0,
  scaleTo: 10,
  /** Largest absolute value of a number. */
  number: 1_000_000_000_000,
  name: 150,
  email: 254,
} as const

/** Excludes `constructor`, because objects inherit a property of that name. */
export const keyPattern = /^(?!constructor$)[a-z][a-z0-9_]*$/

export const answerProblemCodes = [
  'field_required',
  'survey_answer_unusable',
  'survey_option_unknown',
  'survey_number_range',
  'survey_text_too_long',
  'survey_question_unknown',
  'date_out_of_range',
  'phone_invalid',
  'email_invalid',
  'survey_consent_required',
] as const
export type AnswerProblemCode = (typeof answerProblemCodes)[number]

export type AnswerProblem = {
  /** Key of the question. */
  question: string
  /** For `contact`: the invalid part of the answer. */
  part?: 'name' | 'phone' | 'email' | 'birthDate' | 'consent'
  code: AnswerProblemCode
  params?: Record<string, string | number>
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the answer is missing, a blank text or an empty selection. */
export const isEmptyAnswer = (answer: unknown): boolean =>
  answer === undefined ||
  answer === null ||
  (typeof answer === 'string' && answer.trim() === '') ||
  (Array.isArray(answer) && answer.length === 0)

const isBlank = (value: unknown) => isEmptyAnswer(value) && !Array.isArray(value)

/**
 * Whether the question has no condition, or its condition holds. `answers` must not contain answers to questions that
 * are not asked.
 */
export function isAsked({ when }: Pick<Question, 'when'>, answers: Readonly<Record<string, unknown>>): boolean {
  if (!when) return true
  const answer = Object.hasOwn(answers, when.question) ? answers[when.question] : undefined
  if (isEmptyAnswer(answer)) return false
  if (when.is === 'answered') return true
  const values = (Array.isArray(answer) ? answer : [answer]).map(String)
  return values.some((value) => when.values?.includes(value))
}

/**
 * Questions asked with these answers, in order. An answer to a question that is not asked cannot fulfil a condition.
 */
export function askedQuestions(
  { questions }: Pick<SurveyDefinition, 'questions'>,
  answers: Readonly<Record<string, unknown>>,
): Question[] {
  const counting: Record<string, unknown> = {}
  return questions.filter((question) => {
    if (!isAsked(question, counting)) return false
    if (Object.hasOwn(answers, question.key)) counting[question.key] = answers[question.key]
    return true
  })
}

/** Non-empty answers to asked questions, as devices send and the server stores them. */
export function keptAnswers(
  definition: Pick<SurveyDefinition, 'questions'>,
  answers: Readonly<Record<string, unknown>>,
): Answers {
  const entries = askedQuestions(definition, answers)
    .filter(({ key }) => Object.hasOwn(answers, key) && !isEmptyAnswer(answers[key]))
    .map(({ key }) => [key, answers[key]])
  return Object.fromEntries(entries)
}

/**
 * Problems of the answers, in question order. Answers to unknown questions come last. Answers to known questions that
 * are not asked are ignored.
 */
export function answerProblems(
  definition: Pick<SurveyDefinition, 'questions'>,
  answers: Readonly<Record<string, unknown>>,
): AnswerProblem[] {
  const known = new Set(definition.questions.map(({ key }) => key))
  return [
    ...askedQuestions(definition, answers).flatMap((question) => {
      const answer = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined
      if (!isEmptyAnswer(answer)) return problemsOf(question, answer)
      return question.required ? [problem(question, 'field_required')] : []
    }),
    ...Object.keys(answers)
      .filter((key) => !known.has(key))
      .map((key): AnswerProblem => ({ question: key, code: 'survey_question_unknown' })),
  ]
}

const problem = (
  { key }: Pick<Question, 'key'>,
  code: AnswerProblemCode,
  params?: AnswerProblem['params'],
): AnswerProblem => ({ question: key, code, ...(params && { params }) })

function problemsOf(question: Question, answer: unknown): AnswerProblem[] {
  const unusable = [problem(question, 'survey_answer_unusable')]
  const options = question.options?.map(({ key }) => key) ?? []
  switch (question.kind) {
    case 'choice':
      if (typeof answer !== 'string') return unusable
      return options.includes(answer) ? [] : [problem(question, 'survey_option_unknown')]
    case 'several': {
      if (!Array.isArray(answer) || answer.some((key) => typeof key !== 'string')) return unusable
      if (new Set(answer).size !== answer.length) return unusable
      return answer.every((key) => options.includes(key)) ? [] : [problem(question, 'survey_option_unknown')]
    }
    case 'scale': {
      const { from = surveyLimits.scaleFrom, to = surveyLimits.scaleTo } = question.scale ?? {}
      if (typeof answer !== 'number' || !Number.isInteger(answer)) return unusable
      return rangeProblems(question, answer, from, to)
    }
    case 'number': {
      const { min = -surveyLimits.number, max = surveyLimits.number } = question.number ?? {}
      if (typeof answer !== 'number' || !Number.isFinite(answer)) return unusable
      return rangeProblems(question, answer, min, max)
    }
    case 'date':
      if (!isDay(answer)) return unusable
      return isDayInRange(answer) ? [] : [dateProblem(question)]
    case 'text': {
      const maximum = Math.min(question.text?.maxLength ?? surveyLimits.answerText, surveyLimits.answerText)
      if (typeof answer !== 'string') return unusable
      return answer.length <= maximum ? [] : [problem(question, 'survey_text_too_long', { maximum })]
    }
    case 'school':
      return isSchool(answer) ? [] : unusable
    case 'contact':
      return isObject(answer) ? contactProblems(question, answer) : unusable
    case 'photo':
      return isObject(answer) && hasOnly(answer, ['id']) && isUuid(answer.id) ? [] : unusable
  }
}

const rangeProblems = (question: Question, value: number, minimum: number, maximum: number) =>
  value >= minimum && value <= maximum ? [] : [problem(question, 'survey_number_range', { minimum, maximum })]

const firstYear = 1900
const lastYear = 2199
const dateProblem = (question: Question) => problem(question, 'date_out_of_range', { firstYear, lastYear })

/** Whether the value is an existing day as `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
const isDayInRange = (day: string) => Number(day.slice(0, 4)) >= firstYear && Number(day.slice(0, 4)) <= lastYear

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(value)

const hasOnly = (value: object, keys: readonly string[]) => Object.keys(value).every((key) => keys.includes(key))

const isSchool = (answer: unknown) =>
  isObject(answer) &&
  ((hasOnly(answer, ['id']) && isUuid(answer.id)) || (hasOnly(answer, ['name']) && isLine(answer.name, 2)))

const isLine = (value: unknown, least: number): value is string =>
  typeof value === 'string' && value.trim().length >= least && value.length <= surveyLimits.name

function contactProblems(question: Question, answer: Record<string, unknown>): AnswerProblem[] {
  const problems: AnswerProblem[] = []
  const add = (part: NonNullable<AnswerProblem['part']>, code: AnswerProblemCode, params?: AnswerProblem['params']) =>
    problems.push({ ...problem(question, code, params), part })
  const { name, phone, email, birthDate, consent } = answer
  if (!hasOnly(answer, ['name', 'phone', 'email', 'birthDate', 'consent']))
    problems.push(problem(question, 'survey_answer_unusable'))
  if (typeof name !== 'string' || name.trim().length < 2) add('name', 'field_required')
  else if (name.length > surveyLimits.name) add('name', 'survey_text_too_long', { maximum: surveyLimits.name })
  if (isBlank(phone)) add('phone', 'field_required')
  else if (typeof phone !== 'string' || phone.length > 40 || !parsePhone(phone)) add('phone', 'phone_invalid')
  if (!isBlank(email) && !(typeof email === 'string' && email.length <= surveyLimits.email && isEmail(email.trim())))
    add('email', 'email_invalid')
  if (!isBlank(birthDate)) {
    if (!isDay(birthDate)) add('birthDate', 'survey_answer_unusable')
    else if (!isDayInRange(birthDate)) add('birthDate', 'date_out_of_range', { firstYear, lastYear })
  }
  if (consent !== true) add('consent', 'survey_consent_required')
  return problems
}
