import type { FieldProblem } from '#domain/accounts/fields.ts'
import { invalid } from '#server/platform/errors.ts'

/** Refuses with a sentence beside every field that has a problem, not only the first. */
export function checkInput(problems: Record<string, FieldProblem | null>) {
  const found = Object.entries(problems).filter((entry): entry is [string, FieldProblem] => entry[1] !== null)
  if (found.length > 0) throw invalid(Object.fromEntries(found))
}
