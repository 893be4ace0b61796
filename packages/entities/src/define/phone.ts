import { readForeignPhone } from '#entities/define/foreign-phone.ts'

/**
 * A phone number without the signs that people and programs put between its digits: spaces, brackets, dots, hyphens of
 * any kind, and invisible marks, with which WhatsApp and contacts surround a copied number.
 */
export const withoutSeparators = (text: string) => text.replace(/[\s().\p{Pd}\p{Cf}]/gu, '')

/**
 * Converts a typed phone number to E.164; null if it is none. Without a country code (08…, 021…) it is Indonesian, and
 * 62… may lack its plus. All forms of one number give the same text: a second one would get round the opt-out of the first.
 */
export function parsePhone(text: string): string | null {
  const compact = withoutSeparators(text).replace(/^00/, '+')
  const mobile = /^(?:\+?620?|0)(8\d{7,11})$/.exec(compact)?.[1]
  if (mobile) return `+62${mobile}`
  const international = compact.replace(/^(?:\+?620?|0)(?=[1-9])/, '+62')
  const phone = /^\+(?!62[08])[1-9]\d{7,15}$/.test(international) ? readForeignPhone(international) : null
  return phone && /^\+[1-9]\d{7,14}$/.test(phone) ? phone : null
}
