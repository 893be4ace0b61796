import { isName } from '#domain/accounts/fields.ts'
import { onField } from '#domain/body-check.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Problem, Problems } from '#domain/endpoint.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { parsePhone } from '#entities/define/phone.ts'
import { isPossibleNik } from './nik.ts'

/** Removes spaces, dots and dashes; numbers are stored without them. */
export const bareDigits = (text: string) => text.replace(/[\s.-]/g, '')

/** Formats of profile numbers without separators. */
const profileNumbers = {
  nik: [/^\d{16}$/, 'nik_format'],
  nisn: [/^\d{10}$/, 'nisn_format'],
  postalCode: [/^\d{5}$/, 'postal_code_format'],
  rt: [/^\d{1,3}$/, 'rt_rw_format'],
  rw: [/^\d{1,3}$/, 'rt_rw_format'],
} as const satisfies Record<string, [RegExp, ErrorCode]>

type ProfileNumber = keyof typeof profileNumbers
export const profileNumberNames = Object.keys(profileNumbers) as ProfileNumber[]

const profileNames = ['fullName', 'motherName', 'fatherName', 'guardianName'] as const
type ProfileText = ProfileNumber | (typeof profileNames)[number] | 'phone' | 'guardianPhone' | 'birthDate'
type ProfileTexts = Partial<Record<ProfileText, string | null>>

/** Checks each answer of a profile separately; empty answers pass. */
export function profileProblems(answers: ProfileTexts, now: Date): Problems {
  const year = Number(universityCalendar().dayOf(now).slice(0, 4))
  const problems: Problems = {
    birthDate:
      answers.birthDate && (answers.birthDate < '1930-01-01' || answers.birthDate > `${year - 10}`)
        ? 'birth_date_range'
        : null,
  }
  for (const name of profileNumberNames) {
    const [pattern, code] = profileNumbers[name]
    const answer = answers[name]
    if (answer) problems[name] = pattern.test(bareDigits(answer)) ? null : code
  }
  if (answers.nik && !problems.nik && !isPossibleNik(bareDigits(answers.nik))) problems.nik = 'nik_impossible'
  for (const name of ['phone', 'guardianPhone'] as const) {
    const answer = answers[name]
    if (answer) problems[name] = parsePhone(answer) ? null : 'phone_invalid'
  }
  for (const name of profileNames) {
    const answer = answers[name]
    if (answer) problems[name] = isName(answer) ? null : 'name_without_letters'
  }
  return problems
}

type Licence = { drives?: boolean; class?: string | null; number?: string | null; expiresOn?: string | null }

/** Requires applicants who drive to give class, number and an expiry date not in the past. */
export function licenceProblems(licence: Licence, now: Date): Problems {
  if (!licence.drives) return {}
  const number = bareDigits(licence.number ?? '')
  const today = universityCalendar().dayOf(now)
  const expiryProblem = (day: string): Problem | null => (day < today ? 'licence_expired' : null)
  return {
    class: licence.class ? null : 'field_required',
    number: number === '' ? 'field_required' : /^\d{12,16}$/.test(number) ? null : 'licence_number_format',
    expiresOn: licence.expiresOn ? onField(licence.expiresOn, expiryProblem) : 'field_required',
  }
}

/** Checks the NPSN, the number of a school in the national register. */
export const proposalProblems = ({ npsn }: { npsn?: string | undefined }): Problems => ({
  npsn: npsn && !/^\d{8}$/.test(bareDigits(npsn)) ? 'npsn_format' : null,
})
