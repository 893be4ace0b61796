import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { raceBehind, untilLocked } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let agents: TestActor[]
beforeAll(async () => {
  t = await testApp()
  agents = []
  for (let count = 0; count < 20; count++) agents.push(await asStaff(t, 'Panitia PMB'))
})
afterAll(() => t.close())

const newId = (): string => crypto.randomUUID()
const write = (person: TestActor, body: string) => person.post('/chat/own/messages', { id: newId(), body })
const answer = (agent: TestActor, id: string, changes: object = {}) =>
  agent.post(`/chat/conversations/${id}/messages`, { id: newId(), body: 'Jawaban', seenSeq: 1, ...changes })
const read = async (id: string) => (await agents[0]!.get(`/chat/conversations/${id}`)).json().data
const messagesIn = async (id: string) => (await agents[0]!.get(`/chat/conversations/${id}/messages`)).json().data

async function aQuestion() {
  const person = await asApplicant(t)
  await write(person, 'Halo')
  const id = (await person.get('/chat/own')).json().data.id as string
  return { person, id }
}

test('twenty agents answering at once store one answer, and nineteen get their text back with it', async () => {
  const { id } = await aQuestion()
  const answers = await Promise.all(agents.map((agent) => answer(agent, id)))
  const refused = answers.filter(({ statusCode }) => statusCode === 409)
  expect(refused).toHaveLength(19)
  for (const one of refused)
    expect(one.json()).toMatchObject({
      code: 'chat_answered_meanwhile',
      data: { messages: expect.arrayContaining([expect.objectContaining({ kind: 'text', author: 'staff' })]) },
    })
  const messages: { seq: number; kind: string }[] = await messagesIn(id)
  expect(messages.filter(({ kind }) => kind === 'text')).toHaveLength(2)
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1))
})

test('twenty agents taking a conversation at once leave it with one of them', async () => {
  const { id } = await aQuestion()
  const answers = await Promise.all(agents.map((agent) => agent.post(`/chat/conversations/${id}/take`)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter((one) => one.json().code === 'chat_taken')).toHaveLength(19)
  expect((await messagesIn(id)).filter(({ happening }: { happening: string }) => happening === 'taken')).toHaveLength(1)
})

test('new messages of the person do not refuse an answer to earlier ones', async () => {
  const { person, id } = await aQuestion()
  await write(person, 'Masih ada satu pertanyaan')
  expect((await answer(agents[0]!, id)).statusCode).toBe(200)
})

test("a colleague's answer refuses one written before it; own answers and colleagues' notes do not", async () => {
  const { id } = await aQuestion()
  await answer(agents[0]!, id)
  await answer(agents[1]!, id, { note: true })
  expect((await answer(agents[0]!, id)).statusCode).toBe(200)
  expect((await answer(agents[1]!, id)).json().code).toBe('chat_answered_meanwhile')
})

test("answering takes a free conversation, but leaves a colleague's with the colleague", async () => {
  const { id } = await aQuestion()
  const [first, second] = agents as [TestActor, TestActor]
  await answer(first, id, { note: true })
  expect((await read(id)).assignee).toBeNull()
  await answer(first, id)
  expect((await read(id)).assignee).toMatchObject({ id: first.accountId })
  await answer(second, id, { seenSeq: 9 })
  expect((await read(id)).assignee).toMatchObject({ id: first.accountId })
})

test('sending a file takes a free conversation', async () => {
  const { id } = await aQuestion()
  const file = { name: 'jadwal.jpg', type: 'image/jpeg', bytes: await aPicture() }
  const sent = await agents[0]!.upload(`/chat/conversations/${id}/files`, file, { id: newId() })
  expect(sent.json().data).toMatchObject({ kind: 'file', file: { name: 'jadwal.jpg' } })
  expect((await read(id)).assignee).toMatchObject({ id: agents[0]!.accountId })
})

test('an answer sent by two tabs is stored once, and its id opens no other conversation', async () => {
  const [{ id }, { id: otherId }] = [await aQuestion(), await aQuestion()]
  const message = { id: newId() }
  const answers = await Promise.all(Array.from({ length: 20 }, () => answer(agents[0]!, id, message)))
  expect(new Set(answers.map((one) => `${one.statusCode} ${one.json().data.seq}`)).size).toBe(1)
  expect((await answer(agents[0]!, otherId, message)).statusCode).toBe(409)
  expect((await answer(agents[1]!, id, { ...message, seenSeq: 99 })).statusCode).toBe(409)
  const clash = { id: newId(), seenSeq: 99 }
  const both = await Promise.all([id, otherId].map((one) => answer(agents[0]!, one, clash)))
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, expect.toBeOneOf([409, 422])])
})

