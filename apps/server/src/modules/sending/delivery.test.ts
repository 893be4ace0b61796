import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxAttempts } from '#domain/whatsapp/problems.ts'
import { createLog } from '#server/platform/start-services.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import {
  aConnection,
  afterSeconds,
  aQueuedMessage,
  cloudBody,
  graphError,
  graphServer,
  messageRow,
  removeMessages,
} from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendDue } from './sender.ts'

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
const connectionRow = (id: string) =>
  t.db.selectFrom('whatsappConnections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('through the Cloud API', () => {
  test("a template is sent with its name, language and values, and the message gets Meta's id", async () => {
    const connection = await cloud()
    const id = await aQueuedMessage(t)
    await t.runJobs()
    const [request] = graph.asked
    expect(request!.path).toBe('/v24.0/106540352242922/messages')
    expect(request!.headers.authorization).toBe('Bearer EAAJB-token')
    expect(request!.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '6281298765432',
      biz_opaque_callback_data: id,
      type: 'template',
      template: {
        name: 'pengumuman',
        language: { code: 'id', policy: 'deterministic' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Sari' }] }],
      },
    })
    expect(await messageRow(t, id)).toMatchObject({
      status: 'sent',
      connectionId: connection.id,
      attempts: 1,
      error: null,
      sentAt: new Date(begin),
      providerMessageId: expect.stringMatching(/^wamid\./),
    })
  })

  test('a number in another country can be sent to', async () => {
    await cloud()
    const id = await aQueuedMessage(t, { toAddress: '+6591234567' })
    await t.runJobs()
    expect(graph.asked[0]!.body).toMatchObject({ to: '6591234567' })
    expect((await messageRow(t, id)).status).toBe('sent')
  })

  test('free text is sent only to receivers who wrote within 24 hours; otherwise it fails without a call to Meta', async () => {
    const { id: connectionId } = await cloud()
    const text = { providerTemplate: null, link: 'http://localhost:3000/dashboard' }
    const closed = await aQueuedMessage(t, text)
    await t.runJobs()
    expect(graph.asked).toHaveLength(0)
    expect(await messageRow(t, closed)).toMatchObject({ status: 'failed', error: 'outside_window' })
    const wrote = (hours: number) =>
      t.db
        .insertInto('whatsappWindows')
        .values({
          connectionId,
          address: '+6281298765432',
          lastAt: new Date(t.clock.now().getTime() - hours * 3_600_000),
        })
        .onConflict((conflict) =>
          conflict.columns(['connectionId', 'address']).doUpdateSet((eb) => ({ lastAt: eb.ref('excluded.lastAt') })),
        )
        .execute()
    await wrote(23.9)
    await aQueuedMessage(t, text)
    await afterSeconds(t, 1)
    expect(graph.sent()[0]).toMatchObject({
      type: 'text',
      text: { body: 'Halo Sari\n\nhttp://localhost:3000/dashboard', preview_url: false },
    })
    await wrote(24.1)
    const late = await aQueuedMessage(t, text)
    await afterSeconds(t, 1)
    expect((await messageRow(t, late)).error).toBe('outside_window')
  })

  test.each([
    [131026, 'undeliverable', 'failed'],
    [131047, 'outside_window', 'failed'],
    [132001, 'template_missing', 'failed'],
    [131049, 'held_back', 'failed'],
    [999999, 'rejected', 'failed'],
    [130429, 'too_fast', 'queued'],
    [131056, 'pair_limit', 'queued'],
    [131016, 'provider_down', 'queued'],
    [190, 'credentials', 'queued'],
    [131042, 'payment', 'queued'],
  ])('error %i of Meta is %s and leaves the message %s', async (code, problem, status) => {
    await cloud()
    graph.say(graphError(code))
    const id = await aQueuedMessage(t)
    await t.runJobs()
    expect(await messageRow(t, id)).toMatchObject({
      status,
      error: problem,
      errorDetail: `(#${code}) refused · what Meta says of it`,
    })
  })

  test('a temporary failure is retried after growing waits and finally fails', async () => {
    await cloud()
    for (let turn = 0; turn < maxAttempts; turn++) graph.say(graphError(131016, { status: 500 }))
    const id = await aQueuedMessage(t)
    await t.runJobs()
    for (const [turn, minutes] of [0.5, 1, 2, 4, 8, 16, 32, 60].entries()) {
      await afterSeconds(t, minutes * 60 - 1)
      expect(graph.asked).toHaveLength(turn + 1)
      await afterSeconds(t, 2)
      expect(graph.asked).toHaveLength(turn + 2)
    }
    expect(await messageRow(t, id)).toMatchObject({ status: 'failed', error: 'provider_down', attempts: maxAttempts })
    await afterSeconds(t, 7200)
    expect(graph.asked).toHaveLength(maxAttempts)
  })

  test('an expired token stops the connection, not the messages: with a new token they are sent at once', async () => {
    const connection = await cloud({ accessToken: 'EAAJB-expired' })
    const ids = [await aQueuedMessage(t), await aQueuedMessage(t), await aQueuedMessage(t)]
    await t.runJobs()
    await afterSeconds(t, 5)
    // The first message stored the problem; the second does not call Meta.
    expect(graph.asked).toHaveLength(1)
    expect(await connectionRow(connection.id)).toMatchObject({ problem: 'credentials' })
    const { kind: _kind, ...content } = cloudBody(graph, { name: connection.name })
    const saved = await admin.put(`/settings/whatsapp/${connection.id}`, { ...content, version: connection.version })
    expect(saved.json().data).toMatchObject({ problem: null, standing: 'unchecked' })
    await t.runJobs()
    await afterSeconds(t, 5)
    for (const id of ids) expect((await messageRow(t, id)).status).toBe('sent')
    expect(await connectionRow(connection.id)).toMatchObject({ problem: null, checkedAt: expect.any(Date) })
  })

  test("an unreachable server is stored as the message's problem, and nothing hangs", async () => {
    const closedServer = await graphServer()
    await closedServer.close()
    const connection = await cloud({ graphUrl: closedServer.url })
    const id = await aQueuedMessage(t)
    await t.runJobs()
    expect(await messageRow(t, id)).toMatchObject({
      status: 'queued',
      error: 'unreachable',
      errorDetail: 'ECONNREFUSED',
    })
    const checked = await admin.post(`/settings/whatsapp/${connection.id}/check`)
    expect(checked.json().data).toMatchObject({ standing: 'problem', problem: 'unreachable' })
  })

  test('a message that could not be sent for three days fails', async () => {
    await cloud({ accessToken: 'EAAJB-expired' })
    const id = await aQueuedMessage(t)
    await t.runJobs()
    await afterSeconds(t, 71 * 3600)
    expect((await messageRow(t, id)).status).toBe('queued')
    await afterSeconds(t, 2 * 3600)
    expect(await messageRow(t, id)).toMatchObject({ status: 'failed', error: 'credentials' })
  })

  test('the check asks Meta about the number', async () => {
    const connection = await cloud()
    const { data } = (await admin.post(`/settings/whatsapp/${connection.id}/check`)).json()
    expect(graph.asked[0]!.path).toBe('/v24.0/106540352242922?fields=verified_name,quality_rating,display_phone_number')
    expect(data).toMatchObject({
      standing: 'ready',
      verifiedName: 'Universitas Contoh',
      quality: 'GREEN',
      phone: '+628111111111',
      problem: null,
    })
    graph.say(graphError(100, { subcode: 33, message: 'Unsupported get request' }))
    const wrong = (await admin.post(`/settings/whatsapp/${connection.id}/check`)).json().data
    expect(wrong).toMatchObject({ standing: 'problem', problem: 'wrong_number_id' })
  })

  test("after the installation's key changed, the credentials must be entered again", async () => {
    await cloud()
    const other = await testApp({ sameDatabaseAs: t, config: { secretKey: 'another key of another installation!!' } })
    other.clock.set(begin)
    const id = await aQueuedMessage(t)
    await sendDue(other.services)
    expect(await messageRow(t, id)).toMatchObject({ status: 'queued', error: 'credentials_unreadable' })
    await other.close()
  })
})

