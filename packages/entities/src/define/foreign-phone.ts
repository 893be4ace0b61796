import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A number with its country code in E.164, without the zero that some countries dial before it; null if no country has such numbers. */
export function readForeignPhone(text: string): string | null {
  const phone = parsePhoneNumberFromString(text)
  return phone?.isValid() ? phone.number : null
}
