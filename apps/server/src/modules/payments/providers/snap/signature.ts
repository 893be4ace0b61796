import crypto from 'node:crypto'
import { bankCalendar } from '#domain/calendar.ts'
import type { BodyForm } from '#domain/payments/providers/provider-kinds.ts'
import { sameText } from '#server/modules/payments/providers/same-text.ts'

/**
 * JSON without the spaces between its parts. It is cut, never written anew: `1.00` and `\/` stay as the bank wrote them,
 * and spaces inside strings belong to the strings. A string without an end goes to the end of the text, which is read once.
 */
export function minify(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|[ \t\r\n]+/gs, (part) => (part.startsWith('"') ? part : ''))
}

const formed: Record<BodyForm, (body: string) => string[]> = {
  // The standard signs the minified form: a bank that sends spaces and signs without them is understood as well.
  as_sent: (body) => [body, minify(body)],
  // A bank that signs the minified form and sends the same bytes is understood either way.
  minified: (body) => [minify(body), body],
  no_whitespace: (body) => [body.replace(/[ \t\r\n\f\v]+/g, ''), body],
}

/** Bytes of which a signature may speak, the likeliest first. One character stands for one byte: none is lost or changed. */
export const signedBodies = (body: Buffer, form: BodyForm) =>
  [...new Set(formed[form](body.toString('latin1')))].map((text) => Buffer.from(text, 'latin1'))

export const bodyHash = (body: string | Buffer) => crypto.createHash('sha256').update(body).digest('hex')

type Signed = { method: string; path: string; accessToken?: string; body: string | Buffer; timestamp: string }

/** What a signature of a service call is made over; without a token where the caller signs with its private key. */
export const serviceText = ({ method, path, accessToken, body, timestamp }: Signed) =>
  [method, path, ...(accessToken === undefined ? [] : [accessToken]), bodyHash(body), timestamp].join(':')

export const tokenText = (clientKey: string, timestamp: string) => `${clientKey}|${timestamp}`

export const hmacOf = (text: string, secret: string) =>
  crypto.createHmac('sha512', secret).update(text).digest('base64')

/** Compared as bytes and in constant time; letters of base64 are not the same in another size. */
export const isHmac = (text: string, secret: string, signature: string) => sameText(hmacOf(text, secret), signature)

export const rsaOf = (text: string, privateKey: string) =>
  crypto.sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64')

/** Whether a private key's owner signed the text; a key or signature that is none says no. */
export function isRsa(text: string, publicKey: string, signature: string): boolean {
  try {
    return crypto.verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** `2026-01-15T09:30:00+07:00`, as the standard wants it. */
export function jakartaTime(at: Date): string {
  return `${bankCalendar.wallTime(at).replace(' ', 'T')}+07:00`
}
