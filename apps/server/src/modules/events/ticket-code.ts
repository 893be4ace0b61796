import crypto from 'node:crypto'
import { signedText, ticketAlphabet, ticketCodeLength } from '#domain/events/ticket.ts'
import type { Services } from '#server/platform/services.ts'

/** A random code of 50 bits. */
export const newTicketCode = () =>
  Array.from(crypto.randomBytes(ticketCodeLength), (byte) => ticketAlphabet[byte % ticketAlphabet.length]).join('')

/** PKCS #8 header of an Ed25519 private key; the 32 bytes of the key follow. */
const header = Buffer.from('302e020100300506032b657004220420', 'hex')
const keys = new Map<string, crypto.KeyObject>()

/** The key that signs tickets follows from the installation's secret key; a new secret voids every printed ticket. */
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

/** Public key in base64url, for phones. */
export const ticketKey = (services: Pick<Services, 'config'>) =>
  crypto.createPublicKey(keyOf(services)).export({ format: 'jwk' }).x!

export const ticketPath = (code: string) => `/tiket/${code}`

/** Text in the QR code: the address of the ticket, with the tag by which a phone knows it without network. */
export const ticketText = (services: Pick<Services, 'config'>, eventId: string, code: string) =>
  `${services.config.publicUrl}${ticketPath(code)}?t=${tagOf(services, eventId, code)}`

/** SHA-256 of a code in hex, as lists name tickets. */
export const hashOfTicket = (code: string) => crypto.createHash('sha256').update(code).digest('hex')
