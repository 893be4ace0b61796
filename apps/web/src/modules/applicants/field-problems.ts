import { parsePhone } from '#domain/accounts/phone.ts'
import type { ErrorCode } from '#domain/errors.ts'

const bare = (typed: string) => typed.replace(/[\s.-]/g, '')

const patterns: Record<string, [RegExp, ErrorCode]> = {
  nik: [/^\d{16}$/, 'nik_format'],
  nisn: [/^\d{10}$/, 'nisn_format'],
  postalCode: [/^\d{5}$/, 'postal_code_format'],
  rt: [/^\d{1,3}$/, 'rt_rw_format'],
  rw: [/^\d{1,3}$/, 'rt_rw_format'],
}

/** What can be said of one answer without asking the server; an empty one is saved and only counts as missing. */
export function problemOf(field: string, answer: unknown): ErrorCode | null {
  if (field === 'fullName' && answer === '') return 'field_required'
  if (typeof answer !== 'string' || answer === '') return null
  if (field === 'phone' || field === 'guardianPhone') return parsePhone(answer) ? null : 'phone_invalid'
  const [pattern, code] = patterns[field] ?? []
  return pattern && code && !pattern.test(bare(answer)) ? code : null
}
