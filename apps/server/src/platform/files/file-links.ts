import crypto from 'node:crypto'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'

type Signing = Pick<Services, 'config' | 'clock'>

const lifetimeMs = 15 * 60_000
const stepMs = 5 * 60_000

const signature = (secret: string, parts: readonly string[], expires: string) =>
  crypto
    .createHmac('sha256', secret)
    .update([...parts, expires].join('\n'))
    .digest('base64url')

/**
 * Signs a link that lasts 10 to 15 minutes. Links made within the same five minutes are equal, so browsers can cache
 * them.
 */
export function signLink({ config, clock }: Signing, parts: readonly string[]): string {
  const expires = Math.ceil((clock.now().getTime() + lifetimeMs - stepMs) / stepMs) * stepMs
  return `${expires.toString(36)}.${signature(config.secretKey, parts, String(expires))}`
}

export function isLinkValid({ config, clock }: Signing, parts: readonly string[], key: string): boolean {
  const [time = '', sentSignature = ''] = key.split('.')
  const expires = Number.parseInt(time, 36)
  if (!(expires > clock.now().getTime())) return false
  return sameText(sentSignature, signature(config.secretKey, parts, String(expires)))
}
