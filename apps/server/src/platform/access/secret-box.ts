import crypto from 'node:crypto'

/** Derived keys by secret and purpose: deriving one takes longer than using it. */
const keys = new Map<string, Buffer>()
const maxKeys = 200

/** Derives a key for one purpose from the installation's secret, so that a key of another purpose cannot decrypt the text. */
export function keyFor(secret: string, purpose: string): Buffer {
  const name = JSON.stringify([secret, purpose])
  const known = keys.get(name)
  if (known) return known
  const key = Buffer.from(crypto.hkdfSync('sha256', secret, '', purpose, 32))
  if (keys.size < maxKeys) keys.set(name, key)
  return key
}

const ivBytes = 12
/** Node accepts shorter tags, which are easier to forge, unless told the length. */
const authTagLength = 16

function sealWith(iv: Buffer, key: Buffer, text: string): string {
  const cipher = crypto.createCipheriv('aes-256-gcm', key, iv, { authTagLength })
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Encrypts a text with AES-256-GCM: unreadable without the installation's secret, and a changed byte is detected. */
export const sealText = (secret: string, purpose: string, text: string): string =>
  sealWith(crypto.randomBytes(ivBytes), keyFor(secret, purpose), text)

/**
 * Encrypts like `sealText`, and gives equal texts equal results: the initialisation vector is a keyed hash of the text, so
 * that no vector serves two texts.
 */
export function sealTextRepeatably(secret: string, purpose: string, text: string): string {
  const hash = crypto.createHmac('sha256', keyFor(secret, `${purpose}: initialisation vector`)).update(text)
  return sealWith(hash.digest().subarray(0, ivBytes), keyFor(secret, purpose), text)
}

/** Decrypts a text of `sealText`; undefined if another secret sealed the text or a byte was changed. */
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
