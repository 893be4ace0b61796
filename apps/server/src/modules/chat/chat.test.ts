import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '#locales/en/errors.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { watchChatJob } from './watch-chat.job.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  // Friday, 10:00 in Jakarta, within office hours.
  t.clock.set('2026-11-27T03:00:00Z')
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())

const write = (actor: TestActor, body: string, id = crypto.randomUUID() as string) =>
  actor.post('/chat/own/messages', { id, body })
const conversationOf = async (person: TestActor) => (await person.get('/chat/own')).json().data.id as string
const answer = async (actor: TestActor, id: string, body: string, changes: object = {}) => {
  const { lastSeq } = (await actor.get(`/chat/conversations/${id}`)).json().data
  return actor.post(`/chat/conversations/${id}/messages`, {
    id: crypto.randomUUID(),
    body,
    seenSeq: lastSeq,
    ...changes,
  })
}
const bodiesOf = async (actor: TestActor, url: string) =>
  (await actor.get(url)).json().data.map(({ body }: { body: string }) => body)
const afterMinutes = async (minutes: number) => {
  t.clock.set(new Date(t.clock.now().getTime() + minutes * 60_000))
  await watchChatJob.run(t.services, {})
}
const emptyQueue = () =>
  sql`UPDATE conversations SET waiting_since = NULL, due_at = NULL, assignee_id = NULL`.execute(t.db)

