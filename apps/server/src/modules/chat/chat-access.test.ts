import crypto from 'node:crypto'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { aPlanned } from '#server-test/factories/campaigns.ts'
import { recipientsOf } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())

const newId = (): string => crypto.randomUUID()
const write = (person: TestActor, body: string) => person.post('/chat/own/messages', { id: newId(), body })
const conversationOf = async (person: TestActor) => (await person.get('/chat/own')).json().data.id as string

describe('an applicant', () => {
  test("reaches none of the office's endpoints", async () => {
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    await staff.post('/chat/replies', { title: 'Rahasia', team: null, bodyId: 'Isi', bodyEn: 'Text', active: true })
    const [room] = (await staff.get('/chat/rooms')).json().data
    for (const url of [
      '/chat/conversations',
      '/chat/conversations/export?format=csv',
      '/chat/replies',
      '/chat/replies/export?format=csv',
      '/chat/agents',
      '/chat/rooms',
      ...['', '/messages', '/facts', '/replies'].map((end) => `/chat/conversations/${id}${end}`),
      `/chat/conversations/${room.id}/messages`,
    ]) {
      const answer = await sari.get(url)
      expect([403, 404], `${url} ${answer.body.slice(0, 200)}`).toContain(answer.statusCode)
    }
    const message = { id: newId(), body: 'Halo', seenSeq: 9 }
    for (const [url, body] of [
      [`/chat/conversations/${id}/messages`, message],
      [`/chat/conversations/${room.id}/messages`, message],
      [`/chat/conversations/${id}/writing`, {}],
      [`/chat/conversations/${id}/take`, undefined],
      [`/chat/conversations/${id}/close`, { seenSeq: 9 }],
      [`/chat/conversations/${id}/hand-over`, { team: 'admissions', assigneeId: null }],
      ['/chat/next', undefined],
      ['/chat/replies', { title: 'X', team: null, bodyId: 'X', bodyEn: 'X', active: true }],
    ] as const)
      expect((await sari.post(url, body)).statusCode, url).toBe(403)
    expect((await sari.put('/chat/duty', { teams: ['admissions'], onDuty: true })).statusCode).toBe(403)
  })

  test('finds no note in messages, export or mail', async () => {
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    const secret = 'Jangan diterima'
    await staff.post(`/chat/conversations/${id}/messages`, { id: newId(), body: secret, note: true, seenSeq: 1 })
    await staff.post(`/chat/conversations/${id}/hand-over`, { team: 'finance', assigneeId: null, note: secret })
    for (const url of ['/chat/own', '/chat/own/messages', '/chat/own/messages?after=0', '/chat/own/messages?before=99'])
      expect((await sari.get(url)).body, url).not.toContain(secret)
    const exported = await sari.get('/account/export')
    expect(exported.statusCode).toBe(200)
    expect(exported.body).toContain('Halo')
    expect(exported.body).not.toContain(secret)
    const messages = await t.db.selectFrom('messages').select('body').execute()
    expect(messages.filter(({ body }) => body.includes(secret))).toEqual([])
  })
})

test('staff do not write as applicants', async () => {
  const id = newId()
  expect((await staff.post('/chat/own/messages', { id, body: 'Halo' })).statusCode).toBe(403)
  expect((await staff.post('/chat/own/writing', {})).statusCode).toBe(403)
  expect(
    (await staff.upload('/chat/own/files', { name: 'x.jpg', type: 'image/jpeg', bytes: Buffer.from('x') }, { id }))
      .statusCode,
  ).toBe(403)
})

