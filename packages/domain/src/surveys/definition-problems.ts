import type { Problem } from '#domain/endpoint.ts'
import {
  type Condition,
  countedKinds,
  keyPattern,
  type Question,
  type QuestionKind,
  type SurveyDefinition,
  surveyLimits,
  type Words,
} from './definition.ts'

/** Problems by path of the field, such as `questions.2.options.0.label.id`. */
export type DefinitionProblems = Record<string, Problem>

/** Whether this kind of question has a fixed set of answers, so that a condition can ask for specific ones. */
export const hasValues = (kind: QuestionKind): boolean => (countedKinds as readonly string[]).includes(kind)

/** Answers to this question that a condition can ask for. */
export function valuesOf({ kind, options, scale }: Pick<Question, 'kind' | 'options' | 'scale'>): string[] {
  if (kind === 'choice' || kind === 'several') return options?.map(({ key }) => key) ?? []
  if (kind !== 'scale' || !scale) return []
  return Array.from({ length: Math.max(0, scale.to - scale.from + 1) }, (_, step) => String(scale.from + step))
}

/**
 * Problems that keep a definition from being published, at most one per field. Publishing also compares the definition
 * with earlier versions.
 */
export function definitionProblems(definition: SurveyDefinition): DefinitionProblems {
  const problems: DefinitionProblems = {}
  const add = (field: string, problem: Problem) => {
    problems[field] ??= problem
  }
  const needWords = (field: string, words: Words | undefined) => {
    for (const language of ['id', 'en'] as const)
      if (!words?.[language]?.trim()) add(`${field}.${language}`, 'field_required')
  }
  /** Reports a missing language of optional words if the other language is filled in. */
  const pairWords = (field: string, words: Words | undefined) => {
    if (words && (words.id.trim() || words.en.trim())) needWords(field, words)
  }

  const { questions } = definition
  needWords('title', definition.title)
  pairWords('intro', definition.intro)
  pairWords('thanks', definition.thanks)
  if (questions.length === 0) add('questions', 'survey_without_questions')
  for (const [index, question] of questions.entries()) {
    const place = `questions.${index}`
    const earlier = questions.slice(0, index)
    if (!keyPattern.test(question.key) || question.key.length > surveyLimits.key)
      add(`${place}.key`, 'survey_key_format')
    if (earlier.some(({ key }) => key === question.key)) add(`${place}.key`, 'survey_key_twice')
    if (question.kind === 'contact' && earlier.some(({ kind }) => kind === 'contact'))
      add(`${place}.kind`, 'survey_contact_twice')
    needWords(`${place}.label`, question.label)
    pairWords(`${place}.help`, question.help)
    for (const [field, problem] of partProblems(question)) add(`${place}.${field}`, problem)
    if (question.kind === 'choice' || question.kind === 'several')
      for (const [number, option] of (question.options ?? []).entries())
        needWords(`${place}.options.${number}.label`, option.label)
    if (question.kind === 'scale') {
      pairWords(`${place}.scale.fromLabel`, question.scale?.fromLabel)
      pairWords(`${place}.scale.toLabel`, question.scale?.toLabel)
    }
    if (question.kind === 'contact') needWords(`${place}.consent`, question.consent)
    if (question.when)
      for (const [field, problem] of conditionProblems(question.when, earlier)) add(`${place}.when.${field}`, problem)
  }
  return problems
}

type FieldProblem = [field: string, problem: Problem]

function partProblems({ kind, options = [], scale, number, text }: Question): FieldProblem[] {
  switch (kind) {
    case 'choice':
    case 'several':
      return [
        ...(options.length < 2 ? [['options', 'survey_options_few'] as FieldProblem] : []),
        ...options.flatMap(({ key }, index): FieldProblem[] => {
          const field = `options.${index}.key`
          if (!keyPattern.test(key) || key.length > surveyLimits.key) return [[field, 'survey_key_format']]
          return options.findIndex((option) => option.key === key) < index ? [[field, 'survey_key_twice']] : []
        }),
      ]
    case 'scale': {
      const { scaleFrom: minimum, scaleTo: maximum } = surveyLimits
      const fits =
        scale &&
        [scale.from, scale.to].every((step) => Number.isInteger(step) && step >= minimum && step <= maximum) &&
        scale.from < scale.to
      return fits ? [] : [['scale.to', { code: 'survey_scale', params: { minimum, maximum } }]]
    }
    case 'number':
      return number?.min !== undefined && number.max !== undefined && number.min > number.max
        ? [['number.max', 'survey_limits_reversed']]
        : []
    case 'text':
      return text && text.maxLength >= 1 && text.maxLength <= surveyLimits.answerText
        ? []
        : [
            [
              'text.maxLength',
              { code: 'survey_number_range', params: { minimum: 1, maximum: surveyLimits.answerText } },
            ],
          ]
    default:
      return []
  }
}

function conditionProblems(when: Condition, earlier: readonly Question[]): FieldProblem[] {
  const earlierQuestion = earlier.find(({ key }) => key === when.question)
  if (!earlierQuestion) return [['question', 'survey_condition_order']]
  if (when.is === 'answered') return []
  const values = valuesOf(earlierQuestion)
  const fits =
    hasValues(earlierQuestion.kind) && when.values?.length && when.values.every((value) => values.includes(value))
  return fits ? [] : [['values', 'survey_condition_values']]
}
