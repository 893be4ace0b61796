import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asWithPermissions, type TestActor } from '#server-test/actors.ts'
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

const {
  newPhone,
  newUserId,
  message,
  post,
  postValue,
  receive,
  provePhone,
  conversationOf,
  conversationOfUser,
  bodiesIn,
} = noticesOf(() => ({ t, admin, connection }))

const answer = (id: string, body: string) =>
  admin.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body, seenSeq: 99 })
const ownBodies = async (person: TestActor) =>
  (await person.get('/chat/own/messages')).json().data.map(({ body }: { body: string }) => body)

describe('a person with a user name and no number', () => {
  test('gets a conversation and a lead, and answers go to the user id within 24 hours', async () => {
    const userId = newUserId()
    await receive([message({ from_user_id: userId }, text('Halo, saya tanpa nomor'))])
    const conversation = (await conversationOfUser(userId))!
    expect(conversation).toMatchObject({ name: 'Dewi Contoh', phone: null, leadId: expect.any(String) })
    expect(await bodiesIn(conversation.id)).toEqual(['Halo, saya tanpa nomor'])
    graph.reset()
    expect((await answer(conversation.id, 'Halo juga')).json().data.delivery).toMatchObject({ status: 'queued' })
    await afterSeconds(t, 60)
    const [sent] = graph.sent()
    expect(sent).toMatchObject({ recipient: userId, recipient_type: 'individual', text: { body: 'Halo juga' } })
    expect(sent).not.toHaveProperty('to')
    const reported = { id: 'wamid.1', status: 'read', timestamp: '1798945200', recipient_user_id: userId }
    const { providerMessageId } = await t.db
      .selectFrom('messages')
      .select('providerMessageId')
      .where('toAddress', '=', userId)
      .executeTakeFirstOrThrow()
    expect((await postValue({ statuses: [{ ...reported, id: providerMessageId }] })).statusCode).toBe(200)
    const { data } = (await admin.get(`/chat/conversations/${conversation.id}/messages`)).json()
    expect(data.at(-1).delivery).toMatchObject({ status: 'read' })
  })

  test('gets no free text after 24 hours', async () => {
    const userId = newUserId()
    await receive([message({ from_user_id: userId }, text('Halo'))])
    const { id } = (await conversationOfUser(userId))!
    await t.db
      .updateTable('conversations')
      .set({ whatsappAt: new Date(0) })
      .where('id', '=', id)
      .execute()
    expect((await answer(id, 'Terlambat')).json().code).toBe('chat_window_closed')
  })

  test('whose twenty messages arrive at once gets one conversation and one lead', async () => {
    const userId = newUserId()
    const sent = Array.from({ length: 20 }, (_, index) => message({ from_user_id: userId }, text(`Pesan ${index}`)))
    const answers = await Promise.all(sent.map((one) => post([one])))
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    await Promise.all([1, 2, 3, 4].map(() => receiveWhatsappJob.run(t.services, {})))
    const conversation = (await conversationOfUser(userId))!
    expect((await bodiesIn(conversation.id)).toSorted()).toEqual(sent.map((_, index) => `Pesan ${index}`).toSorted())
    expect(conversation.lastSeq).toBe(20)
  })

  test('is listed by user name if there is no profile name, never by the whole id', async () => {
    const [named, nameless] = [newUserId(), newUserId()]
    const contact = { user_id: named, profile: { username: 'dewi.contoh' } }
    await postValue({ contacts: [contact], messages: [message({ from_user_id: named }, text('Halo'))] })
    await postValue({ messages: [message({ from_user_id: nameless }, text('Halo'))] })
    await t.runJobs()
    expect((await conversationOfUser(named))!.name).toBe('@dewi.contoh')
    const { id } = (await conversationOfUser(nameless))!
    const details = (await admin.get(`/chat/conversations/${id}`)).json().data
    expect(details).toMatchObject({ name: `WhatsApp ${nameless.slice(-4)}`, phone: null })
    const listed = (await admin.get('/chat/conversations?per_page=200')).json().data
    expect(listed.find((row: { id: string }) => row.id === id).name).toBe(details.name)
  })

  test('loses the conversation when its lead is erased', async () => {
    const userId = newUserId()
    await receive([message({ from_user_id: userId }, text('Tolong hapus data saya'))])
    const { id, leadId } = (await conversationOfUser(userId))!
    await answer(id, 'Baik')
    await afterSeconds(t, 60)
    await postValue({ statuses: [{ id: 'wamid.x', status: 'sent', timestamp: '1', recipient_user_id: userId }] })
    expect((await admin.post(`/marketing/prospek/${leadId}/deletion`, { cause: 'asked' })).statusCode).toBe(200)
    const { rows } = await sql`SELECT user_id FROM whatsapp_items WHERE user_id = ${userId}
      UNION ALL SELECT user_id FROM conversations WHERE user_id = ${userId}
      UNION ALL SELECT address FROM whatsapp_windows WHERE address = ${userId}
      UNION ALL SELECT to_address FROM messages WHERE to_address = ${userId}`.execute(t.db)
    expect(rows).toEqual([])
  })
})

