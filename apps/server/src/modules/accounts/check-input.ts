import type { FieldProblem } from '#domain/accounts/fields.ts'
import { invalid } from '#server/platform/errors.ts'

/** Throws 422 with every invalid field; does nothing when all are null. */
export function refuseInvalid(problems: Record<string, FieldProblem | null>) {
  const found = Object.entries(problems).filter((entry): entry is [string, FieldProblem] => entry[1] !== null)
  if (found.length > 0) throw invalid(Object.fromEntries(found))
}
