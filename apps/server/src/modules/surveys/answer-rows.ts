import type {
  Answer,
  Answers,
  ContactAnswer,
  Question,
  SchoolAnswer,
  SurveyDefinition,
} from '#domain/surveys/definition.ts'

/** A row of `survey_answers` without the ids of its response and survey. */
export type AnswerRow = { question: string; value: string; text: string | null }

/**
 * Converts answers to rows of `survey_answers`, for counting and searching. An answer of kind `contact`, `photo` or
 * `several` gets an empty row, which counts the answer. An answer of kind `several` also gets a row per chosen option.
 */
export const answerRows = ({ questions }: Pick<SurveyDefinition, 'questions'>, answers: Answers): AnswerRow[] =>
  questions.flatMap((question) => {
    const answer = answers[question.key]
    if (answer === undefined) return []
    return rowsOf(question, answer).map(({ value = '', text = null }) => ({ question: question.key, value, text }))
  })

function rowsOf({ kind }: Question, answer: Answer): { value?: string; text?: string }[] {
  switch (kind) {
    case 'several':
      return [{}, ...(answer as string[]).map((value) => ({ value }))]
    case 'text':
      return [{ text: (answer as string).trim() }]
    case 'school': {
      const school = answer as SchoolAnswer
      return ['id' in school ? { value: school.id } : { text: school.name.trim() }]
    }
    case 'contact':
    case 'photo':
      return [{}]
    default:
      return [{ value: String(answer) }]
  }
}

const answerOfKind = (definition: Pick<SurveyDefinition, 'questions'>, answers: Answers, kind: Question['kind']) => {
  const question = definition.questions.find(
    (question) => question.kind === kind && answers[question.key] !== undefined,
  )
  return question && { question, answer: answers[question.key]! }
}

/** Finds the contact in a response, and its question, which holds the consent text. */
export const contactIn = (definition: Pick<SurveyDefinition, 'questions'>, answers: Answers) =>
  answerOfKind(definition, answers, 'contact') as { question: Question; answer: ContactAnswer } | undefined

export const schoolIn = (definition: Pick<SurveyDefinition, 'questions'>, answers: Answers) =>
  answerOfKind(definition, answers, 'school')?.answer as SchoolAnswer | undefined

/** Finds the key of the question that a photo answers. */
export const questionOfPhoto = (
  { questions }: Pick<SurveyDefinition, 'questions'>,
  answers: Answers,
  photoId: string,
) =>
  questions.find(({ key, kind }) => kind === 'photo' && (answers[key] as { id?: string } | undefined)?.id === photoId)
    ?.key
