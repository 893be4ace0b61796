import crypto from 'node:crypto'
import type forge from 'node-forge'
import type { FieldError } from '#server/platform/errors.ts'
import { invalid } from '#server/platform/errors.ts'

export type CertificateFacts = {
  holder: string
  issuer: string
  serialNumber: string
  fingerprint: string
  validFrom: Date
  validUntil: Date
}

type Field = 'file' | 'passphrase'
const refuse = (field: Field, error: FieldError) => invalid({ [field]: error })

/**
 * Reads the key's certificate from a PKCS#12 file. 422 beside the file if it is unreadable or has no RSA key with a
 * certificate; beside the passphrase if that is wrong.
 */
export async function readCertificate(file: Buffer, passphrase: string): Promise<CertificateFacts> {
  const { default: forge } = await import('node-forge')
  const contents = open(forge, file, passphrase)
  const [key] = bagsOf(contents, forge.pki.oids.pkcs8ShroudedKeyBag!).flatMap((bag) => bag.key ?? [])
  if (!key) throw refuse('file', 'certificate_without_key')
  const found = bagsOf(contents, forge.pki.oids.certBag!)
    .flatMap(({ cert }) => cert ?? [])
    .find(({ publicKey }) => (publicKey as forge.pki.rsa.PublicKey).n.equals((key as forge.pki.rsa.PrivateKey).n))
  if (!found) throw refuse('file', 'certificate_without_key')
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(found)).getBytes(), 'binary')
  return {
    holder: nameOf(found.subject),
    issuer: nameOf(found.issuer),
    serialNumber: found.serialNumber.slice(0, 100),
    fingerprint: crypto.createHash('sha256').update(der).digest('hex'),
    validFrom: found.validity.notBefore,
    validUntil: found.validity.notAfter,
  }
}

type Forge = typeof forge

function open(forge: Forge, file: Buffer, passphrase: string): forge.pkcs12.Pkcs12Pfx {
  let asn1: forge.asn1.Asn1
  try {
    asn1 = forge.asn1.fromDer(file.toString('binary'))
  } catch {
    throw refuse('file', 'certificate_unreadable')
  }
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, false, passphrase)
  } catch (error) {
    throw /password|MAC/i.test((error as Error).message)
      ? refuse('passphrase', 'certificate_passphrase')
      : refuse('file', 'certificate_unreadable')
  }
}

const bagsOf = (contents: forge.pkcs12.Pkcs12Pfx, bagType: string) => contents.getBags({ bagType })[bagType] ?? []

/** Common name and organisation of a subject or issuer. */
function nameOf(subject: { getField(name: string): { value?: unknown } | null }) {
  const parts = ['CN', 'O'].flatMap((name) => subject.getField(name)?.value ?? [])
  return (parts.length > 0 ? parts.join(', ') : '–').slice(0, 300)
}
