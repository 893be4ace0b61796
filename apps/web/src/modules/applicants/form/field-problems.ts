import { profileProblems } from '#domain/applicants/profile-problems.ts'
import type { ErrorCode } from '#domain/errors.ts'

/** Error of one answer by the server's rules. An empty answer is no error: it can be saved and counts as missing. */
export function problemOf(field: string, answer: unknown): ErrorCode | null {
  if (field === 'fullName' && typeof answer === 'string' && answer.trim() === '') return 'field_required'
  return (profileProblems({ [field]: answer }, new Date())[field] as ErrorCode | null | undefined) ?? null
}
