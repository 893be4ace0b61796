import { isEmail } from '#domain/accounts/fields.ts'
import { parsePhone, withoutSeparators } from '#entities/define/phone.ts'

/**
 * Parses a phone number as typed, or as a spreadsheet stores it without its leading zero. Null if it is no phone
 * number.
 */
export function phoneOf(text: string): string | null {
  const digits = withoutSeparators(text).replaceAll('/', '')
  return parsePhone(/^8\d{8,11}$/.test(digits) ? `0${digits}` : digits)
}

/** Parses an e-mail address into lower case and drops the `mailto:` of a copied link. Null if it is no address. */
export function emailOf(text: string): string | null {
  const email = text.toLowerCase().replace(/^mailto:/, '')
  return isEmail(email) ? email : null
}
