import { type KyselyPlugin, RawNode } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { notify, sendMail } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Mail } from '#server/platform/mail.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import {
  aCampaign,
  campaignRow,
  recordedMails,
  setLimits,
  smtpFailure,
  statesOf,
} from '#server-test/factories/sending.ts'
import { aConnection, aQueuedMessage, cloudBody, graphServer } from '#server-test/factories/whatsapp/connections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { createLane } from './lane.ts'
import { readPulse } from './pulse.ts'
import { sendDue, startSending } from './sender.ts'
import { whatsappLane } from './whatsapp-lane.ts'

const morning = '2027-01-04T03:00:00Z'
let t: TestApp
let staff: TestActor
let answer: (mail: Mail) => Promise<unknown> | unknown = () => undefined
const mailbox = recordedMails((mail) => answer(mail))
beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport })
  t.clock.set(morning)
  staff = await asStaff(t)
})
afterAll(() => t.close())

function begin() {
  t.clock.set(morning)
  answer = () => undefined
  mailbox.mails.length = 0
}
const after = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1_000))

async function aMail(event = 'account-welcome') {
  const to = `${crypto.randomUUID()}@example.com`
  const id = await inTransaction(t.services, systemActor, (context) =>
    sendMail(context, { to, language: 'id', event, params: { name: 'Sari' } }),
  )
  return { id, to }
}
const rowOf = (id: string) =>
  t.db.selectFrom('messages').select(['status', 'error']).where('id', '=', id).executeTakeFirstOrThrow()
const hand = (id: string, leasedUntil: Date) =>
  t.db
    .updateTable('handovers')
    .set({ state: 'handed', dueAt: null, handedAt: t.clock.now(), leasedUntil })
    .where('id', '=', id)
    .execute()

test('a mail is sent once, however many senders look at the same time', async () => {
  begin()
  const { id, to } = await aMail()
  await Promise.all(Array.from({ length: 6 }, () => sendDue(t.services)))
  expect(mailbox.mails.map((mail) => mail.to)).toEqual([to])
  expect(await rowOf(id)).toEqual({ status: 'sent', error: null })
})

test('a mail claimed by a killed process is not sent again: it fails as interrupted', async () => {
  begin()
  const { id } = await aMail()
  await hand(id, new Date(t.clock.now().getTime() + 300_000))
  await sendDue(t.services)
  expect(await rowOf(id)).toMatchObject({ status: 'queued' })
  after(301)
  await sendDue(t.services)
  expect(await rowOf(id)).toEqual({ status: 'failed', error: 'interrupted' })
  expect(mailbox.mails).toEqual([])
})

test('a mail whose connection breaks after it began fails as interrupted', async () => {
  begin()
  answer = () => {
    throw Object.assign(new Error('Connection closed unexpectedly'), { command: 'CONN', hasBegun: true })
  }
  const { id } = await aMail()
  await sendDue(t.services)
  expect(await rowOf(id)).toEqual({ status: 'failed', error: 'interrupted' })
})

test("a refused sign-in at the mail server uses up no attempts; after three days the mail fails with the server's words", async () => {
  begin()
  answer = () => {
    throw smtpFailure(535, '535 5.7.8 authentication failed', 'AUTH PLAIN')
  }
  const { id } = await aMail()
  for (let turn = 0; turn < 12; turn++) {
    await sendDue(t.services)
    after(600)
  }
  expect(await rowOf(id)).toEqual({ status: 'queued', error: '535 5.7.8 authentication failed' })
  after(72 * 3_600)
  await sendDue(t.services)
  expect(await rowOf(id)).toEqual({ status: 'failed', error: '535 5.7.8 authentication failed' })
})

test('a mail to a person erased while it waited is not sent', async () => {
  begin()
  const { id } = await aMail()
  await t.db
    .updateTable('messages')
    .set({ toAddress: null, body: '-', status: 'failed', error: 'erased' })
    .where('id', '=', id)
    .execute()
  await sendDue(t.services)
  expect(mailbox.mails).toEqual([])
  expect(await rowOf(id)).toEqual({ status: 'failed', error: 'erased' })
  const { state } = await t.db.selectFrom('handovers').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  expect(state).toBe('failed')
})

test('links are sent first, then money and results, then other messages, then campaigns', async () => {
  begin()
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000, quietHours: false })
  await aCampaign(t, { createdBy: staff.accountId }, [{ email: 'kampanye@example.com' }])
  const other = await aMail()
  const person = await asApplicant(t)
  mailbox.mails.length = 0
  await inTransaction(t.services, systemActor, (context) =>
    notify(context, { accountId: person.accountId, event: 'payment-received', params: {} }),
  )
  const link = await aMail('reset-password')
  await sendDue(t.services)
  expect(mailbox.mails.map(({ to }) => to)).toEqual([link.to, person.email, other.to, 'kampanye@example.com'])
})

