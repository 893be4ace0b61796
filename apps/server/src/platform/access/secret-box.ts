import crypto from 'node:crypto'

/** Keys for different purposes are made from the one secret of the installation, so that none opens another's box. */
export const keyFor = (secret: string, purpose: string) =>
  Buffer.from(crypto.hkdfSync('sha256', secret, '', purpose, 32))

/** Encrypts a text so that only this installation can read it, and nobody can change it unnoticed. */
export function sealText(secret: string, purpose: string, text: string): string {
  const iv = crypto.randomBytes(12)
  const cipher = crypto.createCipheriv('aes-256-gcm', keyFor(secret, purpose), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** The text of a box, or nothing when it was not sealed here or has been changed. */
export function openText(secret: string, purpose: string, sealed: string): string | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = crypto.createDecipheriv('aes-256-gcm', keyFor(secret, purpose), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
