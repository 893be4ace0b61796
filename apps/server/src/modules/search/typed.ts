import { phoneDigitsOf } from '#domain/accounts/phone.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'

/** A search text, parsed once for all kinds. */
export type ParsedSearch = {
  /** In the form searches compare, with single spaces. */
  text: string
  words: readonly string[]
  /** Without spaces; set if it contains a digit and may be a code or number. */
  code: string | null
  /** Digits without separators; set if it has only digits, spaces, dots and dashes. */
  digits: string | null
  /** Digits as in stored phone numbers, if different from `digits`: `0812…` becomes `62812…`. */
  phone: string | null
  /** Set if it may start an e-mail address. */
  email: string | null
}

export function parseSearch(q: string): ParsedSearch {
  const text = searchKeyOf(q).replace(/\s+/g, ' ').trim()
  const address = q.trim().toLowerCase()
  const withoutSeparators = text.replace(/[\s.()+-]/g, '')
  const digits = /^\d+$/.test(withoutSeparators) ? withoutSeparators : null
  const phone = phoneDigitsOf(text)
  return {
    text,
    words: text.split(' ').slice(0, 8),
    code: /\d/.test(text) ? text.replace(/\s/g, '') : null,
    digits,
    phone: phone === digits ? null : phone,
    email: !address.includes(' ') && address.length >= 3 && /[@.\d_]/.test(address) && !digits ? address : null,
  }
}
