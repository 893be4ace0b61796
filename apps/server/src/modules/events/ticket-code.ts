import crypto from 'node:crypto'
import { signedText, ticketAlphabet, ticketCodeLength } from '#domain/events/ticket.ts'
import type { Services } from '#server/platform/services.ts'

export const newTicketCode = () =>
  Array.from(crypto.randomBytes(ticketCodeLength), (byte) => ticketAlphabet[byte % ticketAlphabet.length]).join('')

/** PKCS #8 header of an Ed25519 private key; the key's 32 bytes follow. */
const header = Buffer.from('302e020100300506032b657004220420', 'hex')
const keys = new Map<string, crypto.KeyObject>()

/**
 * Key that signs tickets, derived from the installation's secret key. A new secret invalidates every printed ticket.
 */
function keyOf({ config }: Pick<Services, 'config'>) {
  const known = keys.get(config.secretKey)
  if (known) return known
  const seed = Buffer.from(crypto.hkdfSync('sha256', config.secretKey, '', 'event tickets', 32))
  const key = crypto.createPrivateKey({ key: Buffer.concat([header, seed]), format: 'der', type: 'pkcs8' })
  keys.set(config.secretKey, key)
  return key
}

export const tagOf = (services: Pick<Services, 'config'>, eventId: string, code: string) =>
  crypto.sign(null, Buffer.from(signedText(eventId, code)), keyOf(services)).toString('base64url')

export const isGenuine = (services: Pick<Services, 'config'>, eventId: string, code: string, tag: string) =>
  crypto.verify(
    null,
    Buffer.from(signedText(eventId, code)),
    crypto.createPublicKey(keyOf(services)),
    Buffer.from(tag, 'base64url'),
  )

/** Public key in base64url, for check-in devices. */
export const ticketKey = (services: Pick<Services, 'config'>) =>
  crypto.createPublicKey(keyOf(services)).export({ format: 'jwk' }).x!

export const ticketPath = (code: string) => `/tiket/${code}`

/** Text of the QR code: the ticket's URL with a tag, so that a device can verify it offline. */
export const ticketText = (services: Pick<Services, 'config'>, eventId: string, code: string) =>
  `${services.config.publicUrl}${ticketPath(code)}?t=${tagOf(services, eventId, code)}`

/** SHA-256 of a code in hex; check-in lists contain this instead of the code. */
export const hashOfTicket = (code: string) => crypto.createHash('sha256').update(code).digest('hex')