test('handing over needs a colleague who may chat and is at work, and a team that exists', async () => {
  const { id, person } = await aQuestion()
  const agent = agents[0]!
  const give = (assigneeId: unknown, team: unknown = 'admissions') =>
    agent.post(`/chat/conversations/${id}/hand-over`, { team, assigneeId })
  await agent.put('/chat/duty', { teams: ['admissions'], onDuty: true })
  expect((await give(null, 'kitchen')).statusCode).toBe(422)
  expect((await give(newId())).statusCode).toBe(422)
  expect((await give(person.accountId)).statusCode).toBe(422)
  expect((await give(agent.accountId)).json().data.assignee).toMatchObject({ id: agent.accountId })
  expect((await read(id)).lastSeq).toBe(2)
})

test('a message to an agent who went off duty waits in the queue', async () => {
  const { id, person } = await aQuestion()
  const agent = await asStaff(t, 'Panitia PMB')
  await answer(agent, id)
  await write(person, 'Terima kasih')
  expect((await read(id)).assignee).toMatchObject({ id: agent.accountId })
  await answer(agent, id, { seenSeq: 99 })
  await agent.put('/chat/duty', { teams: ['admissions'], onDuty: false })
  await write(person, 'Satu lagi')
  expect(await read(id)).toMatchObject({ assignee: null, state: 'open', waitingSince: expect.any(String) })
})

test('a message to an agent whose account was deactivated waits in the queue', async () => {
  const { id, person } = await aQuestion()
  const agent = await asStaff(t, 'Panitia PMB')
  await answer(agent, id)
  await t.db.updateTable('accounts').set({ active: false }).where('id', '=', agent.accountId).execute()
  await write(person, 'Satu lagi')
  expect((await read(id)).assignee).toBeNull()
})

test('an answer or a file that crosses a new question leaves the person waiting since that question', async () => {
  const { person, id } = await aQuestion()
  await write(person, 'Pembayaran saya gagal')
  expect((await answer(agents[0]!, id, { seenSeq: 1 })).statusCode).toBe(200)
  const { waitingSince, dueAt } = await read(id)
  const [, second] = await messagesIn(id)
  expect(waitingSince).toBe(second.at)
  expect(dueAt).not.toBeNull()
  const file = { name: 'jadwal.jpg', type: 'image/jpeg', bytes: await aPicture() }
  const sendFile = (seenSeq: string) =>
    agents[0]!.upload(`/chat/conversations/${id}/files`, file, { id: newId(), seenSeq })
  expect((await sendFile('1')).statusCode).toBe(200)
  expect((await read(id)).waitingSince).toBe(second.at)
  expect((await sendFile('-1')).statusCode).toBe(422)
  expect((await sendFile('3')).statusCode).toBe(200)
  expect(await read(id)).toMatchObject({ waitingSince: null, dueAt: null })
})

test('an answer that arrives after its agent went off duty assigns the person to nobody', async () => {
  const { id } = await aQuestion()
  await agents[1]!.put('/chat/duty', { teams: ['admissions'], onDuty: false })
  expect((await answer(agents[1]!, id)).statusCode).toBe(200)
  expect((await read(id)).assignee).toBeNull()
})

test("a person handed over after an answer waits again, in the new team's queue", async () => {
  const { id } = await aQuestion()
  await answer(agents[2]!, id)
  expect((await read(id)).waitingSince).toBeNull()
  await agents[3]!.put('/chat/duty', { teams: ['finance'], onDuty: true })
  const body = { team: 'finance', assigneeId: null, note: '' }
  const handOver = await agents[2]!.post(`/chat/conversations/${id}/hand-over`, body)
  expect(handOver.json().data.waitingSince).not.toBeNull()
  expect((await agents[3]!.post('/chat/next')).json().data.id).toBe(id)
})

