import crypto from 'node:crypto'
import type { Services } from './services.ts'

const digest = (text: string) => crypto.createHash('sha256').update(text).digest()

/** Compares two texts in constant time, so that the duration does not reveal how much matches. */
export const sameText = (one: string, other: string) => crypto.timingSafeEqual(digest(one), digest(other))

/**
 * Signature of 20 characters by the installation's secret key, for printed codes. `kind` is part of the signed text: a
 * code of one kind never fits another, and a changed `kind` invalidates everything printed.
 */
export const signatureOf = (
  { config }: Pick<Services, 'config'>,
  kind: string,
  text: string,
  encoding: 'hex' | 'base64url' = 'hex',
) => crypto.createHmac('sha256', config.secretKey).update(`${kind}\n${text}`).digest(encoding).slice(0, 20)

/** An id with its signature as one text for an address: 52 hexadecimal digits. */
export const signedId = (services: Pick<Services, 'config'>, kind: string, id: string) =>
  `${id.replaceAll('-', '')}${signatureOf(services, kind, id)}`

/** The id in a genuine `signedId` of this kind; null for any other text. */
export function idOfSigned(services: Pick<Services, 'config'>, kind: string, text: string): string | null {
  if (!/^[0-9a-f]{52}$/.test(text)) return null
  const id = text.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return sameText(text, signedId(services, kind, id)) ? id : null
}
