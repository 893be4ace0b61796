import type { z } from 'zod'
import { oneLinePattern } from '#entities/define/one-line.ts'
import type { Problem } from './endpoint.ts'

type Issue = z.core.$ZodIssue
type Params = Record<string, unknown>

/** Sentences of one language, by key such as `validation:required`. */
export type Sentences = { t: (key: string, params?: Params) => string; has: (key: string) => boolean }

/** Sentences by field. If schema and rules refuse the same field, only the schema's sentences are returned. */
export function problemSentences(
  { issues, problems }: { issues: readonly Issue[]; problems: Record<string, Problem | Problem[]> },
  sentences: Sentences,
): Record<string, string[]> {
  const schemaSentences = new Map<string, string[]>()
  for (const issue of issues)
    for (const field of fieldsOfIssue(issue))
      schemaSentences.set(field, [...(schemaSentences.get(field) ?? []), sentenceOfIssue(issue, sentences)])
  const ruleSentences = Object.entries(problems).map(([field, fieldProblems]) => [
    field,
    [fieldProblems]
      .flat()
      .map((problem) =>
        typeof problem === 'string'
          ? sentences.t(`errors:${problem}`)
          : sentences.t(`errors:${problem.code}`, problem.params),
      ),
  ])
  return Object.fromEntries([...ruleSentences, ...schemaSentences])
}

/** Fields of an issue: `choices.0.programmeId`; an unknown key counts as a field of its own name. */
function fieldsOfIssue(issue: Issue): string[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key].join('.'))
  return [path.join('.') || 'form']
}

/**
 * Sentence of an issue. A schema may use an error code as its message (`.refine(isYearInRange, 'date_out_of_range')`);
 * then that code's sentence applies.
 */
export function sentenceOfIssue(issue: Issue, { t, has }: Sentences): string {
  if (/^[a-z][a-z0-9_]*$/.test(issue.message) && has(`errors:${issue.message}`))
    return t(`errors:${issue.message}`, (issue as { params?: Params }).params)
  const [key, params] = keyOfIssue(issue)
  return t(`validation:${key}`, params)
}

function keyOfIssue(issue: Issue): [key: string, params?: Record<string, unknown>] {
  // An empty field is missing, whatever its schema would have said of a value.
  if (issue.input === null || issue.input === '') return ['required']
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return ['required']
      return issue.expected === 'int' ? ['whole_number'] : ['wrong_type']
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true)
    case 'invalid_format':
      return [issue.pattern === String(oneLinePattern) ? 'one_line' : (formatKeys[issue.format] ?? 'format')]
    case 'invalid_value':
      return issue.input === undefined ? ['required'] : ['choose']
    case 'invalid_union':
      return issue.input === undefined ? ['required'] : ['invalid']
    case 'not_multiple_of':
      return issue.divisor === 1 ? ['whole_number'] : ['multiple_of', { divisor: issue.divisor }]
    case 'unrecognized_keys':
      return ['unknown_field']
    default:
      return ['invalid']
  }
}

/** Groups the digits of a limit, in Indonesian notation in both languages; years stay as they are. */
const grouped = (limit: number) =>
  Math.abs(limit) < 10_000 ? limit : new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 }).format(limit)

function tooSmall(origin: string, minimum: number, inclusive: boolean): [string, Record<string, unknown>?] {
  if (origin === 'string') return minimum === 1 ? ['required'] : ['too_short', { minimum }]
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return minimum === 1 ? ['required'] : ['too_few', { minimum }]
  const params = { minimum: grouped(minimum) }
  return [inclusive ? 'too_small' : 'more_than', params]
}

function tooBig(origin: string, maximum: number, inclusive: boolean): [string, Record<string, unknown>] {
  if (origin === 'string') return ['too_long', { maximum }]
  if (origin === 'array' || origin === 'set' || origin === 'map') return ['too_many', { maximum }]
  const params = { maximum: grouped(maximum) }
  return [inclusive ? 'too_big' : 'less_than', params]
}

const formatKeys: Record<string, string> = {
  email: 'email',
  url: 'url',
  uuid: 'identifier',
  guid: 'identifier',
  date: 'date',
  datetime: 'date',
}
