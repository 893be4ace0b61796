import type { AnswerProblem, Question, Words } from '#domain/surveys/definition.ts'
import type { Language } from '#entities/define/language.ts'
import type { Say } from '#web/survey/say.ts'

/** Text in `language`, or in the other language if that text is blank. */
export const wordsIn = (words: Words | undefined, language: Language): string =>
  words ? words[language].trim() || words[language === 'id' ? 'en' : 'id'].trim() : ''

/** Formats a number in Indonesian notation, such as `1.500,5`, also on the English page. */
export const withPoints = (value: string | number) => Number(value).toLocaleString('id-ID')

/**
 * Sentence for a problem. For some missing or unusable answers, the survey form's texts have a more specific sentence
 * under `kinds`.
 */
export function sentenceOf({ part, code, params }: AnswerProblem, { kind }: Question, say: Say): string {
  const isMissing = code === 'field_required' || code === 'survey_answer_unusable'
  const ofPart = part && code === 'field_required' ? say(`kinds.${part}`) : ''
  const ofKind = !part && isMissing && (code !== 'field_required' || kind === 'school') ? say(`kinds.${kind}`) : ''
  if (ofPart || ofKind) return ofPart || ofKind
  if (code !== 'survey_number_range' || !params) return say(`problems.${code}`, params)
  const limits = Object.entries(params).map(([name, limit]) => [name, withPoints(limit)])
  return say(`problems.${code}`, Object.fromEntries(limits))
}