describe('a person and the office', () => {
  test('talk in one conversation; notes stay with staff, and each side counts its own messages without a gap', async () => {
    const sari = await asApplicant(t, { name: 'Sari' })
    expect((await sari.get('/chat/own')).json().data).toMatchObject({
      id: null,
      lastSeq: 0,
      unread: 0,
      hours: { open: true },
    })
    expect((await write(sari, 'Kapan tesnya?')).json().data).toMatchObject({ seq: 1, own: true, author: 'person' })
    const id = await conversationOf(sari)
    await answer(staff, id, 'Periksa dulu jadwalnya', { note: true })
    await answer(staff, id, 'Tanggal 5 Desember')
    expect(await bodiesOf(sari, '/chat/own/messages')).toEqual(['Kapan tesnya?', 'Tanggal 5 Desember'])
    expect(await bodiesOf(staff, `/chat/conversations/${id}/messages`)).toHaveLength(3)
    const { data } = (await sari.get('/chat/own/messages?after=1')).json()
    expect(data).toMatchObject([{ seq: 2, author: 'staff', name: 'Petugas Panitia PMB', own: false }])
    expect((await sari.get('/chat/own')).json().data).toMatchObject({ lastSeq: 2, unread: 1 })
    // Own messages do not count as unread.
    await write(sari, 'Baik')
    expect((await sari.get('/chat/own')).json().data).toMatchObject({ lastSeq: 3, unread: 1 })
    await sari.put('/chat/own/read', { seq: 3 })
    expect((await sari.get('/chat/own')).json().data.unread).toBe(0)
    const { meta } = (await staff.get(`/chat/conversations/${id}/messages`)).json()
    expect(meta).toMatchObject({ lastSeq: 4, personReadSeq: 4 })
    const unreadOf = async (actor: TestActor) => (await actor.get(`/chat/conversations/${id}`)).json().data.unread
    expect([await unreadOf(staff), await unreadOf(await asStaff(t))]).toEqual([2, 4])
  })

  test('a message sent twenty times is stored once', async () => {
    const sari = await asApplicant(t)
    const id = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => write(sari, 'Halo', id)))
    expect(new Set(answers.map((one) => `${one.statusCode} ${one.json().data.seq}`))).toEqual(new Set(['200 1']))
    expect(await bodiesOf(sari, '/chat/own/messages')).toEqual(['Halo'])
  })

  test('twenty messages at once are numbered one to twenty', async () => {
    const sari = await asApplicant(t)
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(sari, `Pesan ${index}`)))
    const { data } = (await sari.get('/chat/own/messages')).json()
    expect(data.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('an id used by another account is refused, and other accounts neither read nor write the conversation', async () => {
    const [sari, budi] = [await asApplicant(t), await asApplicant(t)]
    const id = crypto.randomUUID()
    await write(sari, 'Rahasia', id)
    expect((await write(budi, 'Halo', id)).statusCode).toBe(409)
    const conversation = await conversationOf(sari)
    for (const url of [
      `/chat/conversations/${conversation}`,
      `/chat/conversations/${conversation}/messages`,
      '/chat/rooms',
    ])
      expect((await budi.get(url)).statusCode, url).toBe(403)
  })

  test('staff limited to a programme see only the conversations of its applicants', async () => {
    const { programmes } = await academicOf(t)
    const sari = await asApplicant(t, { profile: true })
    await aRegistration(t, { status: 'paid', choices: [programmes[0]], applicant: sari })
    await write(sari, 'Halo')
    const stranger = await asApplicant(t)
    await write(stranger, 'Tanpa pendaftaran')
    const [ownId, strangerId] = [await conversationOf(sari), await conversationOf(stranger)]
    const near = await asWithPermissions(t, ['private-chat'], { programmeIds: [programmes[0]] })
    const far = await asWithPermissions(t, ['private-chat'], { programmeIds: [programmes[1]] })
    const reads = async (actor: TestActor, id: string) =>
      (await actor.get(`/chat/conversations/${id}/messages`)).statusCode
    expect([await reads(near, ownId), await reads(near, strangerId), await reads(far, ownId)]).toEqual([200, 404, 404])
    const listed = async (actor: TestActor) =>
      (await actor.get('/chat/conversations')).json().data.map((row: { id: string }) => row.id)
    expect(await listed(near)).toEqual([ownId])
    expect(await listed(far)).toEqual([])
  })

  test("an agent answering after a colleague gets the text back with the colleague's answer", async () => {
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    const colleague = await asStaff(t, 'Panitia PMB')
    const [first, second] = await Promise.all(
      [staff, colleague].map((one, index) =>
        one.post(`/chat/conversations/${id}/messages`, {
          id: crypto.randomUUID(),
          body: `Jawaban ${index}`,
          seenSeq: 1,
        }),
      ),
    )
    const [refused] = [first!, second!].filter(({ statusCode }) => statusCode === 409)
    expect([first!.statusCode, second!.statusCode].sort()).toEqual([200, 409])
    expect(refused!.json()).toMatchObject({ code: 'chat_answered_meanwhile', data: { messages: [{ seq: 2 }] } })
    expect(await bodiesOf(sari, '/chat/own/messages')).toHaveLength(2)
  })

  test('exchange pictures, checked like documents; only the two sides open them, by a short-lived URL', async () => {
    const [sari, budi] = [await asApplicant(t), await asApplicant(t)]
    const file = { name: 'bukti.jpg', type: 'image/jpeg', bytes: await aPicture() }
    const id = crypto.randomUUID()
    const sent = await sari.upload('/chat/own/files', file, { id })
    expect(sent.json().data).toMatchObject({ kind: 'file', file: { name: 'bukti.jpg', mime: 'image/jpeg' } })
    expect((await sari.upload('/chat/own/files', file, { id })).json().data.seq).toBe(1)
    const open = async (actor: TestActor) => (await actor.get(`/chat/messages/${id}/file`)).statusCode
    expect([await open(sari), await open(staff), await open(budi)]).toEqual([200, 200, 404])
    const { url } = (await staff.get(`/chat/messages/${id}/file`)).json().data
    expect((await t.app.inject({ url })).statusCode).toBe(200)
    const html = { name: 'x.pdf', type: 'application/pdf', bytes: Buffer.from('<script>alert(1)</script>') }
    expect((await sari.upload('/chat/own/files', html, { id: crypto.randomUUID() })).statusCode).toBe(422)
  })

  test('reach the team the person chose, even when a conversation begins with a picture', async () => {
    const sari = await asApplicant(t)
    const file = { name: 'bukti.jpg', type: 'image/jpeg', bytes: await aPicture() }
    const send = (team: string) => sari.upload('/chat/own/files', file, { id: crypto.randomUUID(), team })
    expect((await send('kitchen')).statusCode).toBe(422)
    expect((await send('finance')).statusCode).toBe(200)
    const id = await conversationOf(sari)
    const teamOf = async () => (await staff.get(`/chat/conversations/${id}`)).json().data.team
    expect(await teamOf()).toBe('finance')
    // A message to another team does not move an applicant who already waits.
    await send('admissions')
    expect(await teamOf()).toBe('finance')
  })
})