test("a role limited to a programme sees nothing of its applicants' other registrations", async () => {
  const { programmes } = await academicOf(t)
  const sari = await asApplicant(t, { profile: true })
  const near = await aRegistration(t, { status: 'paid', choices: [programmes[0]], applicant: sari })
  await t.db.updateTable('registrations').set({ status: 'expired' }).where('id', '=', near.id).execute()
  const far = await aRegistration(t, { status: 'paid', choices: [programmes[1]], applicant: sari })
  await t.db
    .updateTable('registrations')
    .set({ createdAt: new Date('2099-01-01') })
    .where('id', '=', far.id)
    .execute()
  await write(sari, 'Halo')
  const id = await conversationOf(sari)
  const codeOf = async (registration: string) =>
    (await t.db.selectFrom('registrations').select('code').where('id', '=', registration).executeTakeFirstOrThrow())
      .code
  const [nearCode, farCode] = [await codeOf(near.id), await codeOf(far.id)]
  const agent = await asWithPermissions(t, ['private-chat'], { programmeIds: [programmes[0]] })
  const listed = async (q = '') => (await agent.get(`/chat/conversations${q}`)).json().data
  expect(await listed()).toMatchObject([{ id, code: nearCode }])
  expect(await listed(`?q=${nearCode}`)).toMatchObject([{ id }])
  expect(await listed(`?q=${farCode}`)).toEqual([])
  const exported = await agent.get('/chat/conversations/export?format=csv')
  expect(exported.body).toContain(nearCode)
  expect(exported.body).not.toContain(farCode)
  const { registrations } = (await agent.get(`/chat/conversations/${id}/facts`)).json().data
  expect(registrations).toMatchObject([{ code: nearCode }])
})

test('canned replies contain amounts only for staff who may see bills', async () => {
  const { programmes } = await academicOf(t)
  const sari = await asApplicant(t, { profile: true })
  await aRegistration(t, { status: 'submitted', choices: [programmes[0]], applicant: sari })
  await write(sari, 'Halo')
  const id = await conversationOf(sari)
  const reply = { title: 'Tagihan', team: null, active: true, bodyId: 'Bayar {{amount}}', bodyEn: 'Pay {{amount}}' }
  await staff.post('/chat/replies', reply)
  const filled = async (agent: TestActor) =>
    (await agent.get(`/chat/conversations/${id}/replies`))
      .json()
      .data.find((one: { title: string }) => one.title === 'Tagihan')
  expect((await filled(staff)).missing).toEqual([])
  expect(await filled(await asWithPermissions(t, ['private-chat']))).toMatchObject({
    body: 'Pay …',
    missing: ['amount'],
  })
})

test('canned replies and campaigns both use the open bill that is due first', async () => {
  const sari = await asApplicant(t, { profile: true })
  const { id: registrationId, code } = await aRegistration(t, { status: 'submitted', applicant: sari })
  const bill = { registrationId, accountId: sari.accountId, installmentPlanId: null }
  const lines = [{ description: 'Daftar ulang', amount: 123_000 }]
  const dueAt = new Date(t.clock.now().getTime() + 3_600_000)
  await inTransaction(t.services, systemActor, (context) =>
    issueBill(context, { ...bill, kind: 're_registration', lines, dueAt }),
  )
  await write(sari, 'Halo')
  await staff.post('/chat/replies', {
    title: 'Terdekat',
    team: null,
    active: true,
    bodyId: '{{amount}}',
    bodyEn: '{{amount}}',
  })
  const replies = (await staff.get(`/chat/conversations/${await conversationOf(sari)}/replies`)).json().data
  expect(replies.find(({ title }: { title: string }) => title === 'Terdekat').body).toBe('Rp\u00a0123.000')
  const planned = await aPlanned(staff, { filters: { q: code }, bodyId: '{{amount}}', bodyEn: '{{amount}}' })
  expect((await recipientsOf(t, planned.id)).map(({ values }) => values)).toEqual([{ amount: 'Rp\u00a0123.000' }])
})

