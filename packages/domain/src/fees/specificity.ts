/** Parts that a rule may name; null matches all. */
type Naming<P extends string> = Record<P, string | null>

const namedParts = <P extends string>(rule: Naming<P>, parts: readonly P[]) =>
  parts.filter((part) => rule[part] !== null)

/**
 * Negative if `first` is more specific: it names more parts, or equally many including the first part only one rule
 * names. 0 only if both name the same parts.
 */
export function compareSpecificity<P extends string>(first: Naming<P>, second: Naming<P>, parts: readonly P[]): number {
  const difference = namedParts(second, parts).length - namedParts(first, parts).length
  if (difference !== 0) return difference
  for (const part of parts) {
    const order = Number(second[part] !== null) - Number(first[part] !== null)
    if (order !== 0) return order
  }
  return 0
}

/** Applicable rules, most specific first. */
export const rankRules = <P extends string, R extends Naming<P>>(
  rules: readonly R[],
  question: Record<P, string | null>,
  parts: readonly P[],
): R[] =>
  rules
    .filter((rule) => parts.every((part) => rule[part] === null || rule[part] === question[part]))
    .toSorted((first, second) => compareSpecificity<P>(first, second, parts))
