import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchChatJob } from '#server/modules/chat/watch-chat.job.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { afterSeconds, type graphServer } from '#server-test/factories/whatsapp/connections.ts'
import { anOfficeOnWhatsapp, noticesOf, text } from '#server-test/factories/whatsapp/notices.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { receiveWhatsappJob } from './receive-whatsapp.job.ts'

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

describe('a phone number', () => {
  test("that an account names without proof stays with its WhatsApp user; neither sees the other's messages", async () => {
    const phone = newPhone()
    const thief = await asApplicant(t, { phone: `+${phone}` })
    await thief.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Halo' })
    await receive([message(phone, text('Nomor KTP saya 3578015705084321'))])
    expect((await thief.get('/chat/own/messages')).json().data).toHaveLength(1)
    const { id: ownId } = (await thief.get('/chat/own')).json().data
    expect((await conversationOf(phone))!.id).not.toBe(ownId)
    graph.reset()
    await admin.post(`/chat/conversations/${ownId}/messages`, { id: crypto.randomUUID(), body: 'Hai', seenSeq: 9 })
    await afterSeconds(t, 60)
    expect(graph.sent()).toEqual([])
  })

  test('without proof gets no unread answers by WhatsApp, and a proven one does', async () => {
    await t.db
      .insertInto('messageTemplates')
      .values({
        event: 'chat-answer',
        channel: 'whatsapp',
        providerTemplate: 'jawaban',
        bodyId: 'Jawaban: {{text}}',
        bodyEn: 'Answer: {{text}}',
      })
      .execute()
    const phones = [newPhone(), newPhone()] as const
    const [stranger, owner] = await Promise.all(phones.map((phone) => asApplicant(t, { phone: `+${phone}` })))
    for (const person of [stranger!, owner!])
      await person.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Halo' })
    await provePhone(owner!, phones[1])
    await afterSeconds(t, 25 * 3600)
    admin = await asStaff(t)
    for (const person of [stranger!, owner!]) {
      const { rows } = await sql<{ id: string }>`SELECT id FROM conversations
        WHERE account_id = ${person.accountId}`.execute(t.db)
      const content = { id: crypto.randomUUID(), body: 'Rahasia', seenSeq: 9 }
      expect((await admin.post(`/chat/conversations/${rows[0]!.id}/messages`, content)).statusCode).toBe(200)
    }
    await afterSeconds(t, 11 * 60)
    await watchChatJob.run(t.services, {})
    const addresses = await t.db
      .selectFrom('messages')
      .select('toAddress')
      .where('channel', '=', 'whatsapp')
      .where(
        'toAddress',
        'in',
        phones.map((phone) => `+${phone}`),
      )
      .execute()
    expect(addresses).toEqual([{ toAddress: `+${phones[1]}` }])
  })

  test('is proven by its code once, before it expires, and not by guessing', async () => {
    const [sari, phone, other] = [await asApplicant(t), newPhone(), newPhone()]
    const { url } = (await sari.post('/chat/own/whatsapp')).json().data
    expect(url).toMatch(/^https:\/\/wa\.me\/628111111111\?text=/)
    const code = new URL(url).searchParams.get('text')!
    await receive([message(other, text('PMB-AAAAAAAAAA'))])
    t.clock.set(new Date(t.clock.now().getTime() + 16 * 60_000))
    await receive([message(phone, text(code))])
    expect((await sari.get('/chat/own')).json().data.whatsapp).toEqual({ phone: null })
    await provePhone(sari, phone)
    const used = (await sari.get('/chat/own/messages')).json().data.at(-1).body
    await receive([message(other, text(used))])
    expect((await sari.get('/chat/own')).json().data.whatsapp).toEqual({ phone: `••••${phone.slice(-3)}` })
    expect((await admin.post('/chat/own/whatsapp')).statusCode).toBe(403)
  })

  test('keeps messages from before the proof out of the account, and belongs to the account that proved it last', async () => {
    const [sari, budi, phone] = [await asApplicant(t), await asApplicant(t), newPhone()]
    await receive([message(phone, text('Sebelumnya'))])
    await provePhone(sari, phone)
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['Sebelumnya'])
    await provePhone(budi, phone)
    await receive([message(phone, text('Untuk Budi'))])
    const bodiesOf = async (person: TestActor) =>
      (await person.get('/chat/own/messages')).json().data.map((one: { body: string }) => one.body)
    expect(await bodiesOf(sari)).toHaveLength(1)
    expect(await bodiesOf(budi)).toEqual([expect.stringContaining('PMB-'), 'Untuk Budi'])
  })

  test('that is unknown gets one conversation and one lead when twenty messages arrive at once', async () => {
    const phone = newPhone()
    const sent = Array.from({ length: 20 }, (_, index) => message(phone, text(`Pesan ${index}`)))
    const answers = await Promise.all(sent.map((one) => post([one])))
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    await Promise.all([1, 2, 3, 4].map(() => receiveWhatsappJob.run(t.services, {})))
    const conversation = (await conversationOf(phone))!
    const stored = await t.db
      .selectFrom('whatsappItems')
      .select(sql<string>`convert_from(raw, 'UTF8')::json -> 'item' -> 'text' ->> 'body'`.as('body'))
      .where('phone', '=', `+${phone}`)
      .orderBy('number')
      .execute()
    expect(stored).toHaveLength(20)
    expect(await bodiesIn(conversation.id)).toEqual(stored.map(({ body }) => body))
    expect(conversation.lastSeq).toBe(20)
    const leads = await t.db.selectFrom('leads').select('id').where('phone', '=', `+${phone}`).execute()
    expect(leads).toEqual([{ id: conversation.leadId }])
  })

  test('in an odd format is not understood, stays stored and delays no other message of the webhook call', async () => {
    const phone = newPhone()
    const odd = ['081234567890', '+628123', '62 812', '', '1', '9'.repeat(19), 'BSUID.1234', 628_123_456_789]
    await receive([...odd.map((from) => message(from as string, text('Aneh'))), message(phone, text('Biasa'))])
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['Biasa'])
    const open = await t.db
      .selectFrom('whatsappItems')
      .select(['phone', 'problem'])
      .where('handledAt', 'is', null)
      .execute()
    expect(open).toEqual(odd.map(() => ({ phone: null, problem: 'no_sender' })))
  })

  test('keeps its lead from being forgotten while it writes', async () => {
    const phone = newPhone()
    await receive([message(phone, text('Halo'))])
    const { leadId } = (await conversationOf(phone))!
    await t.db
      .updateTable('leads')
      .set({ touchedAt: new Date('2020-01-01') })
      .where('id', '=', leadId)
      .execute()
    await receive([message(phone, text('Halo lagi'))])
    const lead = await t.db.selectFrom('leads').select('touchedAt').where('id', '=', leadId!).executeTakeFirstOrThrow()
    expect(lead.touchedAt).toEqual(t.clock.now())
  })
})
