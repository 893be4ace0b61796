import type { z } from 'zod'
import type { Locale } from '#locales/index.ts'
import { hasSentence } from '#locales/translate.ts'
import { sentences } from './text.ts'

type Issue = z.core.$ZodIssue

/** The field a sentence is shown beside: `choices.0.programmeId`; unknown keys are told by their own name. */
export function fieldOf(issue: Issue): string[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key].join('.'))
  return [path.join('.') || 'form']
}

/**
 * One sentence for one thing that is wrong with an answer. A schema may name an error code as its message
 * (`z.string().refine(isNik, 'nik_invalid')`): then that code's sentence is used.
 */
export function sentenceOfIssue(issue: Issue, language: Locale): string {
  const t = sentences(language)
  if (/^[a-z][a-z0-9_]*$/.test(issue.message) && hasSentence(`errors:${issue.message}`, language))
    return t(`errors:${issue.message}`, (issue as { params?: Record<string, unknown> }).params)
  const [key, params] = keyOfIssue(issue)
  return t(`validation:${key}`, params)
}

function keyOfIssue(issue: Issue): [key: string, params?: Record<string, unknown>] {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return ['required']
      return issue.expected === 'int' ? ['whole_number'] : ['wrong_type']
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true)
    case 'invalid_format':
      return [formatKeys[issue.format] ?? 'format']
    case 'invalid_value':
      return issue.input === undefined || issue.input === '' ? ['required'] : ['choose']
    case 'invalid_union':
      return issue.input === undefined || issue.input === null ? ['required'] : ['invalid']
    case 'not_multiple_of':
      return issue.divisor === 1 ? ['whole_number'] : ['multiple_of', { divisor: issue.divisor }]
    case 'unrecognized_keys':
      return ['unknown_field']
    default:
      return ['invalid']
  }
}

function tooSmall(origin: string, minimum: number, inclusive: boolean): [string, Record<string, unknown>?] {
  if (origin === 'string') return minimum === 1 ? ['required'] : ['too_short', { minimum }]
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return minimum === 1 ? ['required'] : ['too_few', { minimum }]
  return inclusive ? ['too_small', { minimum }] : ['more_than', { minimum }]
}

function tooBig(origin: string, maximum: number, inclusive: boolean): [string, Record<string, unknown>] {
  if (origin === 'string') return ['too_long', { maximum }]
  if (origin === 'array' || origin === 'set' || origin === 'map') return ['too_many', { maximum }]
  return inclusive ? ['too_big', { maximum }] : ['less_than', { maximum }]
}

const formatKeys: Record<string, string> = {
  email: 'email',
  url: 'url',
  uuid: 'identifier',
  guid: 'identifier',
  date: 'date',
  datetime: 'date',
}
