import type { Option, Question, SurveyDefinition } from '#domain/surveys/definition.ts'

export type MergedQuestion = Question & { version: number }

/**
 * Merges the questions of all versions, newest first. A question keeps its newest wording, and options of earlier
 * versions come last.
 */
export function mergedQuestions(definitions: ReadonlyMap<number, SurveyDefinition>): MergedQuestion[] {
  const merged = new Map<string, MergedQuestion>()
  const newestFirst = [...definitions].sort(([a], [b]) => b - a)
  for (const [version, { questions }] of newestFirst)
    for (const question of questions) {
      const newer = merged.get(question.key)
      if (!newer) merged.set(question.key, { ...question, version })
      else if (newer.kind === question.kind && question.options)
        merged.set(question.key, { ...newer, options: withEarlier(newer.options, question.options) })
    }
  return [...merged.values()]
}

const withEarlier = (options: readonly Option[] = [], earlier: readonly Option[]) => [
  ...options,
  ...earlier.filter(({ key }) => !options.some((option) => option.key === key)),
]
