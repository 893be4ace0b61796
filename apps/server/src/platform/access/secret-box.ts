import crypto from 'node:crypto'

/** Derives a key for one purpose from the installation's secret, so that a key of another purpose cannot decrypt the text. */
export const keyFor = (secret: string, purpose: string) =>
  Buffer.from(crypto.hkdfSync('sha256', secret, '', purpose, 32))

/** Encrypts a text with AES-256-GCM: unreadable without the installation's secret, and a changed byte is detected. */
export function sealText(secret: string, purpose: string, text: string): string {
  const iv = crypto.randomBytes(12)
  const cipher = crypto.createCipheriv('aes-256-gcm', keyFor(secret, purpose), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Decrypts a text of `sealText`; undefined if another secret sealed the text or a byte was changed. */
export function openText(secret: string, purpose: string, sealedText: string): string | undefined {
  try {
    const bytes = Buffer.from(sealedText, 'base64url')
    const decipher = crypto.createDecipheriv('aes-256-gcm', keyFor(secret, purpose), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
