import type { ProfileColumn } from '#domain/transfer/profiles.ts'

type Rules = Pick<ProfileColumn, 'replace' | 'values'>

/** A column's rules with compiled patterns, cached for all rows. */
type Rewording = { replace: { pattern: RegExp; with: string }[]; values: Map<string, string> }
const rewordings = new WeakMap<object, Rewording>()

function rewordingOf(rules: Rules): Rewording {
  const rewording = rewordings.get(rules) ?? {
    replace: (rules.replace ?? []).map(({ pattern, with: by }) => ({ pattern: new RegExp(pattern, 'gi'), with: by })),
    values: new Map(Object.entries(rules.values ?? {}).map(([written, meant]) => [written.toLowerCase(), meant])),
  }
  rewordings.set(rules, rewording)
  return rewording
}

/** Translates a text from another system's file by its profile's rules. */
export function reword(text: string, rules: Rules | undefined): string {
  if (!rules) return text
  const { replace, values } = rewordingOf(rules)
  const changed = replace.reduce((result, { pattern, with: by }) => result.replace(pattern, by), text)
  return values.get(changed.toLowerCase()) ?? changed
}