test("an agent's first conversation puts them on duty, so that colleagues may hand over to them", async () => {
  const [newcomer, { id }, { id: otherId }] = [await asStaff(t, 'Panitia PMB'), await aQuestion(), await aQuestion()]
  await newcomer.post(`/chat/conversations/${id}/take`)
  const body = { team: 'admissions', assigneeId: newcomer.accountId, note: '' }
  const handOver = await agents[4]!.post(`/chat/conversations/${otherId}/hand-over`, body)
  expect([handOver.statusCode, handOver.json().data?.assignee?.id]).toEqual([200, newcomer.accountId])
})

test('duty without a team is refused', async () => {
  expect((await agents[5]!.put('/chat/duty', { teams: [], onDuty: true })).statusCode).toBe(422)
})

test('a late answer to a closed conversation is stored, and nobody waits', async () => {
  const { person, id } = await aQuestion()
  await write(person, 'Sudah beres')
  expect((await agents[6]!.post(`/chat/conversations/${id}/close`, { seenSeq: 2 })).statusCode).toBe(200)
  expect((await answer(agents[7]!, id, { seenSeq: 1 })).statusCode).toBe(200)
  expect(await read(id)).toMatchObject({ state: 'closed', waitingSince: null })
})

const handOver = (agent: TestActor, id: string, change: object = {}) =>
  agent.post(`/chat/conversations/${id}/hand-over`, { team: 'admissions', assigneeId: null, note: '', ...change })

test('an answer that arrives after a handover neither takes the person back nor ends the wait', async () => {
  const [first, colleague] = [agents[8]!, agents[9]!]
  const toQueue = await aQuestion()
  await answer(first, toQueue.id)
  await handOver(first, toQueue.id)
  expect((await answer(first, toQueue.id, { seenSeq: 2 })).statusCode).toBe(200)
  expect(await read(toQueue.id)).toMatchObject({ assignee: null, waitingSince: expect.any(String) })

  await colleague.put('/chat/duty', { teams: ['admissions'], onDuty: true })
  const toColleague = await aQuestion()
  await handOver(first, toColleague.id, { assigneeId: colleague.accountId })
  await answer(first, toColleague.id, { seenSeq: 1 })
  const { assignee, waitingSince, lastSeq } = await read(toColleague.id)
  expect([assignee.id, waitingSince]).toEqual([colleague.accountId, expect.any(String)])
  await answer(colleague, toColleague.id, { seenSeq: lastSeq })
  expect((await read(toColleague.id)).waitingSince).toBeNull()
})

test('a closed conversation cannot be handed over, and an agent cannot close one after a handover they have not seen', async () => {
  const [closed, handedOver] = [await aQuestion(), await aQuestion()]
  const closeIt = (id: string, seenSeq: number) => agents[10]!.post(`/chat/conversations/${id}/close`, { seenSeq })
  await closeIt(closed.id, 1)
  const refused = await handOver(agents[11]!, closed.id)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'wrong_status'])
  await handOver(agents[11]!, handedOver.id, { team: 'finance' })
  expect((await closeIt(handedOver.id, 1)).json().code).toBe('chat_answered_meanwhile')
  expect((await closeIt(handedOver.id, 2)).statusCode).toBe(200)
})

test('handing over to where a person already waits adds no line, unless there is a note', async () => {
  const { id } = await aQuestion()
  const happenings = async () =>
    (await t.db.selectFrom('chatMessages').select('kind').where('conversationId', '=', id).execute()).length
  await handOver(agents[0]!, id, { team: 'finance' })
  const before = await happenings()
  await Promise.all(Array.from({ length: 20 }, () => handOver(agents[0]!, id, { team: 'finance' })))
  expect(await happenings()).toBe(before)
  await handOver(agents[0]!, id, { team: 'finance', note: 'Sudah transfer' })
  expect(await happenings()).toBe(before + 2)
})

