import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiveWhatsappJob } from '#server/modules/chat/inbound/receive-whatsapp.job.ts'
import { forgetReportsJob } from '#server/modules/whatsapp/forget-reports.job.ts'
import type { TestActor } from '#server-test/actors.ts'
import {
  afterSeconds,
  aQueuedMessage,
  type graphServer,
  messageRow,
} from '#server-test/factories/whatsapp/connections.ts'
import { anOfficeOnWhatsapp, noticesOf, text } from '#server-test/factories/whatsapp/notices.ts'
import { pastTriggers, type TestApp } from '#server-test/test-app.ts'
import { takeStatusesJob } from './take-statuses.job.ts'
import { understandItems } from './understand-items.ts'

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

const { newPhone, message, post, postValue, postBody, receive, conversationOf, bodiesIn } = noticesOf(() => ({
  t,
  admin,
  connection,
}))

const itemsOf = async (key: string) => {
  const rows = await t.db.selectFrom('whatsappItems').selectAll().where('key', '=', key).execute()
  return rows.map(({ raw, ...row }) => ({ ...row, ...JSON.parse(raw.toString()) }))
}
const noticesKept = () =>
  t.db.selectFrom('whatsappItems').selectAll().where('kind', '=', 'notice').orderBy('number').execute()

async function aSentMessage() {
  const id = await aQueuedMessage(t)
  await afterSeconds(t, 1)
  return { id, wamid: (await messageRow(t, id)).providerMessageId! }
}
const statusOf = (id: string, status: string, more: object = {}) => ({
  ...{ id, status, timestamp: '1798945200', recipient_id: '6281298765432' },
  ...more,
})

describe('waiting items', () => {
  test('of one person who sent hundreds do not delay the items of others', async () => {
    const [flood, other] = [newPhone(), newPhone()]
    const sent = Array.from({ length: 600 }, (_, index) => message(flood, text(`Pesan ${index}`)))
    for (let at = 0; at < sent.length; at += 100) await post(sent.slice(at, at + 100))
    const late = [message(other, text('Halo')), message(other, text('Ada orang?'))]
    await post(late)
    const order: string[] = []
    await understandItems(t.services, 'message', async (_, { key }) => {
      order.push(key)
    })
    expect(order.filter((key) => late.some(({ id }) => id === key))).toEqual(late.map(({ id }) => id))
    expect(order.indexOf(late[1]!.id)).toBeLessThan(50)
    // The items of one person keep their order.
    const ofFlood = order.filter((key) => sent.some(({ id }) => id === key))
    expect(ofFlood).toEqual(sent.map(({ id }) => id))
  })
})

