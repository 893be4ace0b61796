import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * E.164 number with country code, without the trunk zero some countries dial before it; null if no country has such
 * numbers.
 */
export function readForeignPhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text)
  return phone?.isValid() ? phone.number : null
}
