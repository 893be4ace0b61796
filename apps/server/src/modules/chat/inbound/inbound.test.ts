import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchChatJob } from '#server/modules/chat/watch-chat.job.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { afterSeconds, graphError, type graphServer } from '#server-test/factories/whatsapp/connections.ts'
import { anOfficeOnWhatsapp, noticesOf, text } from '#server-test/factories/whatsapp/notices.ts'
import { pastTriggers, type TestApp } from '#server-test/test-app.ts'
import { contentOf, receiveWhatsappJob } from './receive-whatsapp.job.ts'

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

const { newPhone, message, post, receive, provePhone, conversationOf, bodiesIn } = noticesOf(() => ({
  t,
  admin,
  connection,
}))

describe('a WhatsApp message', () => {
  test('from a profile name with invisible characters is shown without them', async () => {
    const phone = newPhone()
    await post([message(phone, text('Halo'))], { name: '\u202eDewi\u200b Contoh' })
    await t.runJobs()
    expect(await conversationOf(phone)).toMatchObject({ name: 'Dewi Contoh' })
  })

  test('from an unknown number creates one conversation and one lead, however often Meta repeats it', async () => {
    const phone = newPhone()
    const hello = message(phone, text('Halo, apakah masih buka?'))
    await receive([hello])
    await receive([hello, hello])
    const conversation = (await conversationOf(phone))!
    expect(conversation).toMatchObject({ name: 'Dewi Contoh', accountId: null, leadId: expect.any(String) })
    expect(await bodiesIn(conversation.id)).toEqual(['Halo, apakah masih buka?'])
    const lead = (await admin.get(`/marketing/prospek/${conversation.leadId}`)).json().data
    expect(lead).toMatchObject({ name: 'Dewi Contoh', phone: `+${phone}` })
  })

  test('from an applicant with a proven number appears in the website conversation', async () => {
    const phone = newPhone()
    const sari = await asApplicant(t)
    await sari.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Dari situs' })
    await provePhone(sari, phone)
    await receive([message(phone, text('Dari WhatsApp'))])
    const { data } = (await sari.get('/chat/own/messages')).json()
    expect(data).toMatchObject([
      { body: 'Dari situs', own: true },
      { body: expect.stringContaining('PMB-'), own: true },
      { body: 'Dari WhatsApp', own: true },
    ])
    expect((await sari.get('/chat/own')).json().data.whatsapp).toEqual({ phone: `••••${phone.slice(-3)}` })
    expect(await conversationOf(phone)).toBeUndefined()
  })

  test('too long for one chat message appears there in full', async () => {
    const phone = newPhone()
    await receive([message(phone, text(`${'a'.repeat(4_000)}selesai`))])
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['a'.repeat(4_000), 'selesai'])
  })

  test('of an unknown type is shown as such, and a malformed one blocks nothing', async () => {
    const phone = newPhone()
    await receive([
      message(phone, { type: 'sticker', sticker: { id: '1' } }),
      message(phone, { type: 'hologram', hologram: {} }),
      message(phone, { type: 'text', text: 'not an object' }),
      message(phone, text('Dan ini teks')),
    ])
    const { id } = (await conversationOf(phone))!
    const { data } = (await admin.get(`/chat/conversations/${id}/messages`)).json()
    expect(data.map((one: { kind: string; detail: string | null }) => [one.kind, one.detail])).toEqual([
      ['unsupported', 'sticker'],
      ['unsupported', 'hologram'],
      ['unsupported', 'unknown'],
      ['text', null],
    ])
  })

  test('keeps its caption and loses only characters that cannot be stored', async () => {
    const phone = newPhone()
    await receive([
      message(phone, { type: 'image', image: { id: '1', caption: 'Bukti bayar' } }),
      message(phone, text('Halo \ud83d dunia\u0000! \ud83d\ude00 C:\\u0000')),
    ])
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual([
      'Bukti bayar',
      'Halo \ufffd dunia! 😀 C:\\u0000',
    ])
  })

  test('is erased with its lead', async () => {
    const phone = newPhone()
    await receive([message(phone, text('Tolong hapus data saya'))])
    const { id, leadId } = (await conversationOf(phone))!
    await admin.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body: 'Baik', seenSeq: 9 })
    await afterSeconds(t, 60)
    expect((await admin.post(`/marketing/prospek/${leadId}/deletion`, { cause: 'asked' })).statusCode).toBe(200)
    expect(await conversationOf(phone)).toBeUndefined()
    const { rows } = await sql`SELECT phone FROM whatsapp_items WHERE phone = ${`+${phone}`}
      UNION ALL SELECT address FROM whatsapp_windows WHERE address = ${`+${phone}`}
      UNION ALL SELECT to_address FROM messages WHERE to_address = ${`+${phone}`}`.execute(t.db)
    expect(rows).toEqual([])
  })

  test('that cannot be processed stays stored and stops no others', async () => {
    const [broken, sound] = [newPhone(), newPhone()]
    await pastTriggers(
      t,
      sql`ALTER TABLE conversations ADD CONSTRAINT refused CHECK (phone <> ${sql.lit(`+${broken}`)})`,
    )
    await receive([message(broken, text('Tersangkut')), message(sound, text('Lewat'))])
    expect(await bodiesIn((await conversationOf(sound))!.id)).toEqual(['Lewat'])
    const stored = await t.db
      .selectFrom('whatsappItems')
      .selectAll()
      .where('phone', '=', `+${broken}`)
      .executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ handledAt: null, problem: 'failed', detail: expect.stringContaining('refused') })
    await pastTriggers(t, sql`ALTER TABLE conversations DROP CONSTRAINT refused`)
    await receiveWhatsappJob.run(t.services, {})
    expect(await bodiesIn((await conversationOf(broken))!.id)).toEqual(['Tersangkut'])
  })

  test('is answered by WhatsApp as free text within 24 hours, then only with an approved template', async () => {
    const phone = newPhone()
    await receive([message(phone, text('Berapa biayanya?'))])
    const { id } = (await conversationOf(phone))!
    const send = (changes: object = {}) =>
      admin.post(`/chat/conversations/${id}/messages`, {
        id: crypto.randomUUID(),
        body: 'Rp 300.000',
        seenSeq: 99,
        ...changes,
      })
    graph.reset()
    expect((await send()).json().data.delivery).toMatchObject({ status: 'queued' })
    await afterSeconds(t, 60)
    expect(graph.sent()[0]).toMatchObject({ to: phone, type: 'text', text: { body: 'Rp 300.000' } })
    await afterSeconds(t, 25 * 3600)
    admin = await asStaff(t)
    expect((await send()).json().code).toBe('chat_window_closed')
    const { id: templateId } = await t.db
      .insertInto('messageTemplates')
      .values({
        event: 'note',
        channel: 'whatsapp',
        providerTemplate: 'sapaan_pmb',
        bodyId: 'Halo {{name}}, kami belum mendengar kabar Anda.',
        bodyEn: 'Hello {{name}}, we have not heard from you.',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { templates } = (await admin.get(`/chat/conversations/${id}/replies`)).json()
    expect(templates).toEqual([
      { id: templateId, name: 'sapaan_pmb', body: 'Halo Dewi Contoh, kami belum mendengar kabar Anda.' },
    ])
    graph.reset()
    expect((await send({ templateId })).json().data.body).toContain('Dewi Contoh')
    await t.runJobs()
    expect(graph.sent()[0]).toMatchObject({ to: phone, type: 'template', template: { name: 'sapaan_pmb' } })

    const applicant = await asApplicant(t, { name: 'Sam Contoh' })
    await t.db.updateTable('accounts').set({ language: 'en' }).where('id', '=', applicant.accountId).execute()
    await applicant.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Hello' })
    const { id: englishId, whatsappAddress } = await t.db
      .updateTable('conversations')
      .set({ whatsappAt: new Date(0), whatsappAddress: `+${newPhone()}`, whatsappConnectionId: connection.id })
      .where('accountId', '=', applicant.accountId)
      .returning(['id', 'whatsappAddress'])
      .executeTakeFirstOrThrow()
    const content = { id: crypto.randomUUID(), body: 'Hello', seenSeq: 99, templateId }
    const sent = await admin.post(`/chat/conversations/${englishId}/messages`, content)
    expect(sent.json().data.body).toMatch(/^Hello Sam/)
    await afterSeconds(t, 60)
    expect(graph.sent()[1]).toMatchObject({ template: { language: { code: 'en' } } })
    expect(graph.sent()[1]).toMatchObject({ to: expect.stringContaining(whatsappAddress!.slice(-8)) })
  })
})

