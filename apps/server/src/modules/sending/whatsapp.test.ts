import crypto from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { takeStopWordJob } from '#server/modules/campaigns/addresses/take-stop-word.job.ts'
import { readOptOutToken } from '#server/modules/campaigns/opt-out-token.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import {
  aCampaign,
  aTemplate,
  campaignRow,
  handoversOf,
  recipientsOf,
  recordedMails,
  setLimits,
  statesOf,
} from '#server-test/factories/sending.ts'
import {
  aConnection,
  aQueuedMessage,
  cloudBody,
  graphError,
  graphServer,
} from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendDue } from './sender.ts'

let t: TestApp
let staff: TestActor
let graph: Awaited<ReturnType<typeof graphServer>>
let connection: { id: string }
const mailbox = recordedMails()
const morning = '2027-01-04T03:00:00Z'

beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport })
  graph = await graphServer()
  t.clock.set(morning)
  staff = await asStaff(t)
  connection = await aConnection(staff, cloudBody(graph))
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000 })
})
afterAll(async () => {
  await t.close()
  await graph.close()
})
afterEach(async () => {
  graph.reset()
  mailbox.mails.length = 0
  await t.db.deleteFrom('campaigns').execute()
  for (const table of [
    'whatsappReports',
    'whatsappPeople',
    'whatsappWindows',
    'sendingPaces',
    'sendingCounts',
    'suppressedAddresses',
  ] as const)
    await t.db.deleteFrom(table).execute()
  await setConnection({
    perMinute: 4_800,
    perDay: 100_000,
    dayStartedAt: null,
    dayCount: 0,
    nextSlotAt: null,
    problem: null,
  })
})
const setConnection = (values: object) =>
  t.db.updateTable('whatsappConnections').set(values).where('id', '=', connection.id).execute()
const after = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1_000))
const people = (count: number) => Array.from({ length: count }, () => ({}))
const campaign = (values: object = {}, recipients: object[] = people(3)) => {
  t.clock.set(morning)
  return aCampaign(
    t,
    { createdBy: staff.accountId, channels: ['whatsapp'], template: aTemplate, ...values },
    recipients,
  )
}

