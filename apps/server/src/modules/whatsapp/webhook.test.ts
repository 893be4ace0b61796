import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProgress } from '#domain/whatsapp/problems.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import {
  aConnection,
  afterSeconds,
  aQueuedMessage,
  cloudBody,
  graphServer,
  messageRow,
} from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>
let connection: { id: string }
const now = '2027-01-04T01:00:00Z'
const seconds = (offset = 0) => String(Math.floor(Date.parse(now) / 1000) + offset)

beforeAll(async () => {
  t = await testApp()
  graph = await graphServer()
  t.clock.set(now)
  admin = await asStaff(t)
  connection = await aConnection(admin, cloudBody(graph))
})
afterAll(async () => {
  await t.close()
  await graph.close()
})

const sign = (body: Buffer | string, secret = 'test-app-secret') =>
  `sha256=${crypto.createHmac('sha256', secret).update(body).digest('hex')}`

const post = (body: Buffer | string, signature: string | undefined = sign(body), id = connection.id) =>
  t.app.inject({
    method: 'POST',
    url: `/api/whatsapp/webhook/${id}`,
    headers: { 'content-type': 'application/json', ...(signature && { 'x-hub-signature-256': signature }) },
    payload: body,
  })

const notice = (value: object, numberId = '106540352242922') =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '628111111111', phone_number_id: numberId },
              ...value,
            },
          },
        ],
      },
    ],
  })
const statusOf = (id: string, status: string, at = 0, more: object = {}) => ({
  id,
  status,
  timestamp: seconds(at),
  recipient_id: '6281298765432',
  ...more,
})

/** A sent message with its id at Meta. */
async function aSentMessage() {
  const id = await aQueuedMessage(t)
  await afterSeconds(t, 1)
  const { providerMessageId } = await messageRow(t, id)
  return { id, wamid: providerMessageId! }
}

describe("Meta's check that the webhook is ours", () => {
  const ask = (query: Record<string, string>) => t.app.inject({ url: `/api/whatsapp/webhook/${connection.id}`, query })

  test('is answered with its challenge if the verify token is right; the token is shown only once', async () => {
    const before = await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': 'x', 'hub.challenge': '1158201444' })
    expect(before.statusCode).toBe(403)
    const creation = await admin.post(`/settings/whatsapp/${connection.id}/verify-token`)
    const { verifyToken } = creation.json().data
    const right = await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '1158201444' })
    expect([right.statusCode, right.body]).toEqual([200, '1158201444'])
    expect(right.headers['content-type']).toContain('text/plain')
    const refused: Record<string, string>[] = [
      { 'hub.mode': 'subscribe', 'hub.verify_token': `${verifyToken}x`, 'hub.challenge': '1' },
      { 'hub.mode': 'unsubscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '1' },
      { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken },
    ]
    for (const wrong of refused) expect((await ask(wrong)).statusCode).toBe(403)
    const shownConnection = await admin.get(`/settings/whatsapp/${connection.id}`)
    expect(shownConnection.body).not.toContain(verifyToken)
    await admin.post(`/settings/whatsapp/${connection.id}/verify-token`)
    const old = await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '1' })
    expect(old.statusCode).toBe(403)
  })
})