describe('an item of a signed notice', () => {
  test('is stored unchanged before it is parsed', async () => {
    const phone = newPhone()
    const hello = message(phone, { ...text('Halo'), context: { from: '1', id: 'wamid.before' } })
    expect((await post([hello])).statusCode).toBe(200)
    const [item] = await itemsOf(hello.id)
    expect(item).toMatchObject({ kind: 'message', phone: `+${phone}`, handledAt: null, item: hello })
    expect(item!.contact).toEqual({ wa_id: phone, profile: { name: 'Dewi Contoh' } })
    await t.runJobs()
    expect((await itemsOf(hello.id))[0]).toMatchObject({ handledAt: t.clock.now(), problem: null, item: hello })
    const { wamid } = await aSentMessage()
    await postValue({ statuses: [statusOf(wamid, 'delivered', { pricing: { billable: true } })] })
    expect(await itemsOf(`${wamid} delivered`)).toMatchObject([
      { kind: 'status', phone: '+6281298765432', item: { pricing: { billable: true } }, handledAt: t.clock.now() },
    ])
  })

  test('delivered twice, or twenty times in parallel, is stored and processed once', async () => {
    const phone = newPhone()
    const hello = message(phone, text('Halo'))
    const { id, wamid } = await aSentMessage()
    const value = {
      contacts: [{ wa_id: phone, profile: { name: 'Dewi Contoh' } }],
      messages: [hello],
      statuses: [statusOf(wamid, 'delivered'), statusOf(wamid, 'read')],
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => postValue(value)))
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    await Promise.all([1, 2, 3].map(() => receiveWhatsappJob.run(t.services, {})))
    await postValue(value)
    await t.runJobs()
    expect(await itemsOf(hello.id)).toHaveLength(1)
    expect(await itemsOf(`${wamid} delivered`)).toHaveLength(1)
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['Halo'])
    expect((await messageRow(t, id)).status).toBe('read')
  })

  test('that fails stays stored and is processed once it can be', async () => {
    const { id, wamid } = await aSentMessage()
    const other = await aSentMessage()
    await pastTriggers(
      t,
      sql`ALTER TABLE whatsapp_reports ADD CONSTRAINT broken CHECK (provider_message_id <> ${sql.lit(wamid)})`,
    )
    const statuses = [statusOf(wamid, 'read'), statusOf(other.wamid, 'read')]
    expect((await postValue({ statuses })).statusCode).toBe(200)
    expect(await itemsOf(`${wamid} read`)).toMatchObject([{ handledAt: null }])
    await t.runJobs()
    expect((await messageRow(t, other.id)).status).toBe('read')
    expect(await itemsOf(`${wamid} read`)).toMatchObject([
      { handledAt: null, problem: 'failed', detail: expect.stringContaining('broken') },
    ])
    await pastTriggers(t, sql`ALTER TABLE whatsapp_reports DROP CONSTRAINT broken`)
    await takeStatusesJob.run(t.services, {})
    expect((await messageRow(t, id)).status).toBe('read')
    expect(await itemsOf(`${wamid} read`)).toMatchObject([{ handledAt: t.clock.now(), problem: null, detail: null }])
  })

  test('that cannot be stored is not answered with 200, so Meta sends it again', async () => {
    const phone = newPhone()
    const hello = message(phone, text('Halo'))
    await pastTriggers(t, sql`ALTER TABLE whatsapp_items ADD CONSTRAINT unkept CHECK (key <> ${sql.lit(hello.id)})`)
    expect((await post([hello])).statusCode).toBeGreaterThanOrEqual(400)
    await pastTriggers(t, sql`ALTER TABLE whatsapp_items DROP CONSTRAINT unkept`)
    await receive([hello])
    expect(await bodiesIn((await conversationOf(phone))!.id)).toEqual(['Halo'])
  })

  test('with an unknown status, without an id or nested too deeply stays stored with the problem', async () => {
    const { wamid } = await aSentMessage()
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    await postValue({ statuses: [statusOf(wamid, 'vanished'), { id: 5 }] })
    const nested = `{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"106540352242922"},"messages":[{"from":"6281377777777","id":"wamid.deep","type":"text","text":${deep}}]}}]}]}`
    expect((await postBody(nested)).statusCode).toBe(200)
    await t.runJobs()
    const problems = await t.db
      .selectFrom('whatsappItems')
      .select(['kind', 'problem'])
      .where('problem', 'is not', null)
      .orderBy('number')
      .execute()
    expect(problems).toEqual([
      { kind: 'status', problem: 'unknown_status' },
      { kind: 'status', problem: 'unreadable' },
      { kind: 'message', problem: 'unreadable' },
    ])
  })

  test('is given up after a day and stays stored', async () => {
    const key = 'wamid.deep'
    t.clock.set(new Date(t.clock.now().getTime() + 25 * 3_600_000))
    await receiveWhatsappJob.run(t.services, {})
    const { handledAt, problem } = await t.db
      .selectFrom('whatsappItems')
      .select(['handledAt', 'problem'])
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    expect({ handledAt, problem }).toEqual({ handledAt: t.clock.now(), problem: 'unreadable' })
  })
})

test('signed bytes without message or report are stored as handled; only unreadable ones have a problem', async () => {
  const other = { field: 'account_update', value: { event: 'VERIFIED_ACCOUNT' } }
  const bodies = [
    JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [other] }] }),
    'no json \u0000',
  ]
  for (const body of [...bodies, ...bodies]) expect((await postBody(body)).statusCode).toBe(200)
  const notices = await noticesKept()
  expect(notices.map(({ raw, problem }) => [raw.toString(), problem])).toEqual([
    [JSON.stringify(other), null],
    [bodies[1], 'unreadable'],
  ])
  expect(notices.every(({ handledAt }) => handledAt !== null)).toBe(true)
})

test('a message to a number of another connection is stored with the problem and not processed', async () => {
  const phone = newPhone()
  const hello = message(phone, text('Halo'))
  await postValue({ metadata: { phone_number_id: '999' }, messages: [hello] })
  await t.runJobs()
  expect(await itemsOf(hello.id)).toMatchObject([{ problem: 'other_number', handledAt: t.clock.now() }])
  expect(await conversationOf(phone)).toBeUndefined()
})

test('reports are deleted after 3 days, messages after 30, items not understood after 90; waiting items stay', async () => {
  await t.db.deleteFrom('whatsappItems').execute()
  const daysAgo = (days: number) => new Date(t.clock.now().getTime() - days * 86_400_000)
  const item = (kind: 'message' | 'status', days: number, values: object = {}) => ({
    ...{ connectionId: connection.id, kind, key: crypto.randomUUID(), raw: Buffer.from('{}') },
    ...{ receivedAt: daysAgo(days), handledAt: daysAgo(days), detail: `${kind} ${days}` },
    ...values,
  })
  await t.db
    .insertInto('whatsappItems')
    .values([
      item('status', 2),
      item('status', 4),
      item('message', 29),
      item('message', 31),
      item('status', 89, { problem: 'unknown_status' }),
      item('message', 91, { problem: 'no_sender' }),
      item('message', 92, { handledAt: null }),
    ])
    .execute()
  await forgetReportsJob.run(t.services, {})
  const left = await t.db.selectFrom('whatsappItems').select('detail').orderBy('number').execute()
  expect(left.map(({ detail }) => detail)).toEqual(['status 2', 'message 29', 'status 89', 'message 92'])
})