describe('the queue', () => {
  test('gives twenty people to twenty agents at once, one each, and none to the next agent', async () => {
    await emptyQueue()
    for (let index = 0; index < 20; index++) await write(await asApplicant(t), `Pertanyaan ${index}`)
    const takers = await Promise.all(Array.from({ length: 20 }, () => asStaff(t, 'Panitia PMB')))
    const answers = await Promise.all(takers.map((taker) => taker.post('/chat/next')))
    expect(new Set(answers.map((one) => one.json().data.id)).size).toBe(20)
    expect((await staff.post('/chat/next')).json().data).toBeNull()
  })

  test('gives agents the longest-waiting person of their own teams, and nobody while they are off duty', async () => {
    await emptyQueue()
    const [older, newer] = [await asApplicant(t), await asApplicant(t)]
    await older.post('/chat/own/messages', { id: crypto.randomUUID(), body: 'Bayar di mana?', team: 'finance' })
    await afterMinutes(1)
    await write(newer, 'Kapan tes?')
    const clerk = await asStaff(t, 'Panitia PMB')
    await clerk.put('/chat/duty', { teams: ['admissions'], onDuty: true })
    expect((await clerk.post('/chat/next')).json().data.id).toBe(await conversationOf(newer))
    expect((await clerk.post('/chat/next')).json().data).toBeNull()
    await clerk.put('/chat/duty', { teams: ['admissions'], onDuty: false })
    expect((await clerk.post('/chat/next')).json().code).toBe('chat_off_duty')
    // Going off duty returned the newer conversation to the queue.
    const list = (await staff.get('/chat/conversations?box=waiting')).json().data
    expect(list.map(({ id }: { id: string }) => id)).toEqual([await conversationOf(older), await conversationOf(newer)])
  })

  test('takes back people left unanswered during office hours, and leaves answered ones with their agent', async () => {
    await emptyQueue()
    const [sari, budi] = [await asApplicant(t), await asApplicant(t)]
    const clerk = await asStaff(t, 'Panitia PMB')
    for (const person of [sari, budi]) await write(person, 'Halo')
    for (const person of [sari, budi]) await clerk.post(`/chat/conversations/${await conversationOf(person)}/take`)
    await answer(clerk, await conversationOf(budi), 'Halo juga')
    await afterMinutes(31)
    const assigneeOf = async (person: TestActor) =>
      (await staff.get(`/chat/conversations/${await conversationOf(person)}`)).json().data.assignee
    expect(await assigneeOf(sari)).toBeNull()
    expect(await assigneeOf(budi)).toMatchObject({ id: clerk.accountId })
  })

  test("hands over only to colleagues on duty, with a note; taking a colleague's conversation is refused", async () => {
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    const [clerk, colleague] = [await asStaff(t, 'Panitia PMB'), await asStaff(t, 'Keuangan')]
    await clerk.post(`/chat/conversations/${id}/take`)
    expect((await staff.post(`/chat/conversations/${id}/take`)).json().code).toBe('chat_taken')
    const give = { team: 'finance', assigneeId: colleague.accountId, note: 'Soal cicilan' }
    expect((await clerk.post(`/chat/conversations/${id}/hand-over`, give)).statusCode).toBe(422)
    await colleague.put('/chat/duty', { teams: ['finance'], onDuty: true })
    expect((await clerk.post(`/chat/conversations/${id}/hand-over`, give)).json().data).toMatchObject({
      team: 'finance',
      assignee: { id: colleague.accountId },
    })
    expect(await bodiesOf(colleague, `/chat/conversations/${id}/messages`)).toContain('Soal cicilan')
    expect(await bodiesOf(sari, '/chat/own/messages')).toEqual(['Halo'])
  })

  test('hands over to no colleague who may not chat or may not see the person', async () => {
    const { programmes } = await academicOf(t)
    const sari = await asApplicant(t, { profile: true })
    await aRegistration(t, { status: 'paid', choices: [programmes[0]], applicant: sari })
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    const limited = (programme: string) => asWithPermissions(t, ['private-chat'], { programmeIds: [programme] })
    const [near, far] = [await limited(programmes[0]), await limited(programmes[1])]
    const give = (to: TestActor) =>
      staff.post(`/chat/conversations/${id}/hand-over`, { team: 'admissions', assigneeId: to.accountId, note: '' })
    for (const one of [near, far]) await one.put('/chat/duty', { teams: ['admissions'], onDuty: true })
    expect((await give(far)).json().errors.assigneeId).toEqual([errors.chat_colleague_without_access])
    const bystander = await asWithPermissions(t, ['pendaftaran-view'])
    await t.db
      .insertInto('chatAgents')
      .values({ accountId: bystander.accountId, teams: ['admissions'], onDuty: true, updatedAt: t.clock.now() })
      .execute()
    expect((await give(bystander)).json().errors.assigneeId).toEqual([errors.chat_colleague_off])
    expect((await give(near)).json().data.assignee).toMatchObject({ id: near.accountId })
  })

  test('closes, and reopens with the next message; closing is refused after an unseen message', async () => {
    await emptyQueue()
    const sari = await asApplicant(t)
    await write(sari, 'Terima kasih')
    const id = await conversationOf(sari)
    expect((await staff.post(`/chat/conversations/${id}/close`, { seenSeq: 0 })).json().code).toBe(
      'chat_answered_meanwhile',
    )
    expect((await staff.post(`/chat/conversations/${id}/close`, { seenSeq: 1 })).json().data.state).toBe('closed')
    expect((await staff.get('/chat/conversations?box=closed')).json().data).toMatchObject([{ id }])
    await write(sari, 'Satu lagi')
    expect((await staff.get(`/chat/conversations/${id}`)).json().data).toMatchObject({ state: 'open', assignee: null })
    expect((await staff.get('/chat/conversations?box=waiting')).json().data).toMatchObject([{ id }])
  })

  test('is found by name and registration code', async () => {
    const sari = await asApplicant(t, { name: 'Wayan Percontohan', profile: true })
    const { programmes } = await academicOf(t)
    const { id: registration } = await aRegistration(t, { status: 'paid', choices: [programmes[0]], applicant: sari })
    await write(sari, 'Halo')
    const { code } = await t.db
      .selectFrom('registrations')
      .select('code')
      .where('id', '=', registration)
      .executeTakeFirstOrThrow()
    for (const q of ['wayan', code])
      expect((await staff.get(`/chat/conversations?q=${q}`)).json().data, q).toMatchObject([
        { name: 'Wayan Percontohan', code },
      ])
  })
})

