import zlib from 'node:zlib'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { actionsIn } from './pdf-actions.ts'

const pdf = (...objects: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'),
    ...objects.map((object, index) =>
      Buffer.concat([Buffer.from(`${index + 4} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
    ),
    Buffer.from('trailer\n<</Root 1 0 R>>\n%%EOF\n'),
  ])
const stream = (dictionary: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`), bytes, Buffer.from('\nendstream')])
const objectStream = (text: string, dictionary = '/Type/ObjStm/N 1/First 4/Filter/FlateDecode') =>
  stream(dictionary, zlib.deflateSync(Buffer.from(`8 0 ${text}`)))

const script = '<</S/JavaScript/JS(app.alert(1))>>'

test.each<[string, Buffer]>([
  ['a script when it is opened', pdf(script)],
  ['a script whose name is escaped', pdf('<</S/J#61vaScript/J#53(app.alert(1))>>')],
  ['a script in names', pdf('<</Names<</JavaScript 9 0 R>>>>')],
  ['a script of a rendition', pdf('<</S/Rendition/OP 0/JS 12 0 R>>')],
  ['a script after a picture', pdf(stream('/Subtype/Image', Buffer.from('xx')), '<</S/Rendition/JS <6170>>>')],
  ['a program to start', pdf('<</S/Launch/F(cmd.exe)>>')],
  ['a program with another white space', pdf('<</S /Launch\0/F(cmd.exe)>>')],
  ['a script in an object stream', pdf(objectStream(script))],
  ['an escaped script in an object stream', pdf(objectStream('<</S/#4aavaScript/#4aS(x)>>'))],
  ['an object stream of an escaped type', pdf(objectStream(script, '/Type/Obj#53tm/N 1/F#69rst 4/Filter/FlateDecode'))],
  ['an object stream without a type', pdf(objectStream(script, '/N 1/First 4/Filter/FlateDecode'))],
  ['a damaged object stream', pdf(stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', Buffer.from('no zlib')))],
  ['an object stream of 100 MB', pdf(objectStream(' '.repeat(100_000_000)))],
])('%s is found', async (_situation, bytes) => {
  expect(await actionsIn(bytes)).toBe('found')
})

test.each<[string, Buffer]>([
  ['a plain document', pdf('<</Type/Page>>')],
  ['a document with plain object streams', pdf(objectStream('<</Type/Page>>'), objectStream('<</Type/Font>>'))],
  ['a document that opens at a page', pdf('<</OpenAction[3 0 R/Fit]>>')],
  ['letters of the name in the bytes of a picture', pdf(stream('/Subtype/Image', Buffer.from('..../JS(....')))],
  ['a longer name', pdf('<</JavaScripts 1/Launcher 2/JSON (x)>>')],
])('%s has none', async (_situation, bytes) => {
  expect(await actionsIn(bytes)).toBe('none')
})

test('an encrypted object stream is reported as hidden', async () => {
  const encrypted = stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', Buffer.from('secret'))
  expect(await actionsIn(pdf(encrypted, '<</Encrypt 9 0 R>>'))).toBe('hidden')
})

test('an ordinary document from a common program has none', async () => {
  const doc = new PDFDocument()
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.text('Ijazah').addPage().text('Transkrip')
  doc.end()
  await new Promise((resolve) => doc.on('end', resolve))
  expect(await actionsIn(Buffer.concat(chunks))).toBe('none')
})
