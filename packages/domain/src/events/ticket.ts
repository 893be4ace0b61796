/** Crockford's alphabet: no I, L, O and U, so that a code read aloud is written right. */
export const ticketAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const ticketCodeLength = 10

const codePattern = /^[0-9A-HJKMNP-TV-Z]{10}$/

/** A code as typed, with the letters that are mistaken for digits and without separators; null if it is none. */
export function typedCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return codePattern.test(code) ? code : null
}

export type Ticket = {
  code: string
  /** Ed25519 signature in base64url; null for a code that was typed. */
  tag: string | null
}

/** The ticket in what a camera read, or in what was typed; null if there is none. */
export function ticketIn(text: string): Ticket | null {
  const found = /\/tiket\/([0-9A-Za-z]{10})(?:\?t=([A-Za-z0-9_-]{86}))?\s*$/.exec(text)
  if (found) {
    const code = typedCode(found[1]!)
    return code ? { code, tag: found[2] ?? null } : null
  }
  const code = typedCode(text)
  return code ? { code, tag: null } : null
}

/** What the tag of a ticket signs: a ticket of another event fails at this one. */
export const signedText = (eventId: string, code: string) => `event ticket\n${eventId}\n${code}`

/** `ABCDE-FGHJK`: easier to read and to type. */
export const shownCode = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`
