import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import { asApplicant, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { claimFile, discardFile, downloadUrl, imageUrl, storeUpload, type UploadRules } from './stored-files.ts'

let t: TestApp
let sari: TestActor
let actor: Actor
beforeAll(async () => {
  t = await testApp()
  sari = await asApplicant(t)
  actor = { ...systemActor, accountId: sari.accountId }
})
afterAll(() => t.close())

const rules: UploadRules = {
  kind: 'document',
  maxBytes: 500_000,
  acceptedTypes: ['image/jpeg', 'image/png', 'application/pdf'],
}
const picture = (width = 800, height = 600) => sharp({ create: { width, height, channels: 3, background: '#336699' } })
async function store(name: string, bytes: Buffer, changes: Partial<UploadRules> = {}) {
  const part = { filename: name, toBuffer: async () => bytes }
  const file = await storeUpload(t.services, actor, part, { ...rules, ...changes })
  await claimFile(t.db, file)
  return file
}
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')
const get = (url: string) => t.app.inject({ url })

test('a photo is turned upright, loses its location data, and gets a thumbnail', async () => {
  const bytes = await picture(800, 600)
    .withExif({ IFD0: { Make: 'Secret Phone' }, IFD3: { GPSLatitudeRef: 'S' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const file = await store('KTP saya.JPG', bytes)
  expect(file).toMatchObject({ mime: 'image/jpeg', width: 600, height: 800, name: 'KTP saya.jpg' })
  const storedBytes = await t.services.files.bytes(file.storageKey)
  expect((await sharp(storedBytes).metadata()).exif).toBeUndefined()
  expect(storedBytes.includes('Secret Phone')).toBe(false)
  const thumbnail = await sharp(await t.services.files.bytes(file.thumbnailKey!)).metadata()
  expect(thumbnail).toMatchObject({ format: 'webp', width: 360, height: 480 })
})

test.each([
  [
    'a page that calls itself a picture',
    'foto.jpg',
    Buffer.from('<html><script>alert(1)</script></html>'),
    'file_type',
  ],
  ['an empty file', 'foto.jpg', Buffer.alloc(0), 'file_empty'],
  [
    'a HEIC photo from an iPhone',
    'IMG_0001.HEIC',
    Buffer.from('\0\0\0\u001cftypheic\0\0\0\0mif1heicmiaf', 'latin1'),
    'file_heic',
  ],
  ['a PDF cut off on the way', 'ijazah.pdf', pdf.subarray(0, 40), 'file_unreadable'],
  ['a PDF whose beginning is damaged', 'ijazah.pdf', Buffer.from(`rusak${pdf}`), 'file_unreadable'],
  ['a file that is too large', 'besar.pdf', Buffer.concat([pdf, Buffer.alloc(600_000)]), 'file_too_large'],
])('%s is refused', async (_situation, name, bytes, code) => {
  const refusal = await store(name, bytes as Buffer).catch((error) => error)
  expect(refusal.status).toBe(422)
  const error = refusal.fields.file
  expect(typeof error === 'string' ? error : error.code).toBe(code)
})

test('a damaged picture, a too small one and one with too many pixels are refused', async () => {
  const jpeg = await picture().jpeg().toBuffer()
  const codeOf = (error: any) => error.fields.file.code ?? error.fields.file
  expect(codeOf(await store('a.jpg', jpeg.subarray(0, 400)).catch((e) => e))).toBe('file_unreadable')
  expect(codeOf(await store('a.jpg', jpeg, { minWidth: 1000 }).catch((e) => e))).toBe('image_too_small')
  const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  expect(codeOf(await store('a.png', bomb).catch((e) => e))).toBe('image_too_big')
})

test('a tiny document image and a PDF with a script are refused with a sentence', async () => {
  const refusalOf = (name: string, bytes: Buffer, changes: Partial<UploadRules> = {}) =>
    store(name, bytes, changes).then(
      () => null,
      (error) => error.fields.file,
    )
  const pixel = await picture(1, 1).png().toBuffer()
  expect(await refusalOf('ijazah.png', pixel)).toEqual({
    code: 'image_too_small',
    params: { width: 200, height: 200 },
  })
  expect(await refusalOf('ijazah.png', await picture(900, 199).png().toBuffer())).not.toBeNull()
  expect(await refusalOf('ijazah.png', await picture(200, 200).png().toBuffer())).toBeNull()
  expect(await refusalOf('logo.png', pixel, { kind: 'image' })).toBeNull()
  const active = Buffer.from(pdf.toString().replace('>>', '/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>'))
  expect(await refusalOf('ijazah.pdf', active)).toBe('pdf_active')
})

test('a picture is shown only with a key for that reader and picture', async () => {
  const file = await store('foto.png', await picture().png().toBuffer())
  const otherFile = await store('lain.png', await picture(300, 300).png().toBuffer())
  const budi = await asApplicant(t)
  const url = imageUrl(t.services, sari, 'photo', file.id)
  const answer = await get(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('image/jpeg')
  expect(answer.headers['content-security-policy']).toContain('sandbox')
  expect(
    (await get(`/api${imageUrl(t.services, sari, 'photo', file.id, { thumbnail: true })}`)).headers['content-type'],
  ).toBe('image/webp')

  expect((await get(url.replace(file.id, otherFile.id))).statusCode).toBe(403)
  expect((await get(url.replace(sari.accountId, budi.accountId))).statusCode).toBe(403)
  expect((await get(url.replace('thumbnail=false', 'thumbnail=true'))).statusCode).toBe(403)
  expect((await get(url.replace('fieldid=photo', 'fieldid=document'))).statusCode).toBe(403)
  expect((await get(url.replace(/key=.*/, 'key=x'))).statusCode).toBe(403)
  expect((await get(url.replace(/&key=.*/, ''))).statusCode).toBe(422)
  expect((await budi.get(url)).statusCode).toBe(403)
})

test('a key expires after a quarter of an hour, or when the file is deleted', async () => {
  const file = await store('foto.png', await picture().png().toBuffer())
  const url = imageUrl(t.services, sari, 'photo', file.id)
  t.clock.set(new Date(Date.now() + 16 * 60_000))
  expect((await get(url)).statusCode).toBe(403)
  t.clock.reset()
  expect((await get(url)).statusCode).toBe(200)
  await discardFile(t.db, file.id, new Date())
  expect((await get(url)).statusCode).toBe(404)
})

test('a PDF is stored unchanged and can only be downloaded', async () => {
  const file = await store('Ijazah "asli".pdf', pdf)
  const answer = await get(downloadUrl(t.services, sari, file.id))
  expect(answer.rawPayload.equals(pdf)).toBe(true)
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''Ijazah/)
  expect(answer.headers['content-security-policy']).toContain('sandbox')
  expect((await get(imageUrl(t.services, sari, 'photo', file.id))).statusCode).toBe(403)
})
