import crypto from 'node:crypto'
import { sql } from 'kysely'
import forge from 'node-forge'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { days, now } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let clerk: TestActor
let keys: forge.pki.rsa.KeyPair

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  clerk = await asWithPermissions(t, ['surat-view', 'surat-create', 'surat-update'])
  const pem = crypto.generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  keys = {
    privateKey: forge.pki.privateKeyFromPem(pem.privateKey),
    publicKey: forge.pki.publicKeyFromPem(pem.publicKey) as forge.pki.rsa.PublicKey,
  }
})
afterAll(() => t?.close())
afterEach(async () => {
  t.clock.set(now)
  await clerk.delete('/surat/tanda-tangan')
})

const passphrase = 'rahasia kampus'

/** A self-signed certificate with its key, as PKCS#12 in Base64. */
function aCertificate(validFrom = days(-10), validUntil = days(400), { withKey = true } = {}) {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = keys.publicKey
  certificate.serialNumber = '0a1b2c'
  certificate.validity.notBefore = validFrom
  certificate.validity.notAfter = validUntil
  const names = [
    { name: 'commonName', value: 'Rektor' },
    { name: 'organizationName', value: 'Universitas Contoh' },
  ]
  certificate.setSubject(names)
  certificate.setIssuer(names)
  certificate.sign(keys.privateKey, forge.md.sha256.create())
  const container = forge.pkcs12.toPkcs12Asn1(
    withKey ? (keys.privateKey as forge.pki.rsa.PrivateKey) : null,
    [certificate],
    passphrase,
    { algorithm: 'aes256', count: 100 },
  )
  return Buffer.from(forge.asn1.toDer(container).getBytes(), 'binary').toString('base64')
}

const store = (file = aCertificate(), word = passphrase, actor = clerk) =>
  actor.put('/surat/tanda-tangan', { file, passphrase: word })

async function aLetter() {
  const { id } = await aRegistration(t, { status: 'submitted' })
  const kind = await t.db
    .selectFrom('letterKinds')
    .select('id')
    .where('code', '=', 'registration')
    .executeTakeFirstOrThrow()
  const answer = await clerk.post(`/pendaftaran/${id}/surat`, { kindId: kind.id, language: 'id' })
  return answer.json().data.id as string
}
const print = (id: string) => clerk.get(`/surat/terbit/${id}/file.pdf`)

/** Whether the PDF's signature was made by the test's key over the signed byte ranges. */
function isSigned(pdf: Buffer) {
  const range = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\s*\]/.exec(pdf.toString('latin1'))!
  const [, , firstLength, secondStart, secondLength] = range.map(Number)
  expect(secondStart! + secondLength!).toBe(pdf.length)
  const covered = Buffer.concat([pdf.subarray(0, firstLength), pdf.subarray(secondStart)])
  const hex = pdf.subarray(firstLength! + 1, secondStart! - 1).toString('latin1')
  const message = forge.pkcs7.messageFromAsn1(
    forge.asn1.fromDer(Buffer.from(hex, 'hex').toString('binary'), { parseAllBytes: false } as never),
  ) as unknown as { rawCapture: { authenticatedAttributes: forge.asn1.Asn1[]; signature: string } }
  const { authenticatedAttributes, signature } = message.rawCapture
  const attributes = forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SET, true, authenticatedAttributes)
  const der = forge.asn1.toDer(attributes).getBytes()
  const digest = crypto.createHash('sha256').update(covered).digest('binary')
  const md = forge.md.sha256.create()
  md.update(der)
  return der.includes(digest) && keys.publicKey.verify(md.digest().getBytes(), signature)
}

