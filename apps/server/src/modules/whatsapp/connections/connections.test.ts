import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { whatsappProblems } from '#domain/whatsapp/problems.ts'
import { hasSentence } from '#locales/translate.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf } from '#server-test/factories/admissions.ts'
import {
  aConnection,
  afterSeconds,
  aQueuedMessage,
  cloudBody,
  connectionBody,
  graphServer,
  messageRow,
} from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>
beforeAll(async () => {
  t = await testApp()
  graph = await graphServer()
})
afterAll(async () => {
  await t.close()
  await graph.close()
})
beforeEach(async () => {
  t.clock.set('2027-01-04T01:00:00Z')
  admin = await asStaff(t)
})

const rows = () => t.db.selectFrom('whatsappConnections').selectAll().execute()
const contentOf = (body: ReturnType<typeof connectionBody>, changes: object = {}) => {
  const { kind: _kind, accessToken: _token, appSecret: _secret, ...content } = body as Record<string, unknown>
  return { ...content, ...changes }
}
const audit = (subjectId: string) =>
  t.db.selectFrom('auditLog').selectAll().where('subjectId', '=', subjectId).orderBy('id').execute()

test('a new installation writes messages to the outbox and sends none', async () => {
  expect(await rows()).toMatchObject([{ kind: 'log', isDefault: true, active: true }])
})

describe('secrets', () => {
  const secrets = ['EAAJB-the-token', 'the-app-secret']

  test('are sealed in the database and appear in no answer, audit entry or stored answer', async () => {
    const body = cloudBody(graph, { accessToken: secrets[0], appSecret: secrets[1] })
    const creation = await admin.post('/settings/whatsapp', body, { 'idempotency-key': 'connection-of-a-test' })
    const { id } = creation.json().data
    const { verifyToken } = (
      await admin.post(`/settings/whatsapp/${id}/verify-token`, undefined, { 'idempotency-key': 'token-of-a-test' })
    ).json().data
    const list = await admin.get('/settings/whatsapp')
    const detail = await admin.get(`/settings/whatsapp/${id}`)
    expect(detail.json().data.secrets).toEqual({
      accessToken: '2027-01-04T01:00:00.000Z',
      appSecret: '2027-01-04T01:00:00.000Z',
      verifyToken: '2027-01-04T01:00:00.000Z',
    })
    const stored = await t.db.selectFrom('idempotencyKeys').selectAll().execute()
    const everywhere = JSON.stringify([creation.body, list.body, detail.body, await rows(), await audit(id), stored])
    for (const secret of [...secrets, verifyToken]) expect(everywhere).not.toContain(secret)
    expect((await audit(id)).map(({ action }) => action)).toEqual(['whatsapp.create', 'whatsapp.verify_token'])
  })

  test('are kept if missing, replaced by a value and removed by null; the audit log names them', async () => {
    const body = cloudBody(graph)
    const { id } = await aConnection(admin, body)
    const put = (version: number, changes: object = {}) =>
      admin.put(`/settings/whatsapp/${id}`, contentOf(body, { version, ...changes }))
    const unchanged = (await rows()).find((row) => row.id === id)!
    t.clock.set('2027-01-04T02:00:00Z')
    expect((await put(1)).json().data.secrets.accessToken).toBe('2027-01-04T01:00:00.000Z')
    expect((await rows()).find((row) => row.id === id)!.accessTokenSealed).toBe(unchanged.accessTokenSealed)
    const replaced = (await put(2, { accessToken: 'EAAJB-new', appSecret: null })).json().data.secrets
    expect(replaced).toMatchObject({ accessToken: '2027-01-04T02:00:00.000Z', appSecret: null })
    const after = (await audit(id)).map((entry) => (entry.after as { replaced?: string[] }).replaced)
    expect(after).toEqual([['accessToken', 'appSecret'], undefined, ['accessToken', 'appSecret']])
  })

  test('must be entered again if the address changes', async () => {
    const body = cloudBody(graph)
    const { id } = await aConnection(admin, body)
    const moved = contentOf(body, { version: 1, graphUrl: 'https://elsewhere.example' })
    const refused = await admin.put(`/settings/whatsapp/${id}`, moved)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['accessToken']])
    expect((await admin.put(`/settings/whatsapp/${id}`, { ...moved, accessToken: 'EAAJB-again' })).statusCode).toBe(200)
  })

  test('are not sent to an unencrypted address', async () => {
    for (const graphUrl of ['http://graph.facebook.com', 'http://10.0.0.5', 'ftp://graph.facebook.com']) {
      const answer = await admin.post('/settings/whatsapp', cloudBody(graph, { graphUrl }))
      expect(answer.statusCode).toBe(422)
      expect(answer.json().errors.graphUrl).toBeTruthy()
    }
  })
})

describe('the default', () => {
  test('is unique: making another connection the default unsets the first, also in parallel', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => admin.post('/settings/whatsapp', connectionBody({ isDefault: true }))),
    )
    expect(answers.every(({ statusCode }) => [201, 409].includes(statusCode))).toBe(true)
    expect((await rows()).filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('is neither switched off nor deleted while messages use it', async () => {
    const body = connectionBody()
    const { id } = await aConnection(admin, body)
    const off = await admin.put(`/settings/whatsapp/${id}`, contentOf(body, { version: 1, active: false }))
    expect([off.statusCode, Object.keys(off.json().errors)]).toEqual([422, ['active']])
    expect((await admin.delete(`/settings/whatsapp/${id}`)).json().code).toBe('whatsapp_is_default')
    const none = contentOf(body, { version: 1, active: false, isDefault: false })
    expect((await admin.put(`/settings/whatsapp/${id}`, none)).json().data.standing).toBe('inactive')
    expect((await admin.delete(`/settings/whatsapp/${id}`)).statusCode).toBe(200)
    expect((await audit(id)).at(-1)!.action).toBe('whatsapp.delete')
  })
})

