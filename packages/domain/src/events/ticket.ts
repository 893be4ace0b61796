/** Crockford's alphabet, without I, L, O and U, so that a code read aloud is written down correctly. */
export const ticketAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const ticketCodeLength = 10

const codePattern = /^[0-9A-HJKMNP-TV-Z]{10}$/

/** Normalises a typed code: removes separators and replaces letters mistaken for digits. Null if it is not a code. */
export function typedCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return codePattern.test(code) ? code : null
}

export type Ticket = {
  code: string
  /** Ed25519 signature in base64url; null for a typed code. */
  tag: string | null
}

/** Extracts a ticket from scanned or typed text; null if there is none. */
export function ticketIn(text: string): Ticket | null {
  const found = /\/tiket\/([0-9A-Za-z]{10})(?:\?t=([A-Za-z0-9_-]{86}))?\s*$/.exec(text)
  if (found) {
    const code = typedCode(found[1]!)
    return code ? { code, tag: found[2] ?? null } : null
  }
  const code = typedCode(text)
  return code ? { code, tag: null } : null
}

/** Text signed by a ticket's tag. It contains the event, so a ticket of another event fails. */
export const signedText = (eventId: string, code: string) => `event ticket\n${eventId}\n${code}`

/** Formats a code as `ABCDE-FGHJK`, easier to read and type. */
export const shownCode = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`
