import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bankCalendar } from '#domain/calendar.ts'
import { midtransSignature } from '#server/modules/payments/providers/midtrans/midtrans.ts'
import { readTime } from '#server/modules/payments/providers/read-time.ts'
import { fc } from '#testing/properties.ts'
import {
  bodyHash,
  hmacOf,
  isHmac,
  isRsa,
  jakartaTime,
  minify,
  rsaOf,
  serviceText,
  signedBodies,
  tokenText,
} from './signature.ts'

/** The published vectors are outside the repository; these tests are skipped if the file is missing. */
const file = path.resolve(import.meta.dirname, '../../../../../../../../shared/data/payment_signature_vectors.json')
const found = fs.existsSync(file)
type Vector = Record<string, string>
const vectors: Record<string, Vector> = found
  ? Object.fromEntries(
      Object.values(JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Vector[] | string>)
        .flatMap((list) => (Array.isArray(list) ? list : []))
        .map((vector) => [vector.name!, vector]),
    )
  : {}

describe.skipIf(!found)('published signatures (shared/data/payment_signature_vectors.json)', () => {
  test.each(['snap_symmetric_hmac_sha512', 'va_inquiry_symmetric', 'va_payment_symmetric'])('%s', (name) => {
    const {
      method,
      path: at,
      accessToken,
      clientSecret,
      timestamp,
      minifiedBody,
      bodySha256,
      stringToSign,
      xSignature,
    } = vectors[name]!
    expect(bodyHash(minifiedBody!)).toBe(bodySha256)
    const text = serviceText({
      method: method!,
      path: at!,
      accessToken: accessToken!,
      body: minifiedBody!,
      timestamp: timestamp!,
    })
    expect(text).toBe(stringToSign)
    expect(hmacOf(text, clientSecret!)).toBe(xSignature)
    expect(isHmac(text, clientSecret!, xSignature!)).toBe(true)
    expect(isHmac(text, clientSecret!, xSignature!.toLowerCase())).toBe(false)
    expect(isHmac(`${text} `, clientSecret!, xSignature!)).toBe(false)
    // The vector's body is already minified, so minifying it changes nothing.
    expect(minify(minifiedBody!)).toBe(minifiedBody)
    expect(minify(JSON.stringify(JSON.parse(minifiedBody!), null, 2))).toBe(minifiedBody)
  })

  test('snap_access_token_sha256withrsa_verify', () => {
    const { clientKey, timestamp, stringToSign, xSignature, publicKeyPem } =
      vectors.snap_access_token_sha256withrsa_verify!
    expect(tokenText(clientKey!, timestamp!)).toBe(stringToSign)
    expect(isRsa(stringToSign!, publicKeyPem!, xSignature!)).toBe(true)
    expect(isRsa(`${stringToSign}x`, publicKeyPem!, xSignature!)).toBe(false)
  })

  test('snap_asymmetric_notification_verify', () => {
    const {
      method,
      path: at,
      timestamp,
      minifiedBody,
      stringToSign,
      xSignature,
      publicKeyPem,
    } = vectors.snap_asymmetric_notification_verify!
    const text = serviceText({ method: method!, path: at!, body: minifiedBody!, timestamp: timestamp! })
    expect(text).toBe(stringToSign)
    expect(isRsa(text, publicKeyPem!, xSignature!)).toBe(true)
  })

  test('midtrans_notification_signature_key', () => {
    const { order_id, status_code, gross_amount, server_key, signature_key } =
      vectors.midtrans_notification_signature_key!
    const fields = { order_id: order_id!, status_code: status_code!, gross_amount: gross_amount! }
    expect(midtransSignature(fields, server_key!)).toBe(signature_key)
    // Written as a number, the amount would be another text.
    expect(midtransSignature({ ...fields, gross_amount: '100000' }, server_key!)).not.toBe(signature_key)
  })
})

describe('the signed text', () => {
  test('is JSON without spaces between its parts; those inside strings stay', () => {
    expect(minify('{ "partnerServiceId" : "   12345",\n\t"a": [ 1.00 , "x \\" y" ] }')).toBe(
      '{"partnerServiceId":"   12345","a":[1.00,"x \\" y"]}',
    )
  })
  test('keeps numbers and escapes as the bank wrote them', () => {
    expect(minify('{"amount": 1.00, "url": "a\\/b"}')).toBe('{"amount":1.00,"url":"a\\/b"}')
  })
  test('minified equals the result of JSON.stringify for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 8 }), (json, indent) => {
        const value: unknown = JSON.parse(json)
        expect(minify(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value))
      }),
    )
  })
  test('minified from broken JSON is still a string', () => {
    for (const text of ['', '"', '{"a": "', '\\', '"\\']) expect(typeof minify(text)).toBe('string')
  })
  test('with a long unclosed string is read only once, because an unverified caller may send it', () => {
    const began = performance.now()
    minify(`"${'\\"'.repeat(32_000)}`)
    expect(performance.now() - began).toBeLessThan(500)
  })
  test('depends on the form the bank signs', () => {
    const formsOf = (form: Parameters<typeof signedBodies>[1]) => signedBodies(Buffer.from(body), form).map(String)
    const body = '{ "a": "   1" }'
    expect(formsOf('as_sent')).toEqual([body, '{"a":"   1"}'])
    expect(formsOf('minified')).toEqual(['{"a":"   1"}', body])
    expect(formsOf('no_whitespace')).toEqual(['{"a":"1"}', body])
  })
  test('keeps bytes of other encodings and of multi-byte letters unchanged', () => {
    const latin = Buffer.from('{ "name": "Ren\u00e9\u00a0" }', 'latin1')
    const minified = Buffer.from('{"name":"Ren\u00e9\u00a0"}', 'latin1')
    expect(signedBodies(latin, 'as_sent')).toEqual([latin, minified])
    expect(signedBodies(latin, 'minified')).toEqual([minified, latin])
    const utf8 = Buffer.from('{"name":"\u00e0\u00a0\u2028b"}')
    for (const form of ['as_sent', 'minified', 'no_whitespace'] as const)
      expect(signedBodies(utf8, form)).toEqual([utf8])
  })
  test('is not verified by a malformed key or signature, which cause no error', () => {
    const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    expect(isRsa('text', publicKey, rsaOf('text', privateKey))).toBe(true)
    expect(isRsa('text', 'no key', rsaOf('text', privateKey))).toBe(false)
    expect(isRsa('text', publicKey, '')).toBe(false)
    expect(isRsa('text', publicKey, '%%%')).toBe(false)
  })
})

describe('times', () => {
  test("are written in Jakarta's zone with the offset", () => {
    expect(jakartaTime(new Date('2026-01-15T02:30:00.500Z'))).toBe('2026-01-15T09:30:00+07:00')
  })
  test('a day in Jakarta begins at 17:00 UTC', () => {
    expect(bankCalendar.dayOf(new Date('2026-01-15T16:59:59Z'))).toBe('2026-01-15')
    expect(bankCalendar.dayOf(new Date('2026-01-15T17:00:00Z'))).toBe('2026-01-16')
  })
  test('are read with and without milliseconds, in any zone, but never without a zone', () => {
    for (const text of ['2026-01-15T09:30:00+07:00', '2026-01-15T02:30:00.000Z', '2026-01-15T09:30:00.0+0700'])
      expect(readTime(text)?.toISOString(), text).toBe('2026-01-15T02:30:00.000Z')
    for (const text of ['', '2026-01-15', '2026-01-15T09:30:00', '2026-13-15T09:30:00Z', '15/01/2026'])
      expect(readTime(text), text).toBeUndefined()
  })
})