describe('a user id and a number that arrive together', () => {
  test('after the number alone join its conversation, which the user id alone then finds', async () => {
    const [phone, userId] = [newPhone(), newUserId()]
    await receive([message(phone, text('Satu'))])
    await receive([message({ from: phone, from_user_id: userId }, text('Dua'))])
    await receive([message({ from_user_id: userId }, text('Tiga'))])
    const conversation = (await conversationOf(phone))!
    expect(await bodiesIn(conversation.id)).toEqual(['Satu', 'Dua', 'Tiga'])
    expect((await conversationOfUser(userId))!.id).toBe(conversation.id)
    graph.reset()
    await answer(conversation.id, 'Empat')
    await afterSeconds(t, 60)
    expect(graph.sent()).toMatchObject([{ recipient: userId }])
  })

  test('after the user id alone join its conversation, and its lead gets the number', async () => {
    const [phone, userId] = [newPhone(), newUserId()]
    await receive([message({ from_user_id: userId }, text('Satu'))])
    await receive([message({ from: phone, from_user_id: userId }, text('Dua'))])
    await receive([message(phone, text('Tiga'))])
    const conversation = (await conversationOfUser(userId))!
    expect(conversation.phone).toBe(`+${phone}`)
    expect(await bodiesIn(conversation.id)).toEqual(['Satu', 'Dua', 'Tiga'])
    const leads = await t.db.selectFrom('leads').select(['id']).where('phone', '=', `+${phone}`).execute()
    expect(leads).toEqual([{ id: conversation.leadId }])
  })

  test('after each arrived alone join both conversations, numbered without a gap; the leads are flagged as possible duplicates', async () => {
    const [phone, userId] = [newPhone(), newUserId()]
    await receive([message(phone, text('Dengan nomor'))])
    await receive([message({ from_user_id: userId }, text('Tanpa nomor'))])
    const [byPhone, byUser] = [(await conversationOf(phone))!, (await conversationOfUser(userId))!]
    await admin.post(`/chat/conversations/${byUser.id}/messages`, {
      ...{ id: crypto.randomUUID(), body: 'Catatan', note: true, seenSeq: 9 },
    })
    await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        post([message({ from: phone, from_user_id: userId }, text(`Bersama ${index}`))]),
      ),
    )
    await Promise.all([1, 2, 3].map(() => receiveWhatsappJob.run(t.services, {})))
    const conversation = (await conversationOf(phone))!
    expect(conversation).toMatchObject({ id: byPhone.id, userId, leadId: byPhone.leadId, lastSeq: 9, lastPublicSeq: 7 })
    const { data } = (await admin.get(`/chat/conversations/${conversation.id}/messages`)).json()
    expect(data.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(
      data.slice(0, 4).map(({ body, happening }: { body: string; happening: string }) => happening ?? body),
    ).toEqual(['Dengan nomor', 'Tanpa nomor', 'Catatan', 'joined'])
    expect((await admin.get(`/chat/conversations/${byUser.id}`)).statusCode).toBe(404)
    const pairs = await t.db
      .selectFrom('leadPairs')
      .select('state')
      .where('leadId', 'in', [byPhone.leadId!, byUser.leadId!])
      .where('otherId', 'in', [byPhone.leadId!, byUser.leadId!])
      .execute()
    expect(pairs).toEqual([{ state: 'suspected' }])
  })

  test.each([
    // Columns after the title: last message read in the first conversation, in the second, and messages unread after
    // the join. The last column leaves out the event `joined`.
    ['both read', 2, 2, 1],
    ['the first unread, the second read', 1, 2, 2],
    ['the first read, the second in part', 2, 1, 2],
    ['the first read only', 2, null, 3],
    ['the second read only', null, 2, 3],
    ['neither read', null, null, 5],
  ] as const)(
    'count what each agent has not read, after the join too: %s',
    async (_, readFirst, readSecond, unread) => {
      const [phone, userId] = [newPhone(), newUserId()]
      await receive([message(phone, text('Satu')), message(phone, text('Dua'))])
      await receive([message({ from_user_id: userId }, text('Tiga')), message({ from_user_id: userId }, text('Empat'))])
      const [byPhone, byUser] = [(await conversationOf(phone))!, (await conversationOfUser(userId))!]
      const agent = await asWithPermissions(t, ['private-chat'])
      if (readFirst) await agent.put(`/chat/conversations/${byPhone.id}/read`, { seq: readFirst })
      if (readSecond) await agent.put(`/chat/conversations/${byUser.id}/read`, { seq: readSecond })
      await receive([message({ from: phone, from_user_id: userId }, text('Lima'))])
      const unreadOf = async (reader: TestActor) =>
        (await reader.get(`/chat/conversations/${byPhone.id}`)).json().data.unread
      expect(await unreadOf(agent)).toBe(unread + 1)
      expect(await unreadOf(await asWithPermissions(t, ['private-chat']))).toBe(6)
      await agent.put(`/chat/conversations/${byPhone.id}/read`, { seq: 99 })
      expect(await unreadOf(agent)).toBe(0)
      await receive([message(phone, text('Enam'))])
      expect(await unreadOf(agent)).toBe(1)
    },
  )

  test('in a delivery report are linked too', async () => {
    const [phone, userId] = [newPhone(), newUserId()]
    await receive([message(phone, text('Satu'))])
    const report = { id: `wamid.${userId}`, status: 'delivered', timestamp: '1798945200' }
    await postValue({ statuses: [{ ...report, recipient_id: phone, recipient_user_id: userId }] })
    await receive([message({ from_user_id: userId }, text('Dua'))])
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['Satu', 'Dua'])
  })
})

