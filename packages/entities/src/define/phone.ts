import { readForeignPhone } from '#entities/define/foreign-phone.ts'

/**
 * A phone number without separators between its digits: spaces, brackets, dots, hyphens of any kind, and the invisible
 * marks WhatsApp and contact apps put around a copied number.
 */
export const withoutSeparators = (text: string) => text.replace(/[\s().\p{Pd}\p{Cf}]/gu, '')

/**
 * Converts a typed phone number to E.164; null if it is not one. A number without a country code (08…, 021…) is
 * Indonesian, and 62… may lack its plus. All spellings of a number give the same text, so that another spelling cannot
 * evade an opt-out.
 */
export function parsePhone(text: string): string | null {
  const compact = withoutSeparators(text).replace(/^00/, '+')
  const mobile = /^(?:\+?620?|0)(8\d{7,11})$/.exec(compact)?.[1]
  if (mobile) return `+62${mobile}`
  const international = compact.replace(/^(?:\+?620?|0)(?=[1-9])/, '+62')
  const phone = /^\+(?!62[08])[1-9]\d{7,15}$/.test(international) ? readForeignPhone(international) : null
  return phone && /^\+[1-9]\d{7,14}$/.test(phone) ? phone : null
}