describe('a report', () => {
  test('advances a message, fills in its times and counts once', async () => {
    const { id, wamid } = await aSentMessage()
    for (const [status, at] of [
      ['sent', 1],
      ['delivered', 2],
      ['read', 9],
    ] as const)
      expect((await post(notice({ statuses: [statusOf(wamid, status, at)] }))).statusCode).toBe(200)
    const row = await messageRow(t, id)
    expect(row).toMatchObject({
      status: 'read',
      deliveredAt: new Date(Date.parse(now) + 2_000),
      readAt: new Date(Date.parse(now) + 9_000),
    })
    await post(notice({ statuses: [statusOf(wamid, 'read', 500)] }))
    expect((await messageRow(t, id)).readAt).toEqual(row.readAt)
    const reports = await t.db
      .selectFrom('whatsappReports')
      .selectAll()
      .where('providerMessageId', '=', wamid)
      .execute()
    expect(reports).toHaveLength(3)
  })

  test('that arrives late does not move the status back', async () => {
    const { id, wamid } = await aSentMessage()
    await post(notice({ statuses: [statusOf(wamid, 'read', 9)] }))
    await post(notice({ statuses: [statusOf(wamid, 'delivered', 2), statusOf(wamid, 'sent', 1)] }))
    await post(notice({ statuses: [statusOf(wamid, 'failed', 3, { errors: [{ code: 131026, title: 'x' }] })] }))
    expect(await messageRow(t, id)).toMatchObject({ status: 'read', error: null })
  })

  test('of a failure stores the problem', async () => {
    const { id, wamid } = await aSentMessage()
    const errors = [
      {
        code: 131026,
        title: 'Message undeliverable',
        error_data: { details: 'Message Undeliverable.' },
      },
    ]
    await post(notice({ statuses: [statusOf(wamid, 'failed', 3, { errors })] }))
    expect(await messageRow(t, id)).toMatchObject({
      status: 'failed',
      error: 'undeliverable',
      errorDetail: 'Message undeliverable · Message Undeliverable.',
    })
  })

  test('that arrives before the answer to the send finds its message by the handover id, and the message is not sent again', async () => {
    const id = await aQueuedMessage(t)
    await t.db.updateTable('handovers').set({ connectionId: connection.id }).where('id', '=', id).execute()
    await post(notice({ statuses: [statusOf('wamid.early', 'delivered', 1, { biz_opaque_callback_data: id })] }))
    expect(await messageRow(t, id)).toMatchObject({ status: 'delivered', providerMessageId: 'wamid.early' })
    const before = graph.asked.length
    await t.runJobs()
    expect(graph.asked).toHaveLength(before)
  })

  test("that arrives before its message has Meta's id is applied once the message has it", async () => {
    graph.say({ status: 200, body: { messages: [{ id: 'wamid.known-later' }] } })
    await post(notice({ statuses: [statusOf('wamid.known-later', 'delivered', 1)] }))
    const id = await aQueuedMessage(t)
    await afterSeconds(t, 1)
    expect(await messageRow(t, id)).toMatchObject({ status: 'delivered', providerMessageId: 'wamid.known-later' })
  })

  test('sent many times in parallel counts once and stays in order', async () => {
    const messages = [await aSentMessage(), await aSentMessage(), await aSentMessage()]
    const statuses = messages.flatMap(({ wamid }) => [statusOf(wamid, 'delivered', 2), statusOf(wamid, 'read', 3)])
    const answers = await Promise.all(
      [statuses, statuses.toReversed(), statuses, statuses.toReversed()].map((list) =>
        post(notice({ statuses: list })),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    for (const { id } of messages) expect((await messageRow(t, id)).status).toBe('read')
  })

  test('for another number is ignored', async () => {
    const { id, wamid } = await aSentMessage()
    await post(notice({ statuses: [statusOf(wamid, 'read', 1)] }, '999'))
    expect((await messageRow(t, id)).status).toBe('sent')
  })

  test('about a problem of the account is stored with the connection', async () => {
    const { wamid } = await aSentMessage()
    await post(notice({ statuses: [statusOf(wamid, 'failed', 1, { errors: [{ code: 131042, title: 'Payment' }] })] }))
    const shownConnection = (await admin.get(`/settings/whatsapp/${connection.id}`)).json().data
    expect(shownConnection).toMatchObject({ problem: 'payment', standing: 'problem' })
    await admin.post(`/settings/whatsapp/${connection.id}/check`)
  })
})

test('a signed report with an unreadable id, status or time changes nothing; characters that cannot be stored are replaced', async () => {
  const { id, wamid } = await aSentMessage()
  const odd = [
    statusOf('wamid\u0000', 'delivered'),
    statusOf(wamid, 'constructor'),
    { ...statusOf(wamid, 'delivered'), timestamp: '99999999999999' },
  ]
  for (const one of odd) expect((await post(notice({ statuses: [one] }))).statusCode).toBe(200)
  const wrote = { from: '6281298765433', id: 'wamid.odd', timestamp: '1e300' }
  expect((await post(notice({ messages: [wrote] }))).statusCode).toBe(200)
  expect((await messageRow(t, id)).status).toBe('sent')
  const failure = statusOf(wamid, 'failed', 1, { errors: [{ code: 131026, title: 'half \ud800' }] })
  await post(notice({ statuses: [failure] }))
  expect(await messageRow(t, id)).toMatchObject({ status: 'failed', errorDetail: 'half \ufffd' })
})

test('a person who writes to the university can be sent free text for 24 hours', async () => {
  await post(
    notice({
      messages: [
        { from: '6281298765432', id: 'wamid.in', timestamp: seconds(-60), type: 'text', text: { body: 'Halo' } },
      ],
    }),
  )
  await post(
    notice({ messages: [{ from: '6281298765432', id: 'wamid.old', timestamp: seconds(-9999), type: 'text' }] }),
  )
  await t.runJobs()
  const windows = await t.db.selectFrom('whatsappWindows').selectAll().where('address', '=', '+6281298765432').execute()
  expect(windows).toEqual([
    { connectionId: connection.id, address: '+6281298765432', lastAt: new Date(Date.parse(now) - 60_000) },
  ])
})

describe('the signature', () => {
  test('matches one computed independently', async () => {
    const body =
      '{"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"value":{"messaging_product":"whatsapp","metadata":{"display_phone_number":"620000000000","phone_number_id":"123"},"statuses":[{"id":"wamid.TEST","status":"delivered","timestamp":"1768444270","recipient_id":"628120000000"}]},"field":"messages"}]}]}'
    const signature = 'sha256=97507da3f5504ae1a2e591d56bd7c54ad92338b3015005989951a5651d5c2966'
    expect((await post(body, signature)).statusCode).toBe(200)
  })

  test('covers the exact bytes, including escaped letters and spaces', async () => {
    const { id, wamid } = await aSentMessage()
    const body = notice({ statuses: [statusOf(wamid, 'delivered', 1)], contacts: [{ profile: { name: 'Sari 🎓' } }] })
    const escaped = body.replace('🎓', '\\ud83c\\udf93').replaceAll('","', '" ,  "').replaceAll('/', '\\/')
    expect((await post(escaped)).statusCode).toBe(200)
    expect((await messageRow(t, id)).status).toBe('delivered')
    expect((await post(escaped, sign(JSON.stringify(JSON.parse(escaped))))).statusCode).toBe(401)
  })

  test.each([
    ['of another secret', (body: string) => sign(body, 'another-secret')],
    ['of other bytes', () => sign('{}')],
    ['cut short', (body: string) => sign(body).slice(0, 30)],
    ['without its method', (body: string) => sign(body).slice(7)],
    ['that is missing', () => ''],
  ])('%s is refused and changes nothing', async (_what, signature) => {
    const { id, wamid } = await aSentMessage()
    const body = notice({ statuses: [statusOf(wamid, 'read', 1)] })
    expect((await post(body, signature(body))).statusCode).toBe(401)
    expect((await messageRow(t, id)).status).toBe('sent')
  })

  test('is required even if the connection has no secret, and unknown connections get 404', async () => {
    const { id } = await aConnection(admin, cloudBody(graph, { appSecret: undefined, isDefault: false }))
    const body = notice({ statuses: [] })
    expect((await post(body, sign(body, ''), id)).statusCode).toBe(401)
    expect((await post(body, sign(body), crypto.randomUUID())).statusCode).toBe(404)
    expect((await post(body, sign(body), 'x')).statusCode).toBe(404)
  })

  test('over unknown content is accepted, and the content ignored', async () => {
    for (const body of ['', 'no json', '[]', '{"object":"page","entry":[]}', notice({ statuses: [{ id: 5 }, null] })])
      expect((await post(body)).statusCode).toBe(200)
  })
})

test('a status never moves back, and a delivered message cannot fail', () => {
  const statuses = ['queued', 'sent', 'delivered', 'read', 'failed']
  const allowed = statuses.flatMap((from) => statuses.filter((to) => isProgress(from, to)).map((to) => `${from} ${to}`))
  expect(allowed).toEqual([
    'queued sent',
    'queued delivered',
    'queued read',
    'queued failed',
    'sent delivered',
    'sent read',
    'sent failed',
    'delivered read',
    'failed delivered',
    'failed read',
  ])
})
