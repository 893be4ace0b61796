import type { Entity } from './entity.ts'
import type { Localized } from './field.ts'

export type RuleProblem = { code: 'must_be_after' | 'give_exactly_one'; params: Record<string, string> }

export const isGiven = (value: unknown) => value !== null && value !== undefined

/** Rules between fields of one row, from the declaration: what is wrong beside each field, all of it at once. */
export function problemsOf(entity: Entity, input: Record<string, unknown>, language: keyof Localized) {
  const problems: Record<string, RuleProblem> = {}
  const labelOf = (key: string) => entity.fields[key]!.label[language]
  for (const [first, second] of entity.before ?? []) {
    const [from, to] = [input[first], input[second]]
    if (!isGiven(from) || !isGiven(to)) continue
    const { kind } = entity.fields[second]!
    const wrong =
      kind === 'dateTime'
        ? Date.parse(from as string) >= Date.parse(to as string)
        : kind === 'date'
          ? (from as string) > (to as string)
          : (from as string) >= (to as string)
    if (wrong) problems[second] = { code: 'must_be_after', params: { other: labelOf(first) } }
  }
  for (const group of entity.oneOf ?? []) {
    if (group.filter((key) => isGiven(input[key])).length === 1) continue
    const fields = group.map(labelOf).join(', ')
    for (const key of group) problems[key] = { code: 'give_exactly_one', params: { fields } }
  }
  return problems
}
