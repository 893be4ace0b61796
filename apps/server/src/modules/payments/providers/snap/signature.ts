import crypto from 'node:crypto'
import { bankCalendar } from '#domain/calendar.ts'
import type { BodyForm } from '#domain/payments/providers/provider-kinds.ts'
import { sameText } from '#server/platform/signed-text.ts'

/**
 * JSON without the spaces between its tokens. Characters are removed, never rewritten: `1.00` and `\/` stay as the bank
 * wrote them, and spaces inside strings stay. An unclosed string reaches to the end of the text, which is read once.
 */
export function minify(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?|[ \t\r\n]+/gs, (part) => (part.startsWith('"') ? part : ''))
}

const formed: Record<BodyForm, (body: string) => string[]> = {
  // The standard signs the minified form; a bank that sends spaces but signs without them is accepted too.
  as_sent: (body) => [body, minify(body)],
  // A bank that minifies before signing may also sign the bytes it sends, so both forms are tried.
  minified: (body) => [minify(body), body],
  no_whitespace: (body) => [body.replace(/[ \t\r\n\f\v]+/g, ''), body],
}

/**
 * Bytes that a signature may cover, likeliest first. Each character stands for one byte, so no byte is lost or changed.
 */
export const signedBodies = (body: Buffer, form: BodyForm) =>
  [...new Set(formed[form](body.toString('latin1')))].map((text) => Buffer.from(text, 'latin1'))

export const bodyHash = (body: string | Buffer) => crypto.createHash('sha256').update(body).digest('hex')

type Signed = { method: string; path: string; accessToken?: string; body: string | Buffer; timestamp: string }

/** The text that a service call signs, without a token if the caller signs with its private key. */
export const serviceText = ({ method, path, accessToken, body, timestamp }: Signed) =>
  [method, path, ...(accessToken === undefined ? [] : [accessToken]), bodyHash(body), timestamp].join(':')

export const tokenText = (clientKey: string, timestamp: string) => `${clientKey}|${timestamp}`

export const hmacOf = (text: string, secret: string) =>
  crypto.createHmac('sha512', secret).update(text).digest('base64')

/** Compares bytes in constant time; base64 is case-sensitive. */
export const isHmac = (text: string, secret: string, signature: string) => sameText(hmacOf(text, secret), signature)

export const rsaOf = (text: string, privateKey: string) =>
  crypto.sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64')

/** Whether the signature of the text fits the public key; false for a malformed key or signature. */
export function isRsa(text: string, publicKey: string, signature: string): boolean {
  try {
    return crypto.verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** `2026-01-15T09:30:00+07:00`, the format of the standard. */
export function jakartaTime(at: Date): string {
  return `${bankCalendar.wallTime(at).replace(' ', 'T')}+07:00`
}
