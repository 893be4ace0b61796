/**
 * A phone number without the signs that people and programs put between its digits: spaces, brackets, dots, hyphens of
 * any kind, and invisible marks, with which WhatsApp and contacts surround a copied number.
 */
export const withoutSeparators = (text: string) => text.replace(/[\s().\p{Pd}\p{Cf}]/gu, '')

/** Converts an Indonesian mobile number (08…, 62…, +62…, +62 (0)…) to E.164; null if it is none. */
export function parsePhone(text: string): string | null {
  const local = /^(?:\+?620?|0)(8\d{7,11})$/.exec(withoutSeparators(text))?.[1]
  return local ? `+62${local}` : null
}

/**
 * The one form of a number that people are written to at: an Indonesian mobile number, or any other with its country
 * code; null if it is none. A mobile number in a second form would get round the opt-out of the first.
 */
export function parseContactPhone(text: string): string | null {
  const digits = withoutSeparators(text).replace(/^\+620(?!0)/, '+62')
  return parsePhone(digits) ?? (/^\+(?!620|628)[1-9]\d{7,14}$/.test(digits) ? digits : null)
}

/**
 * Digits of a typed phone number, or of a part of one, as a stored number contains them: `0812…` becomes `62812…`; null
 * for texts with other characters than digits and separators.
 */
export function phoneDigitsOf(typed: string): string | null {
  const digits = withoutSeparators(typed).replaceAll('+', '')
  return /^\d+$/.test(digits) ? digits.replace(/^0(?=8)/, '62') : null
}

/** The digits to look for in stored numbers: `0812` is either the beginning `62812`, or a part from the middle. */
export function phonePartsOf(typed: string): string[] {
  const digits = phoneDigitsOf(typed)
  if (digits === null) return []
  const asTyped = typed.replace(/\D/g, '')
  return digits === asTyped ? [digits] : [digits, asTyped]
}

/** `+6281234567890` → `0812-3456-7890`. */
export function formatPhone(phone: string): string {
  const local = phone.startsWith('+62') ? `0${phone.slice(3)}` : phone
  return local.replace(/^(\d{4})(\d{4})(\d+)$/, '$1-$2-$3')
}
