import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'

/** Largest PKCS#12 file in bytes; one with a chain of certificates has about 10 kB. */
export const maxCertificateBytes = 100_000

/** Days before its expiry when a certificate is reported for renewal. */
export const renewalNoticeDays = 30

const certificate = z.object({
  holder: z.string(),
  issuer: z.string(),
  serialNumber: z.string(),
  /** SHA-256 of the certificate, in hexadecimal. */
  fingerprint: z.string(),
  validFrom: time,
  validUntil: time,
  /** `ending`: within `renewalNoticeDays`. With an `expired` certificate, no letter is printed for the first time. */
  state: z.enum(['valid', 'ending', 'expired']),
  addedAt: time,
  addedBy: z.string().nullable(),
})
export type LetterCertificate = z.output<typeof certificate>
/** Null: letters are not signed. */
const answer = z.object({ data: z.object({ certificate: certificate.nullable() }) })

export const readLetterSigning = endpoint({
  method: 'GET',
  path: '/surat/tanda-tangan',
  access: 'surat-view',
  summary: 'The certificate that signs letters; never its key',
  response: answer,
})

export const storeLetterCertificate = endpoint({
  method: 'PUT',
  path: '/surat/tanda-tangan',
  access: 'surat-update',
  shared: 'shared_needs_whole_view',
  summary: "Sign letters printed from now on with the university's certificate (PKCS#12)",
  body: z.strictObject({
    /** The PKCS#12 file in Base64. */
    file: z
      .base64()
      .min(1)
      .max(Math.ceil(maxCertificateBytes / 3) * 4),
    passphrase: z.string().max(200),
  }),
  response: answer,
})

export const removeLetterCertificate = endpoint({
  method: 'DELETE',
  path: '/surat/tanda-tangan',
  access: 'surat-update',
  shared: 'shared_needs_whole_view',
  summary: 'Stop signing letters; the key is deleted, signed letters stay signed',
  response: answer,
})
