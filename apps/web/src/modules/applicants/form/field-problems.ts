import { profileProblems } from '#domain/applicants/profile-problems.ts'
import type { ErrorCode } from '#domain/errors.ts'

/** What the server's rules say of one answer; an empty one is saved and only counts as missing. */
export function problemOf(field: string, answer: unknown): ErrorCode | null {
  if (field === 'fullName' && typeof answer === 'string' && answer.trim() === '') return 'field_required'
  return (profileProblems({ [field]: answer }, new Date())[field] as ErrorCode | null | undefined) ?? null
}