test("a campaign gets a third of its connection's pace while messages wait, and all of it afterwards", async () => {
  const graph = await graphServer()
  begin()
  await setLimits(t, { quietHours: false })
  await aConnection(staff, cloudBody(graph, { perMinute: 6 }))
  const template = { name: 'Uji', providerTemplate: 'uji', bodyId: 'Halo', bodyEn: 'Hello' }
  const id = await aCampaign(
    t,
    { createdBy: staff.accountId, channels: ['whatsapp'], template },
    Array.from({ length: 20 }, () => ({})),
  )
  for (let count = 0; count < 12; count++) await aQueuedMessage(t)
  const isMessage = ({ template: { name } }: { template: { name: string } }) => name === 'pengumuman'
  // One lasting sender: each new one would start with an empty share.
  const services = { ...t.services }
  const sender = startSending(services)
  for (let second = 0; graph.sent().length < 24 && second < 400; second++) {
    const before = graph.sent().length
    after(11)
    await expect.poll(() => graph.sent().length, { timeout: 5_000 }).toBeGreaterThan(before)
  }
  await sender.stop()
  const sent = graph.sent()
  const lastMessage = sent.findLastIndex(isMessage)
  const [whileWaiting, later] = [sent.slice(0, lastMessage), sent.slice(lastMessage + 1)]
  const ofCampaign = whileWaiting.filter((one) => !isMessage(one)).length
  expect(sent.filter(isMessage)).toHaveLength(12)
  expect(ofCampaign).toBeGreaterThan(0)
  expect(ofCampaign).toBeLessThanOrEqual(Math.ceil(whileWaiting.length / 3))
  expect(later.length).toBeGreaterThan(0)
  expect((await statesOf(t, id)).accepted).toBe(sent.length - 12)
  await graph.close()
}, 60_000)

test('a connection that is down pauses no campaign if only some messages are bound to it', async () => {
  begin()
  await setLimits(t, { quietHours: false })
  const { id: bound } = await t.db
    .insertInto('whatsappConnections')
    .values({ name: 'Kedua', kind: 'log', isDefault: false, active: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  const campaignId = await aCampaign(t, { createdBy: staff.accountId, channels: ['whatsapp'] }, [{}])
  const answered = await aQueuedMessage(t, { event: 'chat-answer' })
  await t.db.updateTable('handovers').set({ boundTo: bound }).where('id', '=', answered).execute()
  const lane = createLane(t.services, whatsappLane(t.services, bound), new AbortController().signal)
  await lane.run({ untilIdle: true })
  after(600)
  const now = performance.now.bind(performance)
  const ahead = vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000)
  await lane.run({ untilIdle: true }).finally(() => ahead.mockRestore())
  expect(await rowOf(answered)).toEqual({ status: 'queued', error: 'inactive' })
  expect((await campaignRow(t, campaignId)).state).toBe('running')
  await t.db.deleteFrom('campaigns').execute()
  await t.db.deleteFrom('messages').where('id', '=', answered).execute()
})

test('a message is sent within a second of its commit, and not before', async () => {
  t.clock.reset()
  mailbox.mails.length = 0
  const sender = startSending(t.services)
  let committedAtMs = 0
  const { to } = await inTransaction(t.services, systemActor, async (context) => {
    const address = `${crypto.randomUUID()}@example.com`
    await sendMail(context, { to: address, language: 'id', event: 'account-welcome', params: { name: 'Sari' } })
    expect(mailbox.mails).toEqual([])
    committedAtMs = performance.now()
    return { to: address }
  })
  await expect.poll(() => mailbox.mails.map((mail) => mail.to), { interval: 5, timeout: 5_000 }).toEqual([to])
  expect(performance.now() - committedAtMs).toBeLessThan(1_000)
  await sender.stop()
})

test('a sender with nothing to send asks one question at a time, and sends what another process writes', async () => {
  t.clock.reset()
  mailbox.mails.length = 0
  const statements: string[] = []
  const noteStatements: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(RawNode.is(node) ? node.sqlFragments.join('') : node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const services = { ...t.services, db: t.services.db.withPlugin(noteStatements) }
  const sender = startSending(services)
  const pulses = () => statements.filter((text) => text.includes('has_done_campaign'))
  await expect.poll(() => pulses().length, { timeout: 10_000 }).toBeGreaterThan(2)
  statements.length = 0
  await expect.poll(() => pulses().length, { timeout: 10_000 }).toBeGreaterThan(3)
  expect(statements.filter((text) => !pulses().includes(text))).toEqual([])
  // This mail uses another connection object, like another process, so it wakes no lane.
  const { to } = await aMail()
  await expect.poll(() => mailbox.mails.map((mail) => mail.to), { timeout: 5_000 }).toEqual([to])
  await sender.stop()
})

test('a mail that waits wakes only the lane of mails', async () => {
  begin()
  await aMail()
  expect((await readPulse(t.services)).channels).toEqual(['email'])
})

test('a campaign that cannot start does not delay messages of another process', async () => {
  t.clock.reset()
  mailbox.mails.length = 0
  await aCampaign(t, { createdBy: staff.accountId, state: 'scheduled' }, [])
  let failures = 0
  const failToStart: KyselyPlugin = {
    transformQuery({ node }) {
      if (RawNode.is(node) && node.sqlFragments.join('').includes('UPDATE campaigns SET state')) {
        failures++
        throw new Error('The campaign cannot start')
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const sender = startSending({ ...t.services, db: t.services.db.withPlugin(failToStart) })
  await expect.poll(() => failures, { timeout: 10_000 }).toBeGreaterThan(1)
  const { to } = await aMail()
  await expect.poll(() => mailbox.mails.map((mail) => mail.to), { timeout: 5_000 }).toEqual([to])
  await sender.stop()
})