describe('changing', () => {
  test('is refused if another user changed the connection meanwhile', async () => {
    const body = connectionBody({ isDefault: false })
    const { id } = await aConnection(admin, body)
    expect((await admin.put(`/settings/whatsapp/${id}`, contentOf(body, { version: 1 }))).statusCode).toBe(200)
    const late = await admin.put(`/settings/whatsapp/${id}`, contentOf(body, { version: 1 }))
    expect([late.statusCode, late.json().code]).toEqual([409, 'stale_version'])
  })

  test('reports each problem beside its field', async () => {
    const body = connectionBody({ isDefault: false })
    await aConnection(admin, body)
    const errors = async (changes: object) =>
      Object.keys(
        (await admin.post('/settings/whatsapp', connectionBody({ isDefault: false, ...changes }))).json().errors ?? {},
      )
    expect(await errors({ name: body.name.toUpperCase() })).toEqual(['name'])
    expect(await errors({ kind: 'cloud', name: ' ' })).toEqual(['name', 'phoneNumberId'])
    expect(await errors({ phone: '12' })).toEqual(['phone'])
    expect(await errors({ perMinute: 0 })).toEqual(['perMinute'])
    expect(await errors({ graphVersion: '24' })).toEqual(['graphVersion'])
  })

  test('a connection that has sent messages cannot be deleted', async () => {
    const { id } = await aConnection(admin, connectionBody({ isDefault: false }))
    await admin.post(`/settings/whatsapp/${id}/test`, { phone: '081234567890' })
    expect((await admin.delete(`/settings/whatsapp/${id}`)).json().code).toBe('in_use')
  })
})

describe('a test message', () => {
  test("goes through its own connection, default or not, to the given phone or the user's own", async () => {
    await aConnection(admin, cloudBody(graph))
    const { id } = await aConnection(admin, connectionBody({ isDefault: false }))
    const sent = await admin.post(`/settings/whatsapp/${id}/test`, {})
    expect(sent.json().data).toEqual({ to: '+6281200000000' })
    expect((await admin.post(`/settings/whatsapp/${id}/test`, { phone: '0812 3456 7890' })).json().data.to).toBe(
      '+6281234567890',
    )
    expect((await admin.post(`/settings/whatsapp/${id}/test`, { phone: '12' })).json().errors.phone).toBeTruthy()
    await t.runJobs()
    await afterSeconds(t, 1)
    const { data, meta } = (await admin.get(`/settings/whatsapp/${id}/messages`)).json()
    expect(meta.total).toBe(2)
    expect(data[0]).toMatchObject({ event: 'whatsapp-test', status: 'sent', problem: null })
    expect(graph.asked).toHaveLength(0)
    expect((await admin.get(`/settings/whatsapp/${id}`)).json().data).toMatchObject({ sentLastDay: 2, waiting: 0 })
  })
})

describe('the messages of a connection', () => {
  test('are found by name, number and status; numbers are masked for users who may not see contacts', async () => {
    const { id } = await aConnection(admin, connectionBody())
    const message = await aQueuedMessage(t, { accountId: admin.accountId })
    await aQueuedMessage(t, { toAddress: '+6281377778888' })
    await t.runJobs()
    await afterSeconds(t, 1)
    expect((await messageRow(t, message)).status).toBe('sent')
    const find = async (actor: TestActor, query: string) =>
      (await actor.get(`/settings/whatsapp/${id}/messages?${query}`)).json()
    expect((await find(admin, 'q=Petugas')).meta.total).toBe(1)
    expect((await find(admin, 'q=0813-7777')).meta.total).toBe(1)
    expect((await find(admin, 'status=failed')).meta.total).toBe(0)
    const reader = await asWithPermissions(t, ['settings-whatsapp-view'])
    const seen = await find(reader, '')
    expect(seen.meta.total).toBe(2)
    expect(seen.data.map(({ to }: { to: string }) => to).sort()).toEqual(['••••432', '••••888'])
    expect((await find(reader, 'q=81377778888')).meta.total).toBe(0)
  })

  test('to other accounts are hidden from a role limited to some programmes', async () => {
    const { id } = await aConnection(admin, connectionBody())
    await aQueuedMessage(t)
    await t.runJobs()
    const { programmes } = await academicOf(t)
    const limited = await asWithPermissions(t, ['settings-whatsapp-view'], { programmeIds: [programmes[0]] })
    expect((await limited.get(`/settings/whatsapp/${id}/messages`)).json().meta.total).toBe(0)
  })
})

test('each endpoint checks its permission', async () => {
  const { id } = await aConnection(admin, connectionBody({ isDefault: false }))
  const viewer = await asWithPermissions(t, ['settings-whatsapp-view'])
  expect((await viewer.get('/settings/whatsapp')).statusCode).toBe(200)
  const answers = await Promise.all([
    viewer.post('/settings/whatsapp', connectionBody()),
    viewer.put(`/settings/whatsapp/${id}`, contentOf(connectionBody(), { version: 1 })),
    viewer.delete(`/settings/whatsapp/${id}`),
    ...['connect', 'disconnect', 'check', 'verify-token', 'test'].map((path) =>
      viewer.post(`/settings/whatsapp/${id}/${path}`, path === 'disconnect' ? { logOut: true } : {}),
    ),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403))
})

test('every problem has a sentence in both languages', () => {
  for (const problem of Object.keys(whatsappProblems))
    for (const language of ['en', 'id'] as const)
      expect(hasSentence(`whatsapp:problem.${problem}`, language), problem).toBe(true)
})
