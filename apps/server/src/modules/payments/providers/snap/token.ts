import crypto from 'node:crypto'
import { keyFor } from '#server/platform/access/secret-box.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'

/** Lifetime of a bank's token in seconds. */
export const tokenSeconds = 900

type Holder = {
  code: string
  /** Changes with the bank's credentials, which makes older tokens invalid. */
  credentials: string
}

const seal = ({ config }: Services, { code, credentials }: Holder, text: string) =>
  crypto
    .createHmac('sha256', keyFor(config.secretKey, `snap token ${code}`))
    .update(`${text}.${bodyless(credentials)}`)
    .digest('base64url')

const bodyless = (credentials: string) => crypto.createHash('sha256').update(credentials).digest('hex')

/** A token that every server of the portal recognises by its seal, so tokens need not be stored. */
export function makeToken(services: Services, holder: Holder): string {
  const until = services.clock.now().getTime() + tokenSeconds * 1000
  const text = `${until.toString(36)}.${crypto.randomBytes(12).toString('base64url')}`
  return `${text}.${seal(services, holder, text)}`
}

export function isToken(services: Services, holder: Holder, token: string): boolean {
  const [until = '', random = '', receivedSeal = ''] = token.split('.')
  const text = `${until}.${random}`
  return (
    sameText(seal(services, holder, text), receivedSeal) && Number.parseInt(until, 36) > services.clock.now().getTime()
  )
}
