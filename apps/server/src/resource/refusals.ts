import type { ErrorCode } from '#domain/errors.ts'
import { columnName, type Entity } from '#entities/define/entity.ts'
import type { Locale } from '#locales/index.ts'
import { type FieldErrors, invalid } from '#server/platform/errors.ts'

const isGiven = (value: unknown) => value !== null && value !== undefined

/** Rules between fields of one row, from the declaration; everything that is wrong is told at once. */
export function problemsOf(entity: Entity, input: Record<string, unknown>, language: Locale): FieldErrors {
  const problems: FieldErrors = {}
  for (const [first, second] of entity.before ?? []) {
    const [from, to] = [input[first], input[second]]
    if (!isGiven(from) || !isGiven(to)) continue
    const field = entity.fields[second]!
    const wrong =
      field.kind === 'dateTime'
        ? Date.parse(from as string) >= Date.parse(to as string)
        : field.kind === 'date'
          ? (from as string) > (to as string)
          : (from as string) >= (to as string)
    if (wrong) problems[second] = { code: 'must_be_after', params: { other: entity.fields[first]!.label[language] } }
  }
  for (const group of entity.oneOf ?? []) {
    if (group.filter((key) => isGiven(input[key])).length === 1) continue
    const fields = group.map((key) => entity.fields[key]!.label[language]).join(', ')
    for (const key of group) problems[key] = { code: 'give_exactly_one', params: { fields } }
  }
  return problems
}

export function checkInput(entity: Entity, input: Record<string, unknown>, language: Locale) {
  const problems = problemsOf(entity, input, language)
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

type DatabaseRefusal = { code?: string; constraint?: string; detail?: string }

const keyOfColumn = (entity: Entity, column: string) =>
  Object.keys(entity.fields).find((key) => columnName(key) === column)

/** The field a refusal of PostgreSQL speaks of and what to say there; nothing when it is no fault of the input. */
export function refusalOf(entity: Entity, error: unknown): FieldErrors | undefined {
  const { code, constraint = '', detail } = error as DatabaseRefusal
  const named = entity.constraints?.[constraint]
  if (named) return { [named.field]: { code: named.code as ErrorCode, params: { detail } } }
  if (code === '23505') {
    const field = keyOfColumn(entity, constraint.replace(`${entity.table}_`, '').replace(/_key$/, ''))
    if (field) return { [field]: 'already_exists' }
    const together = entity.uniqueTogether?.[0]?.find((key) => key !== entity.parent?.field)
    return together ? { [together]: 'combination_exists' } : undefined
  }
  if (code === '23503') {
    const field = keyOfColumn(entity, constraint.replace(`${entity.table}_`, '').replace(/_fkey$/, ''))
    const joined = Object.entries(entity.fields).find(([, other]) => other.kind === 'multiReference')?.[0]
    return field || joined ? { [(field ?? joined)!]: 'not_found' } : undefined
  }
  return undefined
}

/** Turns what PostgreSQL refused into a sentence beside the field. */
export async function explainRefusal<T>(entity: Entity, write: () => Promise<T>) {
  try {
    return await write()
  } catch (error) {
    const refusal = refusalOf(entity, error)
    throw refusal ? invalid(refusal) : error
  }
}
