import type { Option, Question, QuestionKind, SurveyDefinition, Words } from '#domain/surveys/definition.ts'
import { hasValues, valuesOf } from '#domain/surveys/definition-problems.ts'
import { newId } from '#web/offline/new-id.ts'

/* Functions for changing a draft. New questions and options get new keys, because keys identify answers across
   versions. */

const noWords = (): Words => ({ id: '', en: '' })
const newKey = (prefix: string) => `${prefix}_${newId().slice(0, 8)}`
export const newOption = (): Option => ({ key: newKey('o'), label: noWords() })

type Parts = Pick<Question, 'options' | 'scale' | 'number' | 'text' | 'consent'>
const hasOptions = (kind: QuestionKind) => kind === 'choice' || kind === 'several'

/** Initial values of the fields that a kind of question needs. Keeps `options` if the kind has options. */
function partsOf(kind: QuestionKind, options?: Option[]): Parts {
  if (hasOptions(kind)) return { options: options ?? [newOption(), newOption()] }
  if (kind === 'scale') return { scale: { from: 1, to: 5 } }
  if (kind === 'text') return { text: { maxLength: 500, multiline: true } }
  if (kind === 'number') return { number: {} }
  return kind === 'contact' ? { consent: noWords() } : {}
}

export const newQuestion = (kind: QuestionKind): Question => ({
  key: newKey('q'),
  kind,
  label: noWords(),
  required: false,
  ...partsOf(kind),
})

export const replaceAt = <T>(list: readonly T[], index: number, item: T): T[] =>
  list.map((one, place) => (place === index ? item : one))

export const removeAt = <T>(list: readonly T[], index: number): T[] => list.filter((_, place) => place !== index)

export const insertAt = <T>(list: readonly T[], index: number, item: T): T[] => [
  ...list.slice(0, index),
  item,
  ...list.slice(index),
]

/** Returns a copy with an item moved one place. Moving the first item up or the last item down changes nothing. */
export function moveBy<T>(list: readonly T[], index: number, step: -1 | 1): T[] {
  const target = index + step
  if (target < 0 || target >= list.length) return [...list]
  return insertAt(removeAt(list, index), target, list[index]!)
}

/** Copies a question and gives the copy and its options new keys. */
export const copyOf = (question: Question): Question => ({
  ...structuredClone(question),
  key: newKey('q'),
  ...(question.options && { options: question.options.map(({ label }) => ({ ...newOption(), label: { ...label } })) }),
})

/**
 * Changes the kind of a question and adapts conditions that name the question. The question gets a new key, because
 * answers of two kinds cannot be counted together.
 */
export function changeKind(questions: readonly Question[], index: number, kind: QuestionKind): Question[] {
  const before = questions[index]!
  if (before.kind === kind) return [...questions]
  const { label, help, required, when } = before
  const options = hasOptions(before.kind) ? before.options : undefined
  const next: Question = { key: newKey('q'), kind, label, help, required, when, ...partsOf(kind, options) }
  return replaceAt(questions, index, next).map((question) =>
    question.when?.question === before.key ? { ...question, when: onlyPossible(question.when, next) } : question,
  )
}

/**
 * Makes a condition depend on `asked` and removes values that `asked` does not have. If `asked` has no fixed answers,
 * any answer meets the condition.
 */
export function onlyPossible(when: NonNullable<Question['when']>, asked: Question): NonNullable<Question['when']> {
  if (when.is === 'answered' || !hasValues(asked.kind)) return { question: asked.key, is: 'answered' }
  const possible = valuesOf(asked)
  return { question: asked.key, is: 'one-of', values: (when.values ?? []).filter((value) => possible.includes(value)) }
}

/** Removes optional texts that are empty in both languages. */
export function tidied(definition: SurveyDefinition): SurveyDefinition {
  const words = (pair: Words | undefined) => (pair && (pair.id.trim() || pair.en.trim()) ? pair : undefined)
  return {
    ...definition,
    intro: words(definition.intro),
    thanks: words(definition.thanks),
    questions: definition.questions.map((question) => ({
      ...question,
      help: words(question.help),
      ...(question.scale && {
        scale: {
          ...question.scale,
          fromLabel: words(question.scale.fromLabel),
          toLabel: words(question.scale.toLabel),
        },
      }),
    })),
  }
}

export const emptyDefinition = (): SurveyDefinition => ({ title: noWords(), questions: [] })
