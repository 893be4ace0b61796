import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxMediaAttempts, maxMediaBytes } from '#domain/chat/media.ts'
import { asApplicant, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { afterSeconds, graphError, type graphServer } from '#server-test/factories/whatsapp/connections.ts'
import { anOfficeOnWhatsapp, noticesOf } from '#server-test/factories/whatsapp/notices.ts'
import type { TestApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>
let connection: { id: string }

beforeAll(async () => {
  ;({ t, graph, admin, connection } = await anOfficeOnWhatsapp())
})
afterAll(async () => {
  await t.close()
  await graph.close()
})

const { newPhone, message, receive, provePhone, conversationOf } = noticesOf(() => ({ t, admin, connection }))

type Shown = { id: string; kind: string; body: string; detail: string; file: object | null; media: object | null }
let count = 0

/** Sends a file from a new phone to the office's WhatsApp. Returns the message as staff see it. */
async function afterSending(type: string, bytes: Buffer | null, { told = {}, more = {}, downloadStatus = 200 } = {}) {
  const [phone, id] = [newPhone(), `media${++count}`]
  if (bytes) graph.media.set(id, { bytes, told, downloadStatus })
  await receive([message(phone, { type, [type]: { id, ...more } })])
  const conversation = (await conversationOf(phone))!
  const read = async (): Promise<Shown[]> =>
    (await admin.get(`/chat/conversations/${conversation.id}/messages`)).json().data
  return { id, phone, conversation, read, shown: (await read())[0]! }
}
const download = async (reader: TestActor, messageId: string) => {
  const { url } = (await reader.get(`/chat/messages/${messageId}/file`)).json().data
  return t.app.inject({ url })
}
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')
/** Beginning of a voice message: an Ogg page with Opus. */
const voice = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(200)])

