import { isEmail } from '#domain/accounts/fields.ts'
import { parsePhone, withoutSeparators } from '#entities/define/phone.ts'

/**
 * Parses a typed phone number. The leading zero may be missing, because spreadsheets drop it. Null if the text is no
 * phone number.
 */
export function phoneOf(text: string): string | null {
  const digits = withoutSeparators(text).replaceAll('/', '')
  return parsePhone(/^8\d{8,11}$/.test(digits) ? `0${digits}` : digits)
}

/**
 * Converts an e-mail address to lower case and drops the `mailto:` of a copied link. Null if the text is no e-mail
 * address.
 */
export function emailOf(text: string): string | null {
  const email = text.toLowerCase().replace(/^mailto:/, '')
  return isEmail(email) ? email : null
}