test("a colleague's answer refuses a file sent before it, and the refusal carries that answer", async () => {
  const { id } = await aQuestion()
  await answer(agents[12]!, id)
  const file = { name: 'jadwal.jpg', type: 'image/jpeg', bytes: await aPicture() }
  const send = (seenSeq: string) =>
    agents[13]!.upload(`/chat/conversations/${id}/files`, file, { id: newId(), seenSeq })
  const refused = await send('1')
  expect(refused.json()).toMatchObject({ code: 'chat_answered_meanwhile', data: { messages: [{ body: 'Jawaban' }] } })
  expect((await send('2')).statusCode).toBe(200)
})

test('the conversation names the queue after a handover, but none after its agent went off duty', async () => {
  const agent = await asStaff(t, 'Panitia PMB')
  const [handedOver, left] = [await aQuestion(), await aQuestion()]
  await handOver(agent, handedOver.id, { team: 'finance' })
  expect((await messagesIn(handedOver.id)).at(-1)).toMatchObject({ happening: 'returned', team: 'finance', own: false })
  await agent.post(`/chat/conversations/${left.id}/take`)
  await agent.put('/chat/duty', { teams: ['admissions'], onDuty: false })
  expect((await messagesIn(left.id)).at(-1)).toMatchObject({ happening: 'returned', team: null })
})

test('the inbox says that the last message is a photo', async () => {
  const { id, person } = await aQuestion()
  const rowOf = async () => {
    const { data } = (await agents[0]!.get('/chat/conversations?box=open&per_page=100')).json()
    return data.find((row: { id: string }) => row.id === id)
  }
  expect(await rowOf()).toMatchObject({ lastText: 'Halo', lastKind: 'text' })
  const file = { name: 'foto.jpg', type: 'image/jpeg', bytes: await aPicture() }
  await person.upload('/chat/own/files', file, { id: newId() })
  expect(await rowOf()).toMatchObject({ lastText: '', lastKind: 'photo' })
})

describe('going off duty', () => {
  const goOff = (agent: TestActor) => agent.put('/chat/duty', { teams: ['admissions'], onDuty: false })
  const behind = (id: string, start: () => Promise<unknown>[]) =>
    raceBehind(t, sql`SELECT FROM conversations WHERE id = ${id} FOR UPDATE`, 2, () => Promise.all(start()))

  test('returns a conversation whose person is writing at that moment', async () => {
    const agent = await asStaff(t, 'Panitia PMB')
    const { id, person } = await aQuestion()
    await answer(agent, id)
    await behind(id, () => [write(person, 'Satu lagi').then(), goOff(agent).then()])
    expect(await read(id)).toMatchObject({ assignee: null, waitingSince: expect.any(String) })
  })

  test('returns a conversation that a colleague is handing over at that moment', async () => {
    const [agent, colleague] = [agents[14]!, await asStaff(t, 'Panitia PMB')]
    await colleague.put('/chat/duty', { teams: ['admissions'], onDuty: true })
    const { id } = await aQuestion()
    const giving = () => handOver(agent, id, { assigneeId: colleague.accountId }).then()
    await behind(id, () => [giving(), untilLocked(t, 1).then(() => goOff(colleague))])
    expect((await read(id)).assignee).toBeNull()
  })

  test('leaves nobody waiting with an agent who asks for the next person at that moment', async () => {
    const agent = await asStaff(t, 'Panitia PMB')
    const [held] = [await aQuestion(), await aQuestion()]
    await agent.post(`/chat/conversations/${held.id}/take`)
    await behind(held.id, () => [goOff(agent).then(), untilLocked(t, 1).then(() => agent.post('/chat/next'))])
    const waiting = await t.db
      .selectFrom('conversations')
      .select('id')
      .where('assigneeId', '=', agent.accountId)
      .where('waitingSince', 'is not', null)
      .execute()
    expect(waiting).toEqual([])
  })
})

test('a question that reopens a conversation goes to the team the person chose', async () => {
  const { person, id } = await aQuestion()
  await answer(agents[0]!, id)
  expect((await agents[0]!.post(`/chat/conversations/${id}/close`, { seenSeq: 2 })).statusCode).toBe(200)
  await person.post('/chat/own/messages', { id: newId(), body: 'Bagaimana cara membayar?', team: 'finance' })
  expect(await read(id)).toMatchObject({ state: 'open', assignee: null, team: 'finance' })
})
