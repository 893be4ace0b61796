import { isEmail } from '#domain/accounts/fields.ts'
import { parsePhone, withoutSeparators } from '#entities/define/phone.ts'

/** A phone number as people and spreadsheets write it: a number in a cell has lost its leading zero; null if it is none. */
export function phoneOf(text: string): string | null {
  const digits = withoutSeparators(text).replaceAll('/', '')
  return parsePhone(/^8\d{8,11}$/.test(digits) ? `0${digits}` : digits)
}

/** An e-mail address in small letters, with or without the `mailto:` of a copied link; null if it is none. */
export function emailOf(text: string): string | null {
  const email = text.toLowerCase().replace(/^mailto:/, '')
  return isEmail(email) ? email : null
}