describe('an answer', () => {
  const mailsTo = (person: TestActor) =>
    t.db
      .selectFrom('messages')
      .selectAll()
      .where('accountId', '=', person.accountId)
      .where('channel', '=', 'email')
      .where('event', '=', 'chat-answer')
      .execute()

  test('that stays unread is mailed once, until the person reads or writes', async () => {
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    await answer(staff, id, 'Selamat pagi')
    await afterMinutes(1)
    expect(await mailsTo(sari)).toHaveLength(0)
    await afterMinutes(11)
    await answer(staff, id, 'Masih di sana?')
    await afterMinutes(11)
    const mails = await mailsTo(sari)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.body).toContain('Selamat pagi')
    await sari.put('/chat/own/read', { seq: 3 })
    await answer(staff, id, 'Berkas Anda sudah lengkap')
    await afterMinutes(11)
    expect(await mailsTo(sari)).toHaveLength(2)
  })

  test("from a canned reply has the person's facts filled in, and names missing ones", async () => {
    const { programmes } = await academicOf(t)
    const sari = await asApplicant(t, { name: 'Sari', language: 'en', profile: true })
    const reply = {
      title: 'Tagihan',
      team: null,
      active: true,
      bodyId: 'Halo {{name}}',
      bodyEn: 'Dear {{name}} ({{code}}), pay {{amount}}.',
    }
    expect((await staff.post('/chat/replies', { ...reply, bodyId: '{{nik}}' })).statusCode).toBe(422)
    expect((await staff.post('/chat/replies', reply)).statusCode).toBe(200)
    await write(sari, 'Hello')
    const id = await conversationOf(sari)
    const filled = async () => (await staff.get(`/chat/conversations/${id}/replies`)).json().data[0]
    expect(await filled()).toMatchObject({ body: 'Dear Sari (…), pay ….', missing: ['code', 'amount'] })
    await aRegistration(t, { status: 'submitted', choices: [programmes[0]], applicant: sari })
    expect((await filled()).body).toMatch(/^Dear Sari \(\w+\), pay /)
    const { registrations } = (await staff.get(`/chat/conversations/${id}/facts`)).json().data
    expect(registrations[0].todo.length).toBeGreaterThan(0)
  })
})

describe('the team room', () => {
  test('is read and written by staff who may chat', async () => {
    const [room] = (await staff.get('/chat/rooms')).json().data
    expect(room).toMatchObject({ kind: 'room', name: 'Tim PMB' })
    expect((await answer(staff, room.id, 'Rapat pukul dua')).statusCode).toBe(200)
    expect(await bodiesOf(await asStaff(t, 'Keuangan'), `/chat/conversations/${room.id}/messages`)).toEqual([
      'Rapat pukul dua',
    ])
    expect((await staff.post(`/chat/conversations/${room.id}/take`)).statusCode).toBe(409)
  })
})
