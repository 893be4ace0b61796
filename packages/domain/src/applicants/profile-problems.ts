import { parsePhone } from '#domain/accounts/phone.ts'
import { onField } from '#domain/body-check.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Problem, Problems } from '#domain/endpoint.ts'
import type { ErrorCode } from '#domain/errors.ts'

/** Numbers are written with spaces, dots or dashes, and stored without. */
export const bareDigits = (typed: string) => typed.replace(/[\s.-]/g, '')

/** Form of the numbers of a profile once they are bare. */
const profileNumbers = {
  nik: [/^\d{16}$/, 'nik_format'],
  nisn: [/^\d{10}$/, 'nisn_format'],
  postalCode: [/^\d{5}$/, 'postal_code_format'],
  rt: [/^\d{1,3}$/, 'rt_rw_format'],
  rw: [/^\d{1,3}$/, 'rt_rw_format'],
} as const satisfies Record<string, [RegExp, ErrorCode]>

type ProfileNumber = keyof typeof profileNumbers
export const profileNumberNames = Object.keys(profileNumbers) as ProfileNumber[]

type Written = Partial<Record<ProfileNumber | 'phone' | 'guardianPhone' | 'birthDate', string | null>>

/** Checks each answer of a profile by itself; empty answers pass. */
export function profileProblems(given: Written, now: Date): Problems {
  const year = Number(universityCalendar().dayOf(now).slice(0, 4))
  const problems: Problems = {
    birthDate:
      given.birthDate && (given.birthDate < '1930-01-01' || given.birthDate > `${year - 10}`)
        ? 'birth_date_range'
        : null,
  }
  for (const name of profileNumberNames) {
    const [pattern, code] = profileNumbers[name]
    const typed = given[name]
    if (typed) problems[name] = pattern.test(bareDigits(typed)) ? null : code
  }
  for (const name of ['phone', 'guardianPhone'] as const) {
    const typed = given[name]
    if (typed) problems[name] = parsePhone(typed) ? null : 'phone_invalid'
  }
  return problems
}

type Licence = { drives?: boolean; class?: string | null; number?: string | null; expiresOn?: string | null }

/** Requires class, number and a last day that is not over from applicants who drive. */
export function licenceProblems(given: Licence, now: Date): Problems {
  if (!given.drives) return {}
  const number = bareDigits(given.number ?? '')
  const today = universityCalendar().dayOf(now)
  const ofDay = (day: string): Problem | null => (day < today ? 'licence_expired' : null)
  return {
    class: given.class ? null : 'field_required',
    number: number === '' ? 'field_required' : /^\d{12,16}$/.test(number) ? null : 'licence_number_format',
    expiresOn: given.expiresOn ? onField(given.expiresOn, ofDay) : 'field_required',
  }
}

/** NPSN is the number of a school in the national register. */
export const proposalProblems = ({ npsn }: { npsn?: string | undefined }): Problems => ({
  npsn: npsn && !/^\d{8}$/.test(bareDigits(npsn)) ? 'npsn_format' : null,
})