test('a template sent to a nameless number hides the number from staff who may not see it', async () => {
  const phone = newPhone()
  await receive([message(phone, text('Halo'))])
  await t.db.updateTable('conversations').set({ name: null }).where('phone', '=', `+${phone}`).execute()
  const { id } = (await conversationOf(phone))!
  const { id: templateId } = await t.db
    .insertInto('messageTemplates')
    .values({
      event: 'health-well',
      channel: 'whatsapp',
      providerTemplate: 'salam',
      bodyId: 'Halo {{name}}.',
      bodyEn: 'Hello {{name}}.',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const agent = await asWithPermissions(t, ['private-chat'])
  const { templates } = (await agent.get(`/chat/conversations/${id}/replies`)).json()
  const content = { id: crypto.randomUUID(), body: 'Halo', seenSeq: 9, templateId }
  const sent = (await agent.post(`/chat/conversations/${id}/messages`, content)).json().data
  expect(sent.body).toBe(`Halo WhatsApp ${phone.slice(-4)}.`)
  expect(templates).toContainEqual(expect.objectContaining({ body: sent.body }))
  await afterSeconds(t, 60)
})

const mailsTo = (person: TestActor) =>
  t.db
    .selectFrom('messages')
    .select('body')
    .where('accountId', '=', person.accountId)
    .where('event', '=', 'chat-answer')
    .where('channel', '=', 'email')
    .execute()

test('an answer waiting for a broken connection goes out by mail, once', async () => {
  const phone = newPhone()
  const sari = await asApplicant(t)
  await provePhone(sari, phone)
  const { id } = (await sari.get('/chat/own')).json().data
  graph.say(graphError(190))
  await admin.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body: 'Halo juga', seenSeq: 9 })
  for (const seconds of [11 * 60, 60, 3_600]) {
    await afterSeconds(t, seconds)
    await watchChatJob.run(t.services, {})
  }
  expect(await mailsTo(sari)).toMatchObject([{ body: expect.stringContaining('Halo juga') }])
  graph.reset()
  await t.db.updateTable('whatsappConnections').set({ problem: null, problemAt: null }).execute()
})

