import crypto from 'node:crypto'
import { findInTrailers, objectOf, type PdfDictionary } from './pdf-objects.ts'

/** Decrypts a stream of the object with this number and generation. */
export type DecryptStream = (bytes: Buffer, number: number, generation: number) => Buffer

/**
 * How a PDF is encrypted: `none`; `locked` if it needs a password or certificate; or, if it opens without one
 * (restricting only printing and copying), the function that decrypts its streams. Implements the standard security
 * handler of ISO 32000-1, 7.6.3 (revisions 2 to 4), Adobe's extension level 3 (5) and ISO 32000-2, 7.6.4 (6).
 */
export function encryptionOf(pdf: Buffer): 'none' | 'locked' | DecryptStream {
  if (!pdf.includes('/Encrypt')) return 'none'
  const text = pdf.toString('latin1')
  const trailer = findInTrailers(text, 'Encrypt')
  if (!trailer) return 'none'
  const encrypt = objectOf(text, trailer.Encrypt)
  if (encrypt?.Filter !== '/Standard') return 'locked'
  const key = fileKeyOf(encrypt, firstIdOf(trailer))
  return (key && streamDecryption(encrypt, key)) ?? 'locked'
}

const bytesOf = (value: unknown) => (Buffer.isBuffer(value) ? value : Buffer.alloc(0))
const firstIdOf = ({ ID }: PdfDictionary) => bytesOf(Array.isArray(ID) ? ID[0] : undefined)

/** The document's key for the empty user password; undefined if the password is not empty. */
function fileKeyOf(encrypt: PdfDictionary, id: Buffer): Buffer | undefined {
  const revision = Number(encrypt.R)
  if (revision >= 2 && revision <= 4) return olderKeyOf(encrypt, revision, id)
  return revision === 5 || revision === 6 ? newerKeyOf(encrypt, revision) : undefined
}

const md5 = (...parts: Buffer[]) => hash('md5', ...parts)
function hash(algorithm: string, ...parts: Buffer[]) {
  const hashing = crypto.createHash(algorithm)
  for (const part of parts) hashing.update(part)
  return hashing.digest()
}

/** Standard padding that extends passwords to 32 bytes. */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Algorithms 2, 4 and 5. */
function olderKeyOf(encrypt: PdfDictionary, revision: number, id: Buffer): Buffer | undefined {
  const length = Number(encrypt.V) === 4 ? 16 : revision === 2 ? 5 : Number(encrypt.Length ?? 40) / 8
  if (!(length >= 5 && length <= 16)) return undefined
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(Number(encrypt.P) | 0)
  const hidesMetadata = revision === 4 && encrypt.EncryptMetadata === false
  const [owner, user] = [bytesOf(encrypt.O).subarray(0, 32), bytesOf(encrypt.U)]
  let digest = md5(padding, owner, permissions, id, hidesMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0))
  if (revision > 2) for (let round = 0; round < 50; round++) digest = md5(digest.subarray(0, length))
  const key = digest.subarray(0, length)
  if (revision === 2) return rc4(key, padding).equals(user.subarray(0, 32)) ? key : undefined
  let proof: Buffer = md5(padding, id)
  for (let round = 0; round < 20; round++) proof = rc4(Buffer.from(key.map((byte) => byte ^ round)), proof)
  return proof.equals(user.subarray(0, 16)) ? key : undefined
}

/** Algorithms 2.A and 11. */
function newerKeyOf({ U, UE }: PdfDictionary, revision: number): Buffer | undefined {
  const [user, encryptedKey] = [bytesOf(U), bytesOf(UE).subarray(0, 32)]
  const hashOf = revision === 5 ? (salt: Buffer) => hash('sha256', salt) : strongHash
  if (user.length < 48 || encryptedKey.length < 32) return undefined
  if (!hashOf(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined
  return aes('aes-256-cbc', hashOf(user.subarray(40, 48)), Buffer.alloc(16), encryptedKey)
}

/** Algorithm 2.B for the empty password. */
function strongHash(salt: Buffer): Buffer {
  let key = hash('sha256', salt)
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const cipher = crypto.createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const encrypted = cipher.update(Buffer.concat(Array<Buffer>(64).fill(key)))
    // The first 16 bytes as one number, modulo 3. Summing the bytes is enough, because 256 mod 3 is 1.
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = hash(['sha256', 'sha384', 'sha512'][remainder]!, encrypted)
    last = encrypted.at(-1)!
  }
  return key.subarray(0, 32)
}

/** Undefined for a crypt filter that is in no standard. */
function streamDecryption(encrypt: PdfDictionary, key: Buffer): DecryptStream | undefined {
  const version = Number(encrypt.V)
  const method = version < 4 ? '/V2' : methodOf(encrypt)
  if (method === '/None') return (bytes) => bytes
  if (method === '/V2') return (bytes, ...object) => rc4(objectKey(key, object, ''), bytes)
  if (method === '/AESV2') return (bytes, ...object) => unwrapAes('aes-128-cbc', objectKey(key, object, 'sAlT'), bytes)
  return method === '/AESV3' ? (bytes) => unwrapAes('aes-256-cbc', key, bytes) : undefined
}

function methodOf({ StmF = '/Identity', CF }: PdfDictionary): unknown {
  if (StmF === '/Identity') return '/None'
  const filter = (CF as PdfDictionary | undefined)?.[String(StmF).slice(1)]
  return (filter as PdfDictionary | undefined)?.CFM ?? '/None'
}

/** Algorithm 1. */
function objectKey(key: Buffer, [number, generation]: [number, number], salt: string): Buffer {
  const object = Buffer.alloc(5)
  object.writeUIntLE(number & 0xffffff, 0, 3)
  object.writeUIntLE(generation & 0xffff, 3, 2)
  return md5(key, object, Buffer.from(salt)).subarray(0, Math.min(16, key.length + 5))
}

function aes(algorithm: string, key: Buffer, vector: Buffer, bytes: Buffer): Buffer {
  const decipher = crypto.createDecipheriv(algorithm, key, vector).setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}

/** Decrypts the whole blocks after the vector, ignoring a line end behind them. Keeps the padding. */
const unwrapAes = (algorithm: string, key: Buffer, bytes: Buffer) =>
  aes(algorithm, key, bytes.subarray(0, 16), bytes.subarray(16, bytes.length - (bytes.length % 16)))

/** OpenSSL 3 offers RC4 only through a provider that Node does not load. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (one: number, other: number) => {
    const byte = state[one]!
    state[one] = state[other]!
    state[other] = byte
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  const result = Buffer.alloc(bytes.length)
  for (let at = 0, i = 0, j = 0; at < bytes.length; at++) {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    swap(i, j)
    result[at] = bytes[at]! ^ state[(state[i]! + state[j]!) & 255]!
  }
  return result
}
