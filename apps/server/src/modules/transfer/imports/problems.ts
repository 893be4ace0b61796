import type { z } from 'zod'
import { sentenceOfIssue } from '#domain/problem-sentences.ts'
import type { Field } from '#entities/define/field.ts'
import type { Language, Localized } from '#entities/define/language.ts'

import type { FieldErrors } from '#server/platform/errors.ts'
import { sentences, wordsIn } from '#server/platform/text.ts'
import type { Fault } from './read-cell.ts'

export type Sentence = Record<Language, string>
export type Problem = {
  row: number
  field: string | null
  header: string | null
  value: string | null
  reason: Sentence
}

export const inBoth = (make: (language: Language) => string): Sentence => ({ en: make('en'), id: make('id') })

const isLocalized = (value: unknown): value is Localized =>
  typeof value === 'object' && value !== null && 'en' in value && 'id' in value

/** Values of a sentence may be labels in both languages, or lists of them. */
function localParams(params: Record<string, unknown>, language: Language) {
  const told = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(told).join(', ') : isLocalized(value) ? value[language] : value
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      key === 'what' ? String(told(value)).toLowerCase() : told(value),
    ]),
  )
}

export const sentenceOf = ({ key, params = {} }: Fault): Sentence =>
  inBoth((language) => sentences(language)(`transfer:problem.${key}`, localParams(params, language)))

export const issueSentence = (issue: z.core.$ZodIssue, field: Field): Sentence =>
  issue.code === 'invalid_format' && issue.format === 'regex' && 'pattern' in field && field.pattern
    ? field.pattern.label
    : inBoth((language) => sentenceOfIssue(issue, wordsIn(language)))

/** The first sentence of each field that is refused, in both languages. */
export function sentencesOf(fields: FieldErrors): { field: string; reason: Sentence }[] {
  const told = (errors: FieldErrors[string], language: Language) =>
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
    reason: inBoth((language) => told(errors, language)),
  }))
}
