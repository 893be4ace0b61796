import { bareDigits } from '#domain/applicants/profile-problems.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Problems } from '#domain/endpoint.ts'

/*
 * Codes of the ministry's register (PDDikti Neo Feeder: GetJenisTinggal, GetAlatTransportasi, GetPembiayaan,
 * GetJenjangPendidikan, GetPekerjaan, GetPenghasilan), without codes that only mean "not filled in".
 */
export const residences = ['1', '2', '3', '4', '5', '99'] as const
export const transports = ['1', '2', '3', '4', '5', '6', '7', '8', '11', '12', '13', '14', '99'] as const
export const financings = ['1', '2', '3'] as const
export const parentEducations = [
  ...(['0', '3', '4', '5', '6', '7', '8', '9', '20', '21', '22'] as const),
  ...(['23', '30', '31', '35', '40', '90', '91', '99'] as const),
] as const
export const parentOccupations = [
  ...(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'] as const),
  ...(['12', '13', '14', '15', '16', '17', '98', '99'] as const),
] as const
export const parentIncomes = ['11', '12', '13', '14', '15', '16'] as const

/** Form fields by section, in the order on screen. Names of parents and guardian are in the profile. */
export const enrolmentFieldsOf = {
  living: ['residence', 'transport', 'hamlet', 'homePhone', 'taxNumber'],
  support: ['financing', 'kpsRecipient', 'kpsNumber'],
  mother: ['motherName', 'motherNik', 'motherBirthDate', 'motherEducation', 'motherOccupation', 'motherIncome'],
  father: ['fatherName', 'fatherNik', 'fatherBirthDate', 'fatherEducation', 'fatherOccupation', 'fatherIncome'],
  guardian: ['guardianName', 'guardianBirthDate', 'guardianEducation', 'guardianOccupation', 'guardianIncome'],
  transfer: ['previousUniversity', 'previousProgramme', 'recognisedCredits'],
} as const
export type EnrolmentSection = keyof typeof enrolmentFieldsOf
export type EnrolmentField = (typeof enrolmentFieldsOf)[EnrolmentSection][number]

/** Fields without which the register refuses a student. */
export const requiredEnrolmentFields = ['residence', 'transport', 'financing', 'motherName'] as const

/** Fields for roles that see identity numbers. A person's tax number is the NIK. */
export const identityNumberFields = ['motherNik', 'fatherNik', 'taxNumber'] as const satisfies EnrolmentField[]

/** The only fields with fixed choices, with the name of their words. */
export const enrolmentChoices = {
  residence: [residences, 'residence'],
  transport: [transports, 'transport'],
  financing: [financings, 'financing'],
  motherEducation: [parentEducations, 'education'],
  fatherEducation: [parentEducations, 'education'],
  guardianEducation: [parentEducations, 'education'],
  motherOccupation: [parentOccupations, 'occupation'],
  fatherOccupation: [parentOccupations, 'occupation'],
  guardianOccupation: [parentOccupations, 'occupation'],
  motherIncome: [parentIncomes, 'income'],
  fatherIncome: [parentIncomes, 'income'],
  guardianIncome: [parentIncomes, 'income'],
} as const

type Answers = Partial<Record<EnrolmentField, string | number | boolean | null>>

/** Problems with a student's answers: wrong formats, and empty ones the register requires. */
export function enrolmentProblems(answers: Answers, now: Date): Problems {
  const missing = requiredEnrolmentFields.map((field) => [field, answers[field] ? null : 'field_required'] as const)
  return { ...Object.fromEntries(missing), ...enrolmentFormatProblems(answers, now) }
}

/** Checks the format of each answer separately. Empty answers pass, so that staff can correct a single one. */
export function enrolmentFormatProblems(answers: Answers, now: Date): Problems {
  const today = universityCalendar().dayOf(now)
  const digits = (value: Answers[EnrolmentField]) => bareDigits(String(value ?? ''))
  const problems: Problems = {}
  for (const field of ['motherNik', 'fatherNik'] as const)
    problems[field] = !answers[field] || /^\d{16}$/.test(digits(answers[field])) ? null : 'nik_format'
  for (const field of ['motherBirthDate', 'fatherBirthDate', 'guardianBirthDate'] as const) {
    const day = answers[field]
    problems[field] = day && (day < '1900-01-01' || day >= today) ? 'birth_date_range' : null
  }
  const phone = String(answers.homePhone ?? '')
  problems.homePhone = phone === '' || /^\+?[\d\s().-]{5,20}$/.test(phone) ? null : 'home_phone_format'
  problems.taxNumber = !answers.taxNumber || /^\d{15,16}$/.test(digits(answers.taxNumber)) ? null : 'tax_number_format'
  problems.kpsNumber = answers.kpsRecipient && !answers.kpsNumber ? 'field_required' : null
  return problems
}
