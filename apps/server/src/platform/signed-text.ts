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
