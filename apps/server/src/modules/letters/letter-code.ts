import type { Services } from '#server/platform/services.ts'
import { sameText, signatureOf } from '#server/platform/signed-text.ts'

type Secret = Pick<Services, 'config'>

const prefix = 'surat.'

const tagOf = (services: Secret, id: string) => signatureOf(services, 'letter', id, 'base64url')

const shortened = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

/** Code on a letter: its id and a tag made with the installation's secret key, 49 characters. */
export const letterCode = (services: Secret, id: string) => `${prefix}${shortened(id)}.${tagOf(services, id)}`

/** URL in the QR code of a letter. */
export const letterAddress = (services: Secret, id: string) =>
  `${services.config.publicUrl}/verifikasi/${letterCode(services, id)}`

/** Letter id in a genuine code; undefined for any other text. */
export function idOfLetterCode(services: Secret, code: string): string | undefined {
  if (!code.startsWith(prefix)) return undefined
  const [short = '', tag = ''] = code.slice(prefix.length).split('.')
  const hex = Buffer.from(short, 'base64url').toString('hex')
  if (hex.length !== 32) return undefined
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return sameText(tag, tagOf(services, id)) ? id : undefined
}
