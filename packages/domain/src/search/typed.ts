/** What somebody typed into the search, understood once for all kinds. */
export type Typed = {
  /** Lower case, single spaces. */
  text: string
  words: readonly string[]
  /** Without spaces, when it may be a code or number: there is a digit in it. */
  code: string | null
  /** Digits alone, also when written with spaces, dots or dashes. */
  digits: string | null
  /** The digits as phone numbers are stored: `0812…` is kept as `+62812…`. */
  phone: string | null
  /** When it may begin an e-mail address. */
  email: string | null
}

export function understand(q: string): Typed {
  const text = q.trim().toLowerCase().replace(/\s+/g, ' ')
  const joined = text.replace(/[\s.()+-]/g, '')
  const digits = /^\d+$/.test(joined) ? joined : null
  return {
    text,
    words: text.split(' ').slice(0, 8),
    code: /\d/.test(text) ? text.replace(/\s/g, '') : null,
    digits,
    phone: digits && /^08\d{2}/.test(digits) ? digits.replace(/^0/, '62') : null,
    email: !text.includes(' ') && text.length >= 3 && /[@.\d_]/.test(text) && !digits ? text : null,
  }
}