describe('texts and numbers', () => {
  test('texts out of bounds are refused, and every storable character comes back unchanged', async () => {
    const sari = await asApplicant(t)
    for (const body of ['a'.repeat(4_001), 'a'.repeat(100_000), ' \n\t ', '\u00a0\u2003', 'a\u0000b', 'a\ud83d'])
      expect((await write(sari, body)).statusCode, JSON.stringify(body.slice(0, 9))).toBe(422)
    for (const body of [
      '😀'.repeat(2_000),
      'مرحبا \u202eabc',
      '<script>alert(1)</script>',
      "'; DROP TABLE x; --",
      'a'.repeat(4_000),
    ])
      expect((await write(sari, body)).json().data.body).toBe(body)
  })

  test('page numbers must be integers in range', async () => {
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = await conversationOf(sari)
    for (const [actor, path] of [
      [sari, '/chat/own/messages'],
      [staff, `/chat/conversations/${id}/messages`],
    ] as const) {
      for (const query of [
        'after=-1',
        'after=1.5',
        'after=9e99',
        'after=abc',
        'before=0',
        'before=-5',
        'after=2147483648',
        'after=NaN',
      ])
        expect((await actor.get(`${path}?${query}`)).statusCode, query).toBe(422)
      for (const query of ['after=2147483647', 'before=1'])
        expect((await actor.get(`${path}?${query}`)).json().data, query).toEqual([])
      expect((await actor.get(`${path}?after=0&before=2147483647`)).json().data).toHaveLength(1)
    }
    for (const seq of [-1, 1.5, 2 ** 31, '1'])
      expect((await sari.put('/chat/own/read', { seq })).statusCode, String(seq)).toBe(422)
    expect((await sari.put('/chat/own/read', { seq: 2 ** 31 - 1 })).json().data.seq).toBe(1)
  })

  test('message numbers have no gap after a rollback', async () => {
    const sari = await asApplicant(t)
    const foreignId = newId()
    await write(await asApplicant(t), 'Milik orang lain')
    await (await asApplicant(t)).post('/chat/own/messages', { id: foreignId, body: 'Milik orang lain' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sari.post('/chat/own/messages', { id: index % 2 ? foreignId : newId(), body: `Pesan ${index}` }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
    const { data } = (await sari.get('/chat/own/messages')).json()
    expect(data.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1))
  })
})

describe('a file', () => {
  const send = (person: TestActor, name: string, type: string, bytes: Buffer) =>
    person.upload('/chat/own/files', { name, type, bytes }, { id: newId() })

  test('with a false type, too large or malicious is refused and stores no message', async () => {
    const sari = await asApplicant(t)
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const vector = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const zip = Buffer.from('504b0304140000000000', 'hex')
    const active = Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
    )
    for (const [name, type, bytes] of [
      ['foto.jpg', 'image/jpeg', page],
      ['foto.png', 'image/png', vector],
      ['surat.pdf', 'application/pdf', zip],
      ['surat.pdf', 'application/pdf', active],
      ['kosong.jpg', 'image/jpeg', Buffer.alloc(0)],
      ['bom.png', 'image/png', hugePng()],
    ] as const)
      expect((await send(sari, name, type, bytes)).statusCode, name).toBe(422)
    expect((await send(sari, 'besar.pdf', 'application/pdf', Buffer.alloc(5_000_001, 1))).statusCode).toBeOneOf([
      413, 422,
    ])
    expect((await sari.get('/chat/own/messages')).json().data).toEqual([])
  })

  test('may be a screenshot one pixel high', async () => {
    const sari = await asApplicant(t)
    const line = await aPicture('png', { width: 600, height: 40 })
    expect((await send(sari, 'galat.png', 'image/png', line)).statusCode).toBe(200)
  })

  test('opens only for its own conversation, even with the id of its message', async () => {
    const [sari, budi] = [await asApplicant(t), await asApplicant(t)]
    const { programmes } = await academicOf(t)
    const { id } = (await send(sari, 'bukti.jpg', 'image/jpeg', await aPicture())).json().data
    const others = [
      budi,
      await asWithPermissions(t, ['pendaftaran-view']),
      await asWithPermissions(t, ['private-chat'], { programmeIds: [programmes[0]] }),
    ]
    for (const other of others) expect((await other.get(`/chat/messages/${id}/file`)).statusCode).toBe(404)
    expect((await sari.get(`/chat/messages/${id}/file`)).statusCode).toBe(200)
  })

  test('needs a valid id', async () => {
    const sari = await asApplicant(t)
    const file = { name: 'bukti.jpg', type: 'image/jpeg', bytes: await aPicture() }
    for (const fields of [{}, { id: '' }, { id: "1'--" }, { id: 'x'.repeat(1_000) }] as Record<string, string>[])
      expect((await sari.upload('/chat/own/files', file, fields)).statusCode).toBe(422)
  })
})

/** A small PNG whose header claims 60,000 × 60,000 pixels. */
function hugePng() {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(zlib.crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(60_000, 0)
  head.writeUInt32BE(60_000, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', zlib.deflateSync(Buffer.alloc(10_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
