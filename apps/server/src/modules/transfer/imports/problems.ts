import type { z } from 'zod'
import { sentenceOfIssue } from '#domain/problem-sentences.ts'
import type { ProblemLevel } from '#domain/transfer/import-status.ts'
import type { Field } from '#entities/define/field.ts'
import type { Language, Localized } from '#entities/define/language.ts'

import type { FieldErrors } from '#server/platform/errors.ts'
import { sentences, wordsIn } from '#server/platform/text.ts'
import type { Fault } from './read-cell.ts'

export type Sentence = Record<Language, string>
export type Problem = {
  level: ProblemLevel
  row: number
  field: string | null
  header: string | null
  value: string | null
  reason: Sentence
}

export const rowsWithProblem = (problems: readonly Problem[]) =>
  new Set(problems.flatMap(({ level, row }) => (level === 'problem' ? row : [])))

export const inBothLanguages = (make: (language: Language) => string): Sentence => ({ en: make('en'), id: make('id') })

const isLocalized = (value: unknown): value is Localized =>
  typeof value === 'object' && value !== null && 'en' in value && 'id' in value

/** Translates labels, and lists of labels, among the values of a sentence. */
function localParams(params: Record<string, unknown>, language: Language) {
  const toText = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(toText).join(', ') : isLocalized(value) ? value[language] : value
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      key === 'what' ? String(toText(value)).toLowerCase() : toText(value),
    ]),
  )
}

export const sentenceOf = ({ key, params = {} }: Fault): Sentence =>
  inBothLanguages((language) => sentences(language)(`transfer:problem.${key}`, localParams(params, language)))

export const issueSentence = (issue: z.core.$ZodIssue, field: Field): Sentence =>
  issue.code === 'invalid_format' && issue.format === 'regex' && 'pattern' in field && field.pattern
    ? field.pattern.label
    : inBothLanguages((language) => sentenceOfIssue(issue, wordsIn(language)))

/** Problem sentences of each refused field, in both languages. */
export function sentencesOf(fields: FieldErrors): { field: string; reason: Sentence }[] {
  const toText = (errors: FieldErrors[string], language: Language) =>
    [errors]
      .flat()
      .map((error) =>
        typeof error === 'string'
          ? sentences(language)(`errors:${error}`)
          : sentences(language)(`errors:${error.code}`, localParams(error.params ?? {}, language)),
      )
      .join(' ')
  return Object.entries(fields).map(([field, errors]) => ({
    field,
    reason: inBothLanguages((language) => toText(errors, language)),
  }))
}
