import { parsePhone } from '#entities/define/phone.ts'
import { hasMailbox } from './mailbox.ts'
import { passwordProblem } from './password.ts'

/**
 * Rules of the account forms as plain functions, used by server schemas and browser forms, so that the sign-in page
 * loads no schema library.
 */
export type FieldProblem =
  | 'field_required'
  | 'email_invalid'
  | 'phone_invalid'
  | 'name_too_long'
  | 'name_without_letters'
  | 'password_mismatch'
  | 'consent_required'
  | NonNullable<ReturnType<typeof passwordProblem>>

export const emailMaximum = 254
export const nameMaximum = 100

/**
 * Deliberately loose: the verification mail is the real check. Invisible characters are refused, because they would
 * make a second address for one mailbox.
 */
const emailPattern =
  /^[^\s\p{C}\p{DI}@"<>()[\],;:\\]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/iu

export const isEmail = (text: string) =>
  text.length <= emailMaximum && emailPattern.test(text) && !/^\.|\.\.|\.@/.test(text) && hasMailbox(text)

/** A name has a letter of any script and no pictures: it is printed on cards and certificates and sent to PDDikti. */
export const isName = (text: string) => /\p{L}/u.test(text) && !/\p{Extended_Pictographic}/u.test(text)

export const nameProblem = (name: string): FieldProblem | null => {
  const length = name.trim().length
  if (length === 0) return 'field_required'
  return length > nameMaximum ? 'name_too_long' : isName(name) ? null : 'name_without_letters'
}
export const emailProblem = (email: string): FieldProblem | null => {
  const trimmed = email.trim()
  return trimmed === '' ? 'field_required' : isEmail(trimmed) ? null : 'email_invalid'
}
export const phoneProblem = (phone: string): FieldProblem | null =>
  phone.trim() === '' ? 'field_required' : parsePhone(phone) ? null : 'phone_invalid'
export const newPasswordProblem = (password: string, email?: string): FieldProblem | null =>
  password === '' ? 'field_required' : passwordProblem(password, email)
export const repeatedPasswordProblem = (password: string, repetition: string): FieldProblem | null =>
  repetition === '' ? 'field_required' : repetition === password ? null : 'password_mismatch'
export const filledProblem = (text: string): FieldProblem | null => (text.trim() === '' ? 'field_required' : null)

/** Fields of a body; the schema handles missing fields. */
type SentFields<Name extends string> = Partial<Record<Name, string>>

export const problemIfSent = <T>(
  value: T | undefined,
  problemOf: (value: T) => FieldProblem | null,
): FieldProblem | null => (value === undefined ? null : problemOf(value))

export const signInProblems = ({ email, password }: SentFields<'email' | 'password'>) => ({
  email: problemIfSent(email, filledProblem),
  password: problemIfSent(password, (text) => (text === '' ? 'field_required' : null)),
})

export const addressProblems = ({ email }: SentFields<'email'>) => ({ email: problemIfSent(email, emailProblem) })

export const codeProblems = ({ code }: SentFields<'code'>) => ({ code: problemIfSent(code, filledProblem) })

export const signUpProblems = (
  body: SentFields<'name' | 'email' | 'phone' | 'password' | 'password_confirmation'>,
) => ({
  ...newAccountProblems(body),
  phone: problemIfSent(body.phone, phoneProblem),
})

/** Fields of a staff account. */
export const newAccountProblems = (body: SentFields<'name' | 'email' | 'password' | 'password_confirmation'>) => ({
  name: problemIfSent(body.name, nameProblem),
  ...addressProblems(body),
  ...newPasswordProblems(body),
})

/** Also refuses a password equal to the e-mail address in the body. */
export const newPasswordProblems = (body: SentFields<'email' | 'password' | 'password_confirmation'>) => ({
  password: problemIfSent(body.password, (password) => newPasswordProblem(password, body.email?.trim())),
  password_confirmation: problemIfSent(body.password_confirmation, (repetition) =>
    repeatedPasswordProblem(body.password ?? repetition, repetition),
  ),
})
