import crypto from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import PDFDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { actionsIn } from './pdf-actions.ts'
import { encryptionOf } from './pdf-encryption.ts'

const documentOf = (options: PDFKit.PDFDocumentOptions) => {
  const doc = new PDFDocument({ ...options, info: { Title: 'Ijazah (salinan)' } })
  doc.text('Ijazah')
  doc.end()
  return buffer(doc)
}
/** Drawing operators of the first page. */
function pageOf(pdf: Buffer) {
  const decrypt = encryptionOf(pdf)
  if (typeof decrypt === 'string') return decrypt
  const text = pdf.toString('latin1')
  const [head, number] = /(\d+) 0 obj\n<<\n\/Length \d+\n\/Filter \/FlateDecode\n>>\nstream\n/.exec(text) ?? ['', '']
  const start = text.indexOf(head) + head.length
  const stored = pdf.subarray(start, text.indexOf('\nendstream', start))
  const options = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
  return zlib.inflateSync(decrypt(stored, Number(number), 0), options).toString('latin1')
}

const versions = ['1.3', '1.4', '1.5', '1.6', '1.7', '1.7ext3'] as const
describe.each(versions)('a document of PDF %s', (pdfVersion) => {
  it('that restricts printing opens without a password', async () => {
    const pdf = await documentOf({
      pdfVersion,
      ownerPassword: 'kementerian',
      permissions: { printing: false } as never,
    })
    expect(pageOf(pdf)).toMatch(/BT[\s\S]+Tj|TJ/)
    expect(await actionsIn(pdf)).toBe('none')
  })

  it('that needs a password is locked', async () => {
    expect(encryptionOf(await documentOf({ pdfVersion, userPassword: 'rahasia', ownerPassword: 'pemilik' }))).toBe(
      'locked',
    )
  })
})

const fileKey = Buffer.from('kunci berkas sepanjang 32 bita..')
const userKey = '30281d7ac5de85c02f8e59e1b22c94b0c9d41ac5a8f39f2bf22c3806b8ab3b7f'
const withoutPassword =
  'f20b92cb0bbf1581aaa43ed22cb3c0c18e36983aafb5fa932beeea1534272535706572696b7361316b756e63692d3031'
const withPassword = '85d1c0221990a3c105b440d40e0838b3d851bd24bea12031e21aa9560f12a4bd706572696b7361316b756e63692d3031'

/** A PDF 2.0 document with a cross-reference stream and an object stream that holds `objects`. */
function newerDocument(user: string, objects = '<</Type/Page>>') {
  const vector = Buffer.alloc(16, 7)
  const cipher = crypto.createCipheriv('aes-256-cbc', fileKey, vector)
  const stored = Buffer.concat([vector, cipher.update(zlib.deflateSync(Buffer.from(`8 0 ${objects}`))), cipher.final()])
  return Buffer.concat([
    Buffer.from(`%PDF-2.0\n5 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${stored.length}>>\nstream\n`),
    stored,
    Buffer.from(`\nendstream\nendobj\n6 0 obj\n<</Filter/Standard/V 5/R 6/Length 256/P -3904/U <${user}>/UE <${userKey}>
      /CF <</StdCF <</AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>/StmF/StdCF/StrF/StdCF>>\nendobj
7 0 obj\n<</Type/XRef/Size 8/W[1 2 1]/Root 8 0 R/Encrypt 6 0 R/Length 0>>\nstream\n\nendstream\nendobj\n%%EOF\n`),
  ])
}

describe('a document of PDF 2.0', () => {
  it('that restricts printing opens without a password, and its object streams are inspected', async () => {
    expect(await actionsIn(newerDocument(withoutPassword))).toBe('none')
    expect(await actionsIn(newerDocument(withoutPassword, '<</S/JavaScript/JS(app.alert(1))>>'))).toBe('found')
  })

  it('that needs a password is locked', async () => {
    expect(encryptionOf(newerDocument(withPassword))).toBe('locked')
    expect(await actionsIn(newerDocument(withPassword))).toBe('hidden')
  })
})

it.each([
  ['of another security handler', '/Filter/Adobe.PubSec/V 4/R 4'],
  ['of an unknown revision', '/Filter/Standard/V 6/R 7'],
  ['without the values to check', '/Filter/Standard/V 2/R 3'],
])('a document %s is locked', (_, entries) => {
  const pdf = `%PDF-1.7\n6 0 obj\n<<${entries}>>\nendobj\ntrailer\n<</Root 1 0 R/Encrypt 6 0 R>>\n%%EOF\n`
  expect(encryptionOf(Buffer.from(pdf))).toBe('locked')
})

it('a document that only mentions /Encrypt is not encrypted', () => {
  expect(encryptionOf(Buffer.from('%PDF-1.7\n% /Encrypt\ntrailer\n<</Root 1 0 R>>\n%%EOF\n'))).toBe('none')
})
