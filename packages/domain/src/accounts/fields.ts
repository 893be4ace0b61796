import { passwordProblem } from './password.ts'
import { parsePhone } from './phone.ts'

/**
 * The rules of the account forms as plain functions: the server's schemas and the browser's forms both call them, and
 * the sign-in page stays small because nothing else is needed to check it.
 */
export type FieldProblem =
  | 'field_required'
  | 'email_invalid'
  | 'phone_invalid'
  | 'name_too_long'
  | 'password_mismatch'
  | 'consent_required'
  | NonNullable<ReturnType<typeof passwordProblem>>

export const emailMaximum = 254
export const nameMaximum = 100

/** Deliberately loose: the verification mail is the real check. */
const emailPattern = /^[^\s@"<>()[\],;:\\]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

export const isEmail = (typed: string) =>
  typed.length <= emailMaximum && emailPattern.test(typed) && !/^\.|\.\.|\.@/.test(typed)

export const nameProblem = (name: string): FieldProblem | null => {
  const length = name.trim().length
  return length === 0 ? 'field_required' : length > nameMaximum ? 'name_too_long' : null
}
export const emailProblem = (email: string): FieldProblem | null => {
  const typed = email.trim()
  return typed === '' ? 'field_required' : isEmail(typed) ? null : 'email_invalid'
}
export const phoneProblem = (phone: string): FieldProblem | null =>
  phone.trim() === '' ? 'field_required' : parsePhone(phone) ? null : 'phone_invalid'
export const newPasswordProblem = (password: string, email?: string): FieldProblem | null =>
  password === '' ? 'field_required' : passwordProblem(password, email)
export const repeatedPasswordProblem = (password: string, repeated: string): FieldProblem | null =>
  repeated === '' ? 'field_required' : repeated === password ? null : 'password_mismatch'
export const filledProblem = (typed: string): FieldProblem | null => (typed.trim() === '' ? 'field_required' : null)

/** Fields of a body; the schema refuses missing ones. */
type Sent<Name extends string> = Partial<Record<Name, string>>

const sent = <T>(value: T | undefined, problemOf: (value: T) => FieldProblem | null): FieldProblem | null =>
  value === undefined ? null : problemOf(value)

export const signInProblems = ({ email, password }: Sent<'email' | 'password'>) => ({
  email: sent(email, filledProblem),
  password: sent(password, (typed) => (typed === '' ? 'field_required' : null)),
})

export const addressProblems = ({ email }: Sent<'email'>) => ({ email: sent(email, emailProblem) })

export const codeProblems = ({ code }: Sent<'code'>) => ({ code: sent(code, filledProblem) })

export const signUpProblems = (typed: Sent<'name' | 'email' | 'phone' | 'password' | 'password_confirmation'>) => ({
  name: sent(typed.name, nameProblem),
  ...addressProblems(typed),
  phone: sent(typed.phone, phoneProblem),
  ...newPasswordProblems(typed),
})

/** Refuses a password that is the e-mail address too, if the body has one. */
export const newPasswordProblems = (typed: Sent<'email' | 'password' | 'password_confirmation'>) => ({
  password: sent(typed.password, (password) => newPasswordProblem(password, typed.email?.trim())),
  password_confirmation: sent(typed.password_confirmation, (repeated) =>
    repeatedPasswordProblem(typed.password ?? repeated, repeated),
  ),
})
