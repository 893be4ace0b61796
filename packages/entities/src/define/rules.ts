import { declaredField, type Entity } from './entity.ts'
import type { Localized } from './language.ts'

export type RuleProblem = { code: 'must_be_after' | 'give_exactly_one'; params: Record<string, string> }

export const isGiven = (value: unknown) => value !== null && value !== undefined

/** Checks rules between fields of a row; returns all problems by field. */
export function problemsOf(entity: Entity, input: Record<string, unknown>, language: keyof Localized) {
  const problems: Record<string, RuleProblem> = {}
  const labelOf = (key: string) => declaredField(entity, key).label[language]
  for (const [startField, endField] of entity.before ?? []) {
    const [start, end] = [input[startField], input[endField]]
    if (!isGiven(start) || !isGiven(end)) continue
    const { kind } = declaredField(entity, endField)
    const outOfOrder =
      kind === 'dateTime'
        ? Date.parse(start as string) >= Date.parse(end as string)
        : kind === 'date'
          ? (start as string) > (end as string)
          : (start as string) >= (end as string)
    if (outOfOrder) problems[endField] = { code: 'must_be_after', params: { other: labelOf(startField) } }
  }
  for (const group of entity.oneOf ?? []) {
    if (group.filter((key) => isGiven(input[key])).length === 1) continue
    const fields = group.map(labelOf).join(', ')
    for (const key of group) problems[key] = { code: 'give_exactly_one', params: { fields } }
  }
  return problems
}