describe('a file that a person sends by WhatsApp', () => {
  test('is fetched with the token and appears in the chat with its caption', async () => {
    graph.reset()
    const { id, shown } = await afterSending('image', await aPicture(), { more: { caption: 'Bukti bayar' } })
    expect(shown).toMatchObject({
      ...{ kind: 'file', body: 'Bukti bayar', media: null },
      file: { name: 'whatsapp-image.jpg', mime: 'image/jpeg' },
    })
    expect(graph.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [`/v24.0/${id}?phone_number_id=106540352242922`, `Bearer ${graph.token}`],
      [`/media/${id}?ext=1`, `Bearer ${graph.token}`],
    ])
    const downloaded = await download(admin, shown.id)
    expect([downloaded.statusCode, downloaded.headers['content-type']]).toEqual([200, 'image/jpeg'])
  })

  test.each([
    ['a document', 'document', pdf, { filename: 'Rapor ../Dewi.pdf' }, 'Rapor .._Dewi.pdf', 'application/pdf'],
    ['a voice message', 'audio', voice, { voice: true }, 'whatsapp-audio.ogg', 'audio/ogg'],
  ])('may be %s', async (_what, type, bytes, more, name, mime) => {
    const { shown } = await afterSending(type, bytes, { more })
    expect(shown).toMatchObject({ kind: 'file', file: { name, mime, bytes: bytes.length } })
  })

  test.each([
    [
      'larger than the limit by what Meta tells',
      aPicture,
      { told: { file_size: maxMediaBytes + 1 } },
      'file_too_large',
    ],
    [
      'larger than the limit by its bytes',
      () => Buffer.alloc(maxMediaBytes + 1),
      { told: { file_size: 5 } },
      'file_too_large',
    ],
    ['of a type that is not taken, whatever it is called', () => Buffer.from('MZ\u0090 a program'), {}, 'file_type'],
    ['cut short', async () => (await aPicture()).subarray(0, 200), {}, 'file_unreadable'],
    ['empty', () => Buffer.alloc(0), {}, 'file_empty'],
  ])('that is %s is refused, and a sentence says why', async (_what, make, options, problem) => {
    const { shown } = await afterSending('image', await make(), options)
    expect(shown).toMatchObject({ kind: 'media', detail: 'image', file: null, media: { state: 'refused', problem } })
    expect((await admin.post(`/chat/messages/${shown.id}/fetch`)).json().code).toBe('wrong_status')
    expect((await admin.get(`/chat/messages/${shown.id}/file`)).statusCode).toBe(404)
  })

  test('is retried while Meta does not answer, then only when staff ask', async () => {
    graph.reset()
    graph.say(...Array.from({ length: maxMediaAttempts }, () => graphError(131000, { status: 500 })))
    const { shown, read } = await afterSending('image', await aPicture())
    expect(shown).toMatchObject({ kind: 'media', media: { state: 'waiting', problem: 'unreachable' } })
    expect((await admin.post(`/chat/messages/${shown.id}/fetch`)).statusCode).toBe(409)
    for (let attempt = 1; attempt < maxMediaAttempts; attempt++) await afterSeconds(t, 3_600)
    expect(await read()).toMatchObject([{ media: { state: 'failed', problem: 'unreachable' } }])
    expect((await admin.post(`/chat/messages/${shown.id}/fetch`)).json().data).toMatchObject({
      ...{ id: shown.id, media: { state: 'waiting', problem: null } },
    })
    await t.runJobs()
    expect(await read()).toMatchObject([{ kind: 'file', media: null }])
  })

  test('that Meta no longer has is marked so, and staff can ask for it again', async () => {
    const missing = await afterSending('document', null)
    expect(missing.shown.media).toEqual({ state: 'failed', problem: 'expired' })
    const expired = await afterSending('image', await aPicture(), { downloadStatus: 404 })
    expect(expired.shown.media).toEqual({ state: 'failed', problem: 'expired' })
    graph.media.set(missing.id, { bytes: pdf })
    await admin.post(`/chat/messages/${missing.shown.id}/fetch`)
    await t.runJobs()
    expect(await missing.read()).toMatchObject([{ kind: 'file' }])
  })

  test('whose bytes differ from what Meta announced is fetched again', async () => {
    const { id, shown, read } = await afterSending('image', await aPicture(), { told: { sha256: '0'.repeat(64) } })
    expect(shown.media).toEqual({ state: 'waiting', problem: 'changed' })
    graph.media.set(id, { bytes: await aPicture() })
    await afterSeconds(t, 60)
    expect(await read()).toMatchObject([{ kind: 'file' }])
  })

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'https://fbsbx.com.example.org/file',
    'https://127.0.0.1/file',
  ])('at %s is not fetched, so that the token goes only to Meta', async (url) => {
    const { shown } = await afterSending('image', await aPicture(), { told: { url } })
    expect(shown.media).toEqual({ state: 'failed', problem: 'address' })
  })

  test('from an applicant opens only for the applicant and the office', async () => {
    const [sari, budi, phone] = [await asApplicant(t), await asApplicant(t), newPhone()]
    await provePhone(sari, phone)
    graph.media.set('ofSari', { bytes: await aPicture() })
    await receive([message(phone, { type: 'image', image: { id: 'ofSari' } })])
    const { id, kind } = (await sari.get('/chat/own/messages')).json().data.at(-1)
    expect(kind).toBe('file')
    expect((await download(sari, id)).statusCode).toBe(200)
    expect((await budi.get(`/chat/messages/${id}/file`)).statusCode).toBe(404)
    const { programmes } = await academicFixture(t.db)
    const limited = await asWithPermissions(t, ['private-chat'], { programmeIds: [programmes[0]!] })
    expect((await limited.get(`/chat/messages/${id}/file`)).statusCode).toBe(404)
    expect((await limited.post(`/chat/messages/${id}/fetch`)).statusCode).toBe(404)
    expect((await sari.post(`/chat/messages/${id}/fetch`)).statusCode).toBe(403)
    const { fileId } = await t.db
      .selectFrom('chatMessages')
      .select('fileId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const ofBudi = (await download(admin, id)) && (await admin.get(`/chat/messages/${id}/file`)).json().data.url
    const forged = ofBudi.replace(/[0-9a-f-]{36}(?=\/download)/, fileId!).replace(admin.accountId, budi.accountId)
    expect((await t.app.inject({ url: forged })).statusCode).toBe(403)
  })

  test('is erased with its lead', async () => {
    const { conversation } = await afterSending('document', pdf)
    const { fileId } = await t.db
      .selectFrom('chatMessages')
      .select('fileId')
      .where('conversationId', '=', conversation.id)
      .executeTakeFirstOrThrow()
    await admin.post(`/marketing/prospek/${conversation.leadId}/deletion`, { cause: 'asked' })
    const file = await t.db.selectFrom('files').select('deletedAt').where('id', '=', fileId!).executeTakeFirstOrThrow()
    expect(file.deletedAt).toEqual(t.clock.now())
  })
})

test('a location becomes text with a map link, and other types a sentence that names them', async () => {
  const phone = newPhone()
  const location = { latitude: -7.2575, longitude: 112.7521, name: 'Rumah', address: 'Jl. Contoh 1' }
  await receive([
    message(phone, { type: 'location', location }),
    message(phone, { type: 'location', location: { latitude: 'x' } }),
    message(phone, { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }),
    message(phone, { type: 'sticker', sticker: { id: '1' } }),
    message(phone, { type: 'contacts', contacts: [{}] }),
    message(phone, { type: 'video', video: { id: '1', caption: 'Kampus' } }),
    message(phone, { type: 'image', image: {} }),
  ])
  const { id } = (await conversationOf(phone))!
  const { data } = (await admin.get(`/chat/conversations/${id}/messages`)).json()
  expect(data.map(({ kind, body, detail }: Shown) => [kind, detail, body])).toEqual([
    ['text', null, '📍 Rumah, Jl. Contoh 1\nhttps://www.google.com/maps/search/?api=1&query=-7.2575,112.7521'],
    ['unsupported', 'location', ''],
    ['unsupported', 'reaction', '👍'],
    ['unsupported', 'sticker', ''],
    ['unsupported', 'contacts', ''],
    ['unsupported', 'video', 'Kampus'],
    ['unsupported', 'image', ''],
  ])
})
