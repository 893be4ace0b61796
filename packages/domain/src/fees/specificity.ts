/** Parts that a rule may name; null stands for every one. */
type Naming<P extends string> = Record<P, string | null>

const namedParts = <P extends string>(rule: Naming<P>, parts: readonly P[]) =>
  parts.filter((part) => rule[part] !== null)

/**
 * Negative when `one` is more specific: it names more of the parts, or as many and the first part that only one of the two
 * names. Zero only for rules that name the same parts.
 */
export function compareSpecificity<P extends string>(one: Naming<P>, other: Naming<P>, parts: readonly P[]): number {
  const difference = namedParts(other, parts).length - namedParts(one, parts).length
  if (difference !== 0) return difference
  for (const part of parts) {
    const order = Number(other[part] !== null) - Number(one[part] !== null)
    if (order !== 0) return order
  }
  return 0
}

/** The rules that speak of what is asked, the most specific first. */
export const rankRules = <P extends string, R extends Naming<P>>(
  rules: readonly R[],
  question: Record<P, string | null>,
  parts: readonly P[],
): R[] =>
  rules
    .filter((rule) => parts.every((part) => rule[part] === null || rule[part] === question[part]))
    .toSorted((one, other) => compareSpecificity<P>(one, other, parts))