describe("the university's certificate", () => {
  it('signs a letter at its first printing; later printings return the same bytes, even after its removal', async () => {
    expect((await store()).json().data.certificate).toMatchObject({
      holder: 'Rektor, Universitas Contoh',
      serialNumber: '0a1b2c',
      state: 'valid',
    })
    const id = await aLetter()
    const [first, beside] = await Promise.all([print(id), print(id)])
    expect(isSigned(first!.rawPayload)).toBe(true)
    expect(beside!.rawPayload.equals(first!.rawPayload)).toBe(true)
    t.clock.set(new Date(now.getTime() + 3_600_000))
    expect((await print(id)).rawPayload.equals(first!.rawPayload)).toBe(true)
    expect((await clerk.delete('/surat/tanda-tangan')).json().data.certificate).toBeNull()
    expect((await print(id)).rawPayload.equals(first!.rawPayload)).toBe(true)
    expect((await print(await aLetter())).rawPayload.includes('/ByteRange')).toBe(false)
  })

  it('does not change letters printed before', async () => {
    const id = await aLetter()
    const before = await print(id)
    await store()
    expect((await print(id)).rawPayload.equals(before.rawPayload)).toBe(true)
  })

  it('is refused beside the field: wrong passphrase, no certificate, no key, expired, not valid yet', async () => {
    const refused = async (...content: Parameters<typeof store>) => {
      const answer = await store(...content)
      expect(answer.statusCode).toBe(422)
      return answer.json().errors
    }
    expect(await refused(aCertificate(), 'salah')).toEqual({ passphrase: [expect.stringMatching(/sandi|passphrase/i)] })
    expect(await refused(Buffer.from('bukan sertifikat').toString('base64'))).toHaveProperty('file')
    expect(await refused(aCertificate(undefined, undefined, { withKey: false }))).toHaveProperty('file')
    expect(await refused(aCertificate(days(-20), days(-1)))).toEqual({
      file: [expect.stringMatching(/kedaluwarsa|expired/)],
    })
    expect(await refused(aCertificate(days(1), days(20)))).toHaveProperty('file')
    expect((await clerk.get('/surat/tanda-tangan')).json().data.certificate).toBeNull()
  })

  it('is announced before it expires; after that no letter is printed unsigned', async () => {
    await store(aCertificate(days(-10), days(20)))
    expect((await clerk.get('/surat/tanda-tangan')).json().data.certificate.state).toBe('ending')
    const [printed, later] = [await aLetter(), await aLetter()]
    const bytes = (await print(printed)).rawPayload
    t.clock.set(days(21))
    clerk = await asWithPermissions(t, ['surat-view', 'surat-create', 'surat-update'])
    expect((await clerk.get('/surat/tanda-tangan')).json().data.certificate.state).toBe('expired')
    const refused = await print(later)
    expect(refused.json()).toMatchObject({ code: 'letter_certificate_expired' })
    expect(refused.json().message).not.toContain('{{')
    expect((await print(printed)).rawPayload.equals(bytes)).toBe(true)
  })

  it('is sealed, never shown, and its key is deleted when another replaces it', async () => {
    const file = aCertificate()
    await store(file)
    const answer = await clerk.get('/surat/tanda-tangan')
    const { rows } = await sql<{ text: string }>`SELECT to_jsonb(c)::text AS text FROM letter_certificates c`.execute(
      t.db,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const text of [answer.body, ...rows.map((row) => row.text)]) {
      expect(text).not.toContain(file.slice(100, 160))
      expect(text).not.toContain(passphrase)
    }
    await store()
    const stored = await t.db.selectFrom('letterCertificates').select(['sealedFile', 'removedAt']).execute()
    expect(stored.filter(({ sealedFile }) => sealedFile !== null)).toHaveLength(1)
    expect(stored.every(({ sealedFile, removedAt }) => (sealedFile === null) === (removedAt !== null))).toBe(true)
  })

  it('stored by two staff at once is one', async () => {
    const answers = await Promise.all([store(), store(), store()])
    expect(answers.every(({ statusCode }) => statusCode < 500)).toBe(true)
    const present = await t.db.selectFrom('letterCertificates').select('id').where('removedAt', 'is', null).execute()
    expect(present).toHaveLength(1)
  })

  it('is not accessible to roles limited to some programmes', async () => {
    const { programmes } = await academicOf(t)
    const limited = await asWithPermissions(t, ['surat-view', 'surat-update'], { programmeIds: [programmes[0]] })
    expect((await store(aCertificate(), passphrase, limited)).statusCode).toBe(403)
    expect((await limited.delete('/surat/tanda-tangan')).statusCode).toBe(403)
  })
})