describe('a number that comes with another user id', () => {
  const newOwner = async () => {
    const [first, second, userId, otherId] = [newPhone(), newPhone(), newUserId(), newUserId()]
    await receive([message({ from_user_id: userId }, text('Satu'))])
    await receive([message({ from: first, from_user_id: userId }, text('Dua'))])
    await receive([message({ from: second, from_user_id: userId }, text('Tiga'))])
    const former = (await conversationOfUser(userId))!
    await receive([message({ from: second, from_user_id: otherId }, text('Nomor ini sekarang milik saya'))])
    return { second, userId, otherId, former }
  }

  test('has a new owner, who begins a conversation and gets nothing of the former one', async () => {
    const { second, userId, otherId, former } = await newOwner()
    const [oldOne, newOne] = [(await conversationOfUser(userId))!, (await conversationOfUser(otherId))!]
    expect(oldOne).toMatchObject({ id: former.id, phone: null, whatsappAddress: userId })
    expect(await bodiesIn(oldOne.id)).toEqual(['Satu', 'Dua', 'Tiga'])
    expect(newOne).toMatchObject({ phone: `+${second}`, whatsappAddress: `+${second}` })
    expect(await bodiesIn(newOne.id)).toEqual(['Nomor ini sekarang milik saya'])
    await receive([message(second, text('Tanpa nama pengguna')), message({ from_user_id: userId }, text('Empat'))])
    expect(await bodiesIn(newOne.id)).toEqual(['Nomor ini sekarang milik saya', 'Tanpa nama pengguna'])
    expect(await bodiesIn(oldOne.id)).toEqual(['Satu', 'Dua', 'Tiga', 'Empat'])
  })

  test('gives the new owner a lead of their own, suspected to be the former one', async () => {
    const [phone, userId, otherId] = [newPhone(), newUserId(), newUserId()]
    await receive([message({ from: phone, from_user_id: userId }, text('Satu'))])
    await receive([message({ from: phone, from_user_id: otherId }, text('Dua'))])
    const leads = [(await conversationOfUser(userId))!.leadId!, (await conversationOfUser(otherId))!.leadId!]
    expect(leads[0]).not.toBe(leads[1])
    const phones = await t.db.selectFrom('leads').select('phone').where('id', 'in', leads).execute()
    expect(phones).toEqual([{ phone: `+${phone}` }, { phone: `+${phone}` }])
    const pairs = await t.db
      .selectFrom('leadPairs')
      .select('state')
      .where('leadId', 'in', leads)
      .where('otherId', 'in', leads)
      .execute()
    expect(pairs).toEqual([{ state: 'suspected' }])
  })

  test('moves between two known conversations, which stay apart', async () => {
    const [phone, userId, otherId] = [newPhone(), newUserId(), newUserId()]
    await receive([message({ from: phone, from_user_id: userId }, text('Satu'))])
    await receive([message({ from_user_id: otherId }, text('Dua'))])
    await receive([message({ from: phone, from_user_id: otherId }, text('Tiga'))])
    expect(await bodiesIn((await conversationOfUser(userId))!.id)).toEqual(['Satu'])
    expect(await bodiesIn((await conversationOfUser(otherId))!.id)).toEqual(['Dua', 'Tiga'])
    expect((await conversationOf(phone))!.userId).toBe(otherId)
  })

  test('of twenty messages at once begins one conversation', async () => {
    const [phone, userId, otherId] = [newPhone(), newUserId(), newUserId()]
    await receive([message({ from: phone, from_user_id: userId }, text('Satu'))])
    const sent = Array.from({ length: 20 }, (_, index) =>
      message({ from: phone, from_user_id: otherId }, text(`Pesan ${index}`)),
    )
    await Promise.all(sent.map((one) => post([one])))
    await Promise.all([1, 2, 3, 4].map(() => receiveWhatsappJob.run(t.services, {})))
    expect(await bodiesIn((await conversationOfUser(otherId))!.id)).toHaveLength(20)
    expect(await bodiesIn((await conversationOfUser(userId))!.id)).toEqual(['Satu'])
  })
})

