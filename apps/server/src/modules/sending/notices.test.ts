import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notify } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import {
  aConnection,
  afterSeconds,
  aQueuedMessage,
  cloudBody,
  connectionBody,
  graphServer,
  messageRow,
  removeMessages,
} from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>
const begin = '2027-01-04T01:00:00Z'

beforeAll(async () => {
  t = await testApp()
  graph = await graphServer()
  t.clock.set(begin)
  admin = await asStaff(t)
})
afterAll(async () => {
  await t.close()
  await graph.close()
})
beforeEach(async () => {
  t.clock.set(begin)
  graph.reset()
  await removeMessages(t)
})

const cloud = (changes: object = {}) => aConnection(admin, cloudBody(graph, changes))

describe('a notice', () => {
  const template = (changes: object = {}) =>
    admin.post('/master/notifikasi-whatsapp', {
      event: 'student-number-issued',
      channel: 'whatsapp',
      providerTemplate: 'npm_terbit',
      subjectEn: null,
      bodyEn: 'Dear {{name}}, your number at {{university}} is {{number}}, {{name}}.',
      subjectId: null,
      bodyId: 'Halo {{name}}, NPM Anda {{number}}.',
      ...changes,
    })
  const tell = (accountId: string) =>
    inTransaction(t.services, systemActor, (context) =>
      notify(context, {
        accountId,
        event: 'student-number-issued',
        params: { number: '26552010001', programme: 'Informatika' },
        link: '/dashboard',
      }),
    )
  const queued = (accountId: string) =>
    t.db
      .selectFrom('messages')
      .selectAll()
      .where('channel', '=', 'whatsapp')
      .where('accountId', '=', accountId)
      .execute()

  test('is also sent by WhatsApp if there are a template, a default connection and a phone', async () => {
    await cloud()
    await template()
    const sari = await asApplicant(t, { name: 'Sari', language: 'en', phone: '+6281311112222' })
    await tell(sari.accountId)
    await t.runJobs()
    const [message] = await queued(sari.accountId)
    expect(message).toMatchObject({
      status: 'sent',
      toAddress: '+6281311112222',
      link: 'http://localhost:3000/dashboard',
    })
    expect(message!.body).toContain('Dear Sari')
    const { template: sent } = graph.sent()[0]
    expect(sent).toMatchObject({ name: 'npm_terbit', language: { code: 'en' } })
    // One value per placeholder, in order of first occurrence.
    expect(sent.components[0].parameters.map(({ text }: { text: string }) => text)).toEqual([
      'Sari',
      expect.any(String),
      '26552010001',
    ])
  })

  test('is not sent by WhatsApp if one of them is missing or the account opted out; e-mail and inbox stay', async () => {
    const { id } = await aConnection(admin, connectionBody())
    const person = await asApplicant(t)
    await tell(person.accountId)
    expect(await queued(person.accountId)).toEqual([])
    await template()
    await t.db.updateTable('accounts').set({ phone: null }).where('id', '=', person.accountId).execute()
    await tell(person.accountId)
    await t.db.updateTable('accounts').set({ phone: '+6281300000000' }).where('id', '=', person.accountId).execute()
    expect((await person.put('/account/preferences', { whatsapp: false })).json().data.whatsapp).toBe(false)
    await tell(person.accountId)
    await person.put('/account/preferences', { whatsapp: true })
    await t.db.updateTable('whatsappConnections').set({ isDefault: false }).where('id', '=', id).execute()
    await tell(person.accountId)
    expect(await queued(person.accountId)).toEqual([])
    expect((await person.get('/messages')).json().meta.total).toBe(4)
  })

  test('of a change that is rolled back is not sent', async () => {
    await cloud()
    await template()
    const person = await asApplicant(t)
    await inTransaction(t.services, systemActor, async (context) => {
      await notify(context, {
        accountId: person.accountId,
        event: 'student-number-issued',
        params: { number: '1', programme: 'x' },
      })
      throw new Error('taken back')
    }).catch(() => {})
    await t.runJobs()
    expect(graph.sent()).toHaveLength(0)
  })

  test('stays in the outbox with a log connection', async () => {
    await aConnection(admin, connectionBody())
    await template({ providerTemplate: null })
    const person = await asApplicant(t, { phone: '+6281355556666' })
    await tell(person.accountId)
    await t.runJobs()
    const { data } = (await t.app.inject({ url: `/api/outbox?to=${encodeURIComponent('+6281355556666')}` })).json()
    expect(data[0]).toMatchObject({ channel: 'whatsapp', status: 'sent' })
  })

  test('uses the default connection at sending time, not at creation time', async () => {
    await cloud({ accessToken: 'EAAJB-expired' })
    const id = await aQueuedMessage(t)
    await t.runJobs()
    const working = await cloud()
    await afterSeconds(t, 601)
    expect(await messageRow(t, id)).toMatchObject({ status: 'sent', connectionId: working.id })
  })
})