describe('the pace', () => {
  test('messages are spread over the minute; beyond the daily cap they wait for the next 24 hours', async () => {
    await cloud({ perMinute: 6, perDay: 10 })
    for (let turn = 0; turn < 14; turn++) await aQueuedMessage(t)
    const times: number[] = []
    await t.runJobs()
    for (let at = 0; at <= 120; at += 5) {
      while (times.length < graph.asked.length) times.push(at)
      await afterSeconds(t, 5)
    }
    expect(times).toHaveLength(10)
    expect(times.map((time, index) => time - index * 10).every((late) => late >= 0 && late <= 5)).toBe(true)
    await afterSeconds(t, 24 * 3600 - 200)
    expect(graph.asked).toHaveLength(10)
    for (let turn = 0; turn < 10; turn++) await afterSeconds(t, 30)
    expect(graph.asked).toHaveLength(14)
  }, 60_000)

  test('the limit per minute holds after a standstill', async () => {
    await cloud({ perMinute: 6 })
    for (let turn = 0; turn < 20; turn++) await aQueuedMessage(t)
    await t.runJobs()
    expect(graph.asked).toHaveLength(1)
    await afterSeconds(t, 3600)
    expect(graph.asked.length).toBeLessThanOrEqual(7)
    for (let turn = 0; turn < 30; turn++) {
      const before = graph.asked.length
      await afterSeconds(t, 10)
      expect(graph.asked.length - before).toBeLessThanOrEqual(2)
    }
    expect(graph.asked).toHaveLength(20)
  }, 60_000)

  test('the whole connection pauses after Meta reports too many messages', async () => {
    await cloud()
    graph.say(graphError(130429))
    await aQueuedMessage(t)
    await t.runJobs()
    const other = await aQueuedMessage(t)
    await afterSeconds(t, 20)
    expect((await messageRow(t, other)).status).toBe('queued')
    await afterSeconds(t, 61)
    expect((await messageRow(t, other)).status).toBe('sent')
  })
})

