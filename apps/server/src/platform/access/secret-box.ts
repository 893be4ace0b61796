import crypto from 'node:crypto'

/** Cache of derived keys by secret and purpose: deriving a key takes longer than using it. */
const keys = new Map<string, Buffer>()
const maxKeys = 200

/**
 * Derives a key for one purpose from the installation's secret, so a key for another purpose cannot decrypt the text.
 */
export function keyFor(secret: string, purpose: string): Buffer {
  const name = JSON.stringify([secret, purpose])
  const known = keys.get(name)
  if (known) return known
  const key = Buffer.from(crypto.hkdfSync('sha256', secret, '', purpose, 32))
  if (keys.size < maxKeys) keys.set(name, key)
  return key
}

const ivBytes = 12
/** By default Node accepts shorter tags, which are easier to forge. */
const authTagLength = 16

function sealWith(iv: Buffer, key: Buffer, text: string): string {
  const cipher = crypto.createCipheriv('aes-256-gcm', key, iv, { authTagLength })
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Encrypts a text with AES-256-GCM: unreadable without the installation's secret, and any changed byte is detected. */
export const sealText = (secret: string, purpose: string, text: string): string =>
  sealWith(crypto.randomBytes(ivBytes), keyFor(secret, purpose), text)

/**
 * Like `sealText`, but equal texts give equal results: the initialisation vector is a keyed hash of the text, so no two
 * texts share a vector.
 */
export function sealTextRepeatably(secret: string, purpose: string, text: string): string {
  const hash = crypto.createHmac('sha256', keyFor(secret, `${purpose}: initialisation vector`)).update(text)
  return sealWith(hash.digest().subarray(0, ivBytes), keyFor(secret, purpose), text)
}

/** Decrypts a text from `sealText`; undefined if it was sealed with another secret or a byte was changed. */
export function openText(secret: string, purpose: string, sealedText: string): string | undefined {
  try {
    const bytes = Buffer.from(sealedText, 'base64url')
    const iv = bytes.subarray(0, ivBytes)
    const decipher = crypto.createDecipheriv('aes-256-gcm', keyFor(secret, purpose), iv, { authTagLength })
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + authTagLength))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + authTagLength)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
