import crypto from 'node:crypto'
import { sameText } from '#server/modules/payments/providers/same-text.ts'
import { keyFor } from '#server/platform/access/secret-box.ts'
import type { Services } from '#server/platform/services.ts'

/** Seconds for which a bank may use a token. */
export const tokenSeconds = 900

type Holder = {
  code: string
  /** Made anew with every change of the bank's credentials: then older tokens are worth nothing. */
  credentials: string
}

const seal = ({ config }: Services, { code, credentials }: Holder, text: string) =>
  crypto
    .createHmac('sha256', keyFor(config.secretKey, `snap token ${code}`))
    .update(`${text}.${bodyless(credentials)}`)
    .digest('base64url')

const bodyless = (credentials: string) => crypto.createHash('sha256').update(credentials).digest('hex')

/** A token any of our servers recognises by its seal: none has to be kept. */
export function makeToken(services: Services, holder: Holder): string {
  const until = services.clock.now().getTime() + tokenSeconds * 1000
  const text = `${until.toString(36)}.${crypto.randomBytes(12).toString('base64url')}`
  return `${text}.${seal(services, holder, text)}`
}

export function isToken(services: Services, holder: Holder, token: string): boolean {
  const [until = '', random = '', given = ''] = token.split('.')
  const text = `${until}.${random}`
  return sameText(seal(services, holder, text), given) && Number.parseInt(until, 36) > services.clock.now().getTime()
}