describe('two workers', () => {
  test('never send a message twice', async () => {
    await cloud()
    const second = await testApp({ sameDatabaseAs: t })
    second.clock.set(begin)
    let sendAnswer = () => {}
    const pendingAnswer = new Promise<void>((resolve) => {
      sendAnswer = resolve
    })
    graph.say(() => ({ status: 200, body: { messages: [{ id: 'wamid.held' }] }, wait: pendingAnswer }))
    const id = await aQueuedMessage(t)
    const run = (app: TestApp) => sendDue(app.services)
    const atOnce = [run(t), run(second)]
    await expect.poll(() => graph.asked.length).toBe(1)
    // Meta has received the message but not answered yet.
    const meanwhile = [run(second), run(t)]
    await Promise.all(meanwhile)
    sendAnswer()
    await Promise.all(atOnce)
    await afterSeconds(t, 300)
    expect(graph.sent()).toHaveLength(1)
    expect(await messageRow(t, id)).toMatchObject({ status: 'sent', attempts: 1 })
    await second.close()
  })

  test('a message claimed by a dead worker is never sent by another: it fails unless its report comes within an hour', async () => {
    const { id: connectionId } = await cloud()
    const id = await aQueuedMessage(t)
    const leasedUntil = new Date(t.clock.now().getTime() + 3_600_000)
    await t.db
      .updateTable('handovers')
      .set({ state: 'handed', dueAt: null, handedAt: t.clock.now(), connectionId, leasedUntil })
      .where('id', '=', id)
      .execute()
    await t.runJobs()
    expect((await messageRow(t, id)).status).toBe('queued')
    await afterSeconds(t, 3_601)
    await sendDue(t.services)
    expect(await messageRow(t, id)).toMatchObject({ status: 'failed', error: 'interrupted' })
    expect(graph.sent()).toHaveLength(0)
  })
})

test("the log contains neither tokens nor receivers' numbers", async () => {
  const lines: string[] = []
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = ((line: string) => {
    lines.push(String(line))
    return true
  }) as typeof process.stdout.write
  try {
    await cloud({ graphUrl: 'http://127.0.0.1:1' })
    await aQueuedMessage(t)
    const services = { ...t.services, log: createLog({ logLevel: 'debug' }) }
    await sendDue(services)
  } finally {
    process.stdout.write = write
  }
  expect(lines.join('')).not.toMatch(/EAAJB|81298765432/)
})