test('a file sent before a text that WhatsApp delivered is announced by mail', async () => {
  const phone = newPhone()
  const sari = await asApplicant(t)
  await provePhone(sari, phone)
  const { id } = (await sari.get('/chat/own')).json().data
  graph.reset()
  const file = { name: 'formulir.jpg', type: 'image/jpeg', bytes: await aPicture() }
  await admin.upload(`/chat/conversations/${id}/files`, file, { id: crypto.randomUUID() })
  await admin.post(`/chat/conversations/${id}/messages`, {
    id: crypto.randomUUID(),
    body: 'Ini formulirnya',
    seenSeq: 9,
  })
  await afterSeconds(t, 11 * 60)
  expect(graph.sent()).toMatchObject([{ text: { body: 'Ini formulirnya' } }])
  await watchChatJob.run(t.services, {})
  expect(await mailsTo(sari)).toHaveLength(1)
})

test('an answer that WhatsApp rejects goes out by mail', async () => {
  const phone = newPhone()
  const sari = await asApplicant(t)
  await provePhone(sari, phone)
  const { id } = (await sari.get('/chat/own')).json().data
  graph.say(graphError(131026))
  await admin.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body: 'Halo juga', seenSeq: 9 })
  await afterSeconds(t, 11 * 60)
  await watchChatJob.run(t.services, {})
  expect(await mailsTo(sari)).toMatchObject([{ body: expect.stringContaining('Halo juga') }])
})

test('an answer uses the connection the person wrote to, whatever the default is', async () => {
  const phone = newPhone()
  await receive([message(phone, text('Halo'))])
  const { id } = (await conversationOf(phone))!
  await t.db.updateTable('whatsappConnections').set({ isDefault: false }).execute()
  await t.db.insertInto('whatsappConnections').values({ name: 'Kotak keluar', kind: 'log', isDefault: true }).execute()
  graph.reset()
  await admin.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body: 'Halo juga', seenSeq: 9 })
  await afterSeconds(t, 60)
  expect(graph.sent()).toMatchObject([{ to: phone, type: 'text', text: { body: 'Halo juga' } }])
})

test('a webhook call with a wrong signature is refused', async () => {
  const phone = newPhone()
  expect((await post([message(phone, text('Palsu'))], { secret: 'guessed' })).statusCode).toBe(401)
  await t.runJobs()
  expect(await conversationOf(phone)).toBeUndefined()
})

test('a message that arrives late does not shorten the 24 hours for free text', async () => {
  const phone = newPhone()
  const early = message(phone, text('Pertama'))
  t.clock.set(new Date(t.clock.now().getTime() + 3_600_000))
  await receive([message(phone, text('Kedua'))])
  const before = (await conversationOf(phone))!.whatsappAt
  await receive([early])
  expect((await conversationOf(phone))!.whatsappAt).toEqual(before)
})

describe('the text of a message', () => {
  test.each([
    [{ type: 'text', text: { body: ' Halo ' } }, ['Halo']],
    [{ type: 'button', button: { text: 'Ya' } }, ['Ya']],
    [{ type: 'interactive', interactive: { list_reply: { title: 'Pilihan' } } }, ['Pilihan']],
    [{ type: 'text', text: { body: '   ' } }, []],
    [{ type: 'image' }, []],
    [null, []],
  ])('of %j is %j', (raw, words) => {
    expect(contentOf(raw).words).toEqual(words)
  })

  test('too long for one message is split, never inside a character', () => {
    const body = `${'a'.repeat(3_999)}😀${'b'.repeat(5_000)}`
    const { words } = contentOf({ type: 'text', text: { body } })
    expect(words.map(({ length }) => length)).toEqual([3_999, 4_000, 1_002])
    expect(words.join('')).toBe(body)
    expect(words.every((part) => part.isWellFormed())).toBe(true)
  })
})
