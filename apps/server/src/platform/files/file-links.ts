import crypto from 'node:crypto'
import type { Services } from '#server/platform/services.ts'

type Signing = Pick<Services, 'config' | 'clock'>

const quarter = 15 * 60_000
const step = 5 * 60_000

const signature = (secret: string, parts: readonly string[], expires: string) =>
  crypto
    .createHmac('sha256', secret)
    .update([...parts, expires].join('\n'))
    .digest('base64url')

/** Signs a link for about a quarter of an hour; links made within five minutes are equal, so that browsers cache them. */
export function signLink({ config, clock }: Signing, parts: readonly string[]): string {
  const expires = Math.ceil((clock.now().getTime() + quarter - step) / step) * step
  return `${expires.toString(36)}.${signature(config.secretKey, parts, String(expires))}`
}

export function isLinkValid({ config, clock }: Signing, parts: readonly string[], key: string): boolean {
  const [time = '', given = ''] = key.split('.')
  const expires = Number.parseInt(time, 36)
  if (!(expires > clock.now().getTime())) return false
  const expected = Buffer.from(signature(config.secretKey, parts, String(expires)))
  const received = Buffer.from(given)
  return expected.length === received.length && crypto.timingSafeEqual(expected, received)
}
