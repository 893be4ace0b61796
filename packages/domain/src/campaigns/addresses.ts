import { isEmail } from '#domain/accounts/fields.ts'
import { parsePhone, withoutSeparators } from '#entities/define/phone.ts'

/**
 * Parses a typed phone number; null for any other text. The leading zero may be missing, because spreadsheets drop it.
 */
export function phoneOf(text: string): string | null {
  const digits = withoutSeparators(text).replaceAll('/', '')
  return parsePhone(/^8\d{8,11}$/.test(digits) ? `0${digits}` : digits)
}

/** Converts an e-mail address to lower case; null for any other text. Drops the `mailto:` of a copied link. */
export function emailOf(text: string): string | null {
  const email = text.toLowerCase().replace(/^mailto:/, '')
  return isEmail(email) ? email : null
}
