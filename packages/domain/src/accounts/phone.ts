import { withoutSeparators } from '#entities/define/phone.ts'

/**
 * Digits of a typed phone number (or part of one) as stored numbers contain them: `0812…` becomes `62812…`. Null for
 * text with characters other than digits and separators.
 */
export function phoneDigitsOf(typed: string): string | null {
  const digits = withoutSeparators(typed).replaceAll('+', '')
  return /^\d+$/.test(digits) ? digits.replace(/^0(?=8)/, '62') : null
}

/** Digits to search for in stored numbers: `0812` is either the beginning `62812` or a part from the middle. */
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