describe('the user id of an applicant', () => {
  test('that sends the chat code appears in the website conversation', async () => {
    const [sari, userId] = [await asApplicant(t), newUserId()]
    await provePhone(sari, { from_user_id: userId })
    await receive([message({ from_user_id: userId }, text('Tanpa nomor'))])
    expect(await ownBodies(sari)).toEqual([expect.stringContaining('PMB-'), 'Tanpa nomor'])
    expect((await sari.get('/chat/own')).json().data.whatsapp).toEqual({ phone: `••••${userId.slice(-3)}` })
    expect(await conversationOfUser(userId)).toBeUndefined()
  })

  test('that arrives with a proven number is proven too', async () => {
    const [sari, phone, userId] = [await asApplicant(t), newPhone(), newUserId()]
    await provePhone(sari, phone)
    await receive([message({ from: phone, from_user_id: userId }, text('Dengan keduanya'))])
    await receive([message({ from_user_id: userId }, text('Tanpa nomor'))])
    expect(await ownBodies(sari)).toEqual([expect.stringContaining('PMB-'), 'Dengan keduanya', 'Tanpa nomor'])
  })

  test('is not confused with that of a stranger who now has the number', async () => {
    const [sari, phone, userId] = [await asApplicant(t), newPhone(), newUserId()]
    await provePhone(sari, { from: phone, from_user_id: userId })
    await receive([message({ from: phone, from_user_id: newUserId() }, text('Nomor ini sekarang milik saya'))])
    expect(await ownBodies(sari)).toHaveLength(1)
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['Nomor ini sekarang milik saya'])
  })

  test('moves with its number to the account that proved it last', async () => {
    const [sari, budi, phone, userId] = [await asApplicant(t), await asApplicant(t), newPhone(), newUserId()]
    await provePhone(sari, { from: phone, from_user_id: userId })
    await provePhone(budi, { from_user_id: userId })
    await receive([
      message({ from_user_id: userId }, text('Untuk Budi')),
      message({ from: phone, from_user_id: userId }, text('Juga untuk Budi')),
      message(phone, text('Masih untuk Budi')),
    ])
    expect(await ownBodies(sari)).toHaveLength(1)
    expect((await ownBodies(budi)).slice(1)).toEqual(['Untuk Budi', 'Juga untuk Budi', 'Masih untuk Budi'])
  })
})