async function report(statuses: object[]) {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { changes: [{ field: 'messages', value: { metadata: { phone_number_id: '106540352242922' }, statuses } }] },
    ],
  })
  const answer = await t.app.inject({
    method: 'POST',
    url: `/api/whatsapp/webhook/${connection.id}`,
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${crypto.createHmac('sha256', 'test-app-secret').update(body).digest('hex')}`,
    },
    payload: body,
  })
  expect(answer.statusCode).toBe(200)
}
const statusOf = (handoverId: string | null, status: string, wamid: string, more: object = {}) => ({
  id: wamid,
  status,
  timestamp: String(Math.floor(t.clock.now().getTime() / 1000)),
  ...(handoverId && { biz_opaque_callback_data: handoverId }),
  ...more,
})

test("a template is sent with its parameters in order of first occurrence and the handover's id", async () => {
  const id = await campaign({}, people(1))
  await sendDue(t.services)
  const [handover] = await handoversOf(t, id)
  expect(graph.sent()).toEqual([
    expect.objectContaining({
      to: '6281200000001',
      biz_opaque_callback_data: handover!.id,
      template: {
        name: 'batas_waktu',
        language: { code: 'id', policy: 'deterministic' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Penerima 1' },
              { type: 'text', text: '27 November' },
            ],
          },
        ],
      },
    }),
  ])
  expect(handover).toMatchObject({ state: 'accepted', providerMessageId: 'wamid.1', connectionId: connection.id })
  expect((await campaignRow(t, id)).state).toBe('finished')
})

test('free text reaches only people who wrote within 24 hours; others take their next channel', async () => {
  await t.db
    .insertInto('whatsappWindows')
    .values([
      { connectionId: connection.id, address: '+6281200000001', lastAt: new Date('2027-01-03T04:00:00Z') },
      { connectionId: connection.id, address: '+6281200000002', lastAt: new Date('2027-01-03T02:00:00Z') },
    ])
    .execute()
  const id = await campaign({ template: null }, [
    { channels: ['whatsapp', 'email'] },
    { channels: ['whatsapp', 'email'] },
    {},
  ])
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state, reason, channels }) => [state, reason, channels])).toEqual([
    ['accepted', null, ['whatsapp', 'email']],
    ['accepted', null, ['email']],
    ['skipped', 'window_closed', ['whatsapp']],
  ])
  expect(graph.sent().map(({ text }) => text.body)).toEqual(['Yth. Penerima 1, pesan dari PMB Online.'])
  expect(mailbox.mails.map(({ to }) => to)).toEqual(['penerima-2@example.com'])
})

const openWindow = (address: string) =>
  t.db.insertInto('whatsappWindows').values({ connectionId: connection.id, address, lastAt: t.clock.now() }).execute()

test("free text of marketing ends with the stop word in the reader's language; service text does not", async () => {
  t.clock.set(morning)
  await openWindow('+6281200000001')
  await openWindow('+6281200000002')
  const id = await campaign({ template: null, purpose: 'events' }, people(2))
  await t.db
    .updateTable('campaignRecipients')
    .set({ language: 'en' })
    .where('campaignId', '=', id)
    .where('number', '=', 2)
    .execute()
  await campaign({ template: null }, people(1))
  await sendDue(t.services)
  const lines = graph.sent().map(({ text }) => text.body.split('\n\n')[1])
  expect(lines.toSorted()).toEqual([
    'Balas BERHENTI untuk berhenti menerima pesan ini.',
    'Reply STOP to receive no more of these.',
    undefined,
  ])
})

test("free text of a connection without replies ends with the reader's opt-out link", async () => {
  await setConnection({ kind: 'log' })
  await campaign({ template: null, purpose: 'events' }, people(1))
  await sendDue(t.services)
  await setConnection({ kind: 'cloud' })
  const sent = await t.db.selectFrom('messages').select('body').where('channel', '=', 'whatsapp').execute()
  const [, token] = /ini lagi: http:\/\/localhost:3000\/berhenti-pesan\/(\S+)$/.exec(sent[0]!.body)!
  expect(readOptOutToken(t.services, token!)).toEqual({ address: '+6281200000001', purpose: 'events' })
})

test('reports advance a recipient and never move it back', async () => {
  const id = await campaign({}, people(1))
  await sendDue(t.services)
  const handoverId = (await handoversOf(t, id))[0]!.id
  for (const [status, state] of [
    ['sent', 'accepted'],
    ['read', 'read'],
    ['delivered', 'read'],
    ['failed', 'read'],
  ] as const) {
    await report([statusOf(handoverId, status, 'wamid.1')])
    expect((await recipientsOf(t, id))[0]!.state).toBe(state)
  }
})

test('a report that comes before the answer counts, with or without our id', async () => {
  let reported: Promise<unknown> = Promise.resolve()
  const answerOf = (withId: boolean) => (request: { body: { biz_opaque_callback_data: string } }) => {
    const wamid = `wamid.early-${withId}`
    reported = report([statusOf(withId ? request.body.biz_opaque_callback_data : null, 'delivered', wamid)])
    return { status: 200, body: { messages: [{ id: wamid }] }, wait: reported }
  }
  graph.say(answerOf(true), answerOf(false))
  const id = await campaign({}, people(2))
  await sendDue(t.services)
  await reported
  expect(await statesOf(t, id)).toEqual({ delivered: 2 })
  expect((await handoversOf(t, id)).map(({ providerMessageId }) => providerMessageId).toSorted()).toEqual([
    'wamid.early-false',
    'wamid.early-true',
  ])
})

test('a message without an answer is settled by its report, else uncertain after an hour and never sent again', async () => {
  // 502 from a gateway: Meta may have the message.
  graph.say({ status: 502, body: {} }, { status: 502, body: {} })
  const id = await campaign({}, people(2))
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ handed: 2 })
  expect((await campaignRow(t, id)).state).toBe('running')
  const [first, second] = await handoversOf(t, id)
  await report([statusOf(first!.id, 'delivered', 'wamid.lost')])
  after(3_601)
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state }) => state)).toEqual(['delivered', 'uncertain'])
  expect(graph.sent()).toHaveLength(2)
  expect((await campaignRow(t, id)).state).toBe('finished')
  await report([statusOf(second!.id, 'sent', 'wamid.late')])
  expect((await recipientsOf(t, id))[1]!.state).toBe('accepted')
})

test('a failed message falls back to the next channel, at once or after its report, even if the campaign has finished', async () => {
  graph.say(graphError(131026))
  const both = { channels: ['whatsapp', 'email'] }
  const id = await campaign({ channels: ['whatsapp', 'email'] }, [both, both, {}])
  await sendDue(t.services)
  const answered = await recipientsOf(t, id)
  const refused = answered.filter(({ channels }) => channels[0] === 'email')
  expect(refused).toHaveLength(1)
  expect(mailbox.mails).toHaveLength(1)
  expect((await campaignRow(t, id)).state).toBe('finished')

  const late = answered.find(({ channels, state }) => channels.length === 2 && state === 'accepted')!
  const error = { errors: [{ code: 131049, title: 'held back' }] }
  await report([statusOf(late.handoverId, 'failed', 'wamid.failed', error)])
  expect((await campaignRow(t, id)).state).toBe('running')
  after(5)
  await sendDue(t.services)
  expect(mailbox.mails).toHaveLength(2)
  expect(await campaignRow(t, id)).toMatchObject({ state: 'finished' })
  const reached = (await recipientsOf(t, id)).find(({ number }) => number === late.number)!
  expect(reached).toMatchObject({ state: 'accepted', channels: ['email'] })

  // The late arrival counts, because the mail may not arrive.
  await report([statusOf(late.handoverId, 'delivered', 'wamid.failed')])
  const handovers = (await handoversOf(t, id)).filter(({ number }) => number === late.number)
  expect(handovers.map(({ channel, state }) => [channel, state])).toEqual([
    ['whatsapp', 'delivered'],
    ['email', 'accepted'],
  ])
  expect((await recipientsOf(t, id)).find(({ number }) => number === late.number)!.state).toBe('delivered')
})

test('a message that arrives late cancels a waiting fallback and replaces a failure on another channel', async () => {
  const both = { channels: ['whatsapp', 'email'] }
  const id = await campaign({ channels: ['whatsapp', 'email'] }, [both, both])
  await sendDue(t.services)
  const [first, second] = await handoversOf(t, id)
  const error = { errors: [{ code: 131049, title: 'held back' }] }
  await report([statusOf(first!.id, 'failed', 'wamid.one', error)])
  await report([statusOf(first!.id, 'delivered', 'wamid.one')])
  mailbox.mails.length = 0
  await sendDue(t.services)
  expect(mailbox.mails).toEqual([])

  await t.db
    .updateTable('campaignRecipients')
    .set({ state: 'failed', reason: 'refused', channels: ['email'], handoverId: crypto.randomUUID() })
    .where('campaignId', '=', id)
    .where('number', '=', second!.number)
    .execute()
  await report([statusOf(second!.id, 'read', 'wamid.two')])
  expect(await recipientsOf(t, id)).toMatchObject([
    { state: 'delivered', reason: null, channels: ['whatsapp'] },
    { state: 'read', reason: null, channels: ['whatsapp'] },
  ])
  expect((await campaignRow(t, id)).state).toBe('finished')
})

test('a late failure takes the next channel if the continuation was cancelled before it started', async () => {
  const id = await campaign({ channels: ['whatsapp', 'email'] }, [{ channels: ['whatsapp', 'email'] }])
  await sendDue(t.services)
  const child = await campaign({ state: 'cancelled' }, [])
  await t.db.updateTable('campaigns').set({ parentId: id, startedAt: null }).where('id', '=', child).execute()
  const [handover] = await handoversOf(t, id)
  await report([statusOf(handover!.id, 'failed', 'wamid.late', { errors: [{ code: 131049, title: 'held back' }] })])
  after(5)
  await sendDue(t.services)
  expect((await recipientsOf(t, id))[0]).toMatchObject({ state: 'accepted', channels: ['email'] })
})

test('a number in a country the university may not write to takes its next channel; the connection has no problem', async () => {
  graph.say(graphError(130497))
  const id = await campaign({ channels: ['whatsapp', 'email'] }, [{ channels: ['whatsapp', 'email'] }])
  await sendDue(t.services)
  expect((await recipientsOf(t, id))[0]).toMatchObject({ state: 'accepted', channels: ['email'] })
  const { problem } = await t.db.selectFrom('whatsappConnections').select('problem').executeTakeFirstOrThrow()
  expect(problem).toBeNull()
})

test('a problem is stored with the connection that was called, even if another has become the default', async () => {
  const other = await t.db
    .insertInto('whatsappConnections')
    .values({ name: 'Lain', kind: 'log', isDefault: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  const setDefault = async (id: string) => {
    await t.db.updateTable('whatsappConnections').set({ isDefault: false }).execute()
    await t.db.updateTable('whatsappConnections').set({ isDefault: true }).where('id', '=', id).execute()
  }
  let answered: Promise<unknown> = Promise.resolve()
  graph.say(() => {
    answered = setDefault(other.id).then(() => sleep(700))
    return { ...graphError(190), wait: answered }
  })
  await campaign({}, people(1))
  await sendDue(t.services)
  await answered
  const problems = await t.db.selectFrom('whatsappConnections').select(['id', 'problem']).execute()
  const problemOf = (id: string) => problems.find((one) => one.id === id)!.problem
  expect([problemOf(connection.id), problemOf(other.id)]).toEqual(['credentials', null])
  await setDefault(connection.id)
  await t.db.deleteFrom('whatsappConnections').where('id', '=', other.id).execute()
})

test('a recipient without a next channel fails with the problem; one who blocked the university is suppressed on WhatsApp', async () => {
  graph.say(graphError(131050))
  const id = await campaign({}, people(1))
  await sendDue(t.services)
  expect((await recipientsOf(t, id))[0]).toMatchObject({ state: 'failed', reason: 'opted_out' })
  expect(await t.db.selectFrom('suppressedAddresses').select(['address', 'channel', 'reason']).execute()).toEqual([
    { address: '+6281200000001', channel: 'whatsapp', reason: 'blocked' },
  ])
})

test('words of Meta that are cut within a character keep no answer or report from being recorded', async () => {
  const words = `${'x'.repeat(299)}😀`
  graph.say(graphError(131026, { message: words }))
  const id = await campaign({}, people(2))
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ failed: 1, accepted: 1 })
  const accepted = (await handoversOf(t, id)).find(({ state }) => state === 'accepted')!
  const error = { errors: [{ code: 131049, title: words }] }
  await report([statusOf(accepted.id, 'failed', 'wamid.words', error)])
  expect((await handoversOf(t, id)).map(({ state }) => state)).toEqual(['failed', 'failed'])
})

test('recipients stay planned if Meta refuses the connection', async () => {
  for (let one = 0; one < 3; one++) graph.say(graphError(190, { status: 401 }))
  const id = await campaign()
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ planned: 3 })
  expect(await handoversOf(t, id)).toEqual([])
  const row = await t.db
    .selectFrom('whatsappConnections')
    .select('problem')
    .where('id', '=', connection.id)
    .executeTakeFirst()
  expect(row!.problem).toBe('credentials')
})

test("campaigns and single messages share a connection's limits per minute and per day", async () => {
  await setConnection({ perMinute: 6, perDay: 10 })
  const id = await campaign({}, people(12))
  await aQueuedMessage(t)
  const times: number[] = []
  for (let second = 0; second < 180; second++) {
    const before = graph.sent().length
    await t.runJobs()
    await sendDue(t.services)
    for (let one = before; one < graph.sent().length; one++) times.push(t.clock.now().getTime())
    after(1)
  }
  expect(times).toHaveLength(10)
  const most = Math.max(...times.map((at) => times.filter((one) => one >= at && one < at + 60_000).length))
  expect(most).toBeLessThanOrEqual(6)
  expect(await statesOf(t, id)).toEqual({ accepted: 9, planned: 3 })
  after(86_400 + 600)
  for (let second = 0; second < 60; second++) {
    await sendDue(t.services)
    after(1)
  }
  expect(await statesOf(t, id)).toEqual({ accepted: 12 })
}, 120_000)

test('within 24 hours a connection writes to no more people than its limit, counting each once', async () => {
  await setConnection({ perDay: 5 })
  const first = await campaign({}, people(4))
  await sendDue(t.services)
  expect(await statesOf(t, first)).toEqual({ accepted: 4 })
  // The day's message count has restarted, but the people of the last twelve hours still count.
  await setConnection({ dayStartedAt: null, dayCount: 0 })
  const again = await aCampaign(
    t,
    { createdBy: staff.accountId, channels: ['whatsapp'], template: aTemplate, ignoresQuietHours: true },
    [{}, {}, { phone: '+6281299999991' }, { phone: '+6281299999992' }],
  )
  after(43_200)
  await sendDue(t.services)
  expect(await statesOf(t, again)).toEqual({ accepted: 3, planned: 1 })
  await t.db.deleteFrom('campaigns').where('id', '=', first).execute()
})

test.each([
  ['a template', { type: 'button', button: { text: 'Stop promotions' } }],
  ['a message', { type: 'interactive', interactive: { button_reply: { title: 'Stop promosi' } } }],
  ['a list', { type: 'interactive', interactive: { list_reply: { title: 'Stop promosi' } } }],
])('tapping a stop word of %s opts out', async (_of, raw) => {
  const { id } = await t.db
    .insertInto('whatsappItems')
    .values({
      kind: 'message',
      ...{ connectionId: connection.id, key: crypto.randomUUID(), receivedAt: t.clock.now() },
      raw: Buffer.from(JSON.stringify({ item: { ...raw, from: '6281200077778' }, contact: null })),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await takeStopWordJob.run(t.services, { id } as never)
  expect(await t.db.deleteFrom('optOuts').returning('purpose').execute()).toHaveLength(2)
})

test('an inbox message and its handover are written together', async () => {
  const id = await campaign({ channels: ['inbox'] }, [{ accountId: staff.accountId }, {}])
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state, reason }) => reason ?? state)).toEqual(['delivered', 'no_address'])
  const messages = await t.db.selectFrom('messages').selectAll().where('accountId', '=', staff.accountId).execute()
  expect(messages.filter(({ event }) => event === 'note')).toMatchObject([
    { channel: 'inbox', status: 'sent', subject: 'Pengumuman untuk Penerima 1' },
  ])
})
