import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { claimMails } from '#server/modules/campaigns/claim/claim.ts'
import { pauseWaiting } from '#server/modules/campaigns/claim/lifecycle.ts'
import { pauseRestored } from '#server/modules/messaging/handovers/pause-restored.ts'
import { sendMail } from '#server/modules/messaging/notify.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Mail } from '#server/platform/mail.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import {
  aCampaign,
  campaignRow,
  handoversOf,
  recordedMails,
  setLimits,
  smtpFailure,
  statesOf,
} from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { handMail } from './hand-over.ts'
import { createLane, downMs } from './lane.ts'
import { readPulse } from './pulse.ts'
import { sendDue, startSending } from './sender.ts'

let one: TestApp
let two: TestApp
let staff: TestActor
let answer: (mail: Mail) => Promise<unknown> | unknown = () => undefined
const mailbox = recordedMails((mail) => answer(mail))

beforeAll(async () => {
  one = await testApp({ mail: mailbox.transport })
  two = await testApp({ mail: mailbox.transport, sameDatabaseAs: one })
  staff = await asStaff(one)
})
afterAll(async () => {
  await two.close()
  await one.close()
})
afterEach(async () => {
  answer = () => undefined
  mailbox.mails.length = 0
  await one.db.deleteFrom('campaigns').execute()
  await one.db.deleteFrom('sendingPaces').execute()
  await one.db.deleteFrom('sendingCounts').execute()
})
const people = (count: number) => Array.from({ length: count }, () => ({}))
async function campaign(count: number, values: object = {}) {
  for (const app of [one, two]) app.clock.reset()
  await setLimits(one, {
    mailsPerMinute: 100_000,
    mailsPerMinutePerDomain: 100_000,
    mailsPerDay: 1_000_000,
    quietHours: false,
  })
  return aCampaign(one, { createdBy: staff.accountId, ...values }, people(count))
}

/** Waits until the condition holds; throws after ten seconds. */
async function until(holds: () => Promise<boolean> | boolean) {
  for (let waited = 0; waited < 10_000; waited += 25) {
    if (await holds()) return
    await wait(25)
  }
  throw new Error('it did not happen')
}
const copies = () => mailbox.mails.length - new Set(mailbox.mails.map(({ to }) => to)).size

test('two servers send a campaign together, each recipient once', async () => {
  answer = () => wait(2)
  const id = await campaign(600)
  const senders = [startSending(one.services), startSending(two.services)]
  await until(async () => (await campaignRow(one, id)).state === 'finished')
  await Promise.all(senders.map((sender) => sender.stop()))
  expect(await statesOf(one, id)).toEqual({ accepted: 600 })
  expect([mailbox.mails.length, copies()]).toEqual([600, 0])
  expect(await handoversOf(one, id)).toHaveLength(600)
})

test('twenty workers that claim in parallel get different recipients', async () => {
  const id = await campaign(100)
  const claimed = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      inTransaction((index % 2 ? one : two).services, systemActor, (context) => claimMails(context, id, 5)),
    ),
  )
  const to = claimed.flatMap(({ claims }) => claims.map((claim) => (claim.channel === 'email' ? claim.mail.to : '')))
  expect(new Set(to).size).toBe(to.length)
  expect(await statesOf(one, id)).toEqual({ handed: to.length, ...(to.length < 100 && { planned: 100 - to.length }) })
})

test('campaigns share the workers: a small one does not wait for a large one', async () => {
  answer = () => wait(5)
  const large = await campaign(400)
  const small = await campaign(20)
  const sender = startSending(one.services)
  await until(async () => (await campaignRow(one, large)).state === 'finished')
  await sender.stop()
  const toSmall = new Set((await handoversOf(one, small)).map(({ address }) => address))
  expect(toSmall.size).toBe(20)
  expect(mailbox.mails.findLastIndex(({ to }) => toSmall.has(to))).toBeLessThan(200)
})

test('a failing campaign does not stop another one', async () => {
  const broken = await campaign(3)
  const whole = await campaign(3)
  // A row that makes every claim fail.
  await one.owner
    .updateTable('campaignRecipients')
    .set({ timeZone: 'Atlantis/Nowhere' })
    .where('campaignId', '=', broken)
    .execute()
  await setLimits(one, { quietHours: true })
  for (const app of [one, two]) app.clock.set('2027-01-04T03:00:00Z')
  await one.db
    .updateTable('campaignRecipients')
    .set({ dueAt: one.clock.now() })
    .where('state', '=', 'planned')
    .execute()
  await sendDue(one.services)
  expect(await statesOf(one, whole)).toEqual({ accepted: 3 })
  expect(await statesOf(one, broken)).toEqual({ planned: 3 })
})

test('a pause takes effect within two seconds on every server', async () => {
  answer = () => wait(20)
  const id = await campaign(5_000)
  const senders = [startSending(one.services), startSending(two.services)]
  await until(() => mailbox.mails.length > 50)
  await one.db.updateTable('campaigns').set({ state: 'paused' }).where('id', '=', id).execute()
  await wait(1_000)
  const sent = mailbox.mails.length
  await wait(600)
  expect(mailbox.mails).toHaveLength(sent)
  expect(await statesOf(one, id)).toEqual({ accepted: sent, planned: 5_000 - sent })
  await one.db.updateTable('campaigns').set({ state: 'running' }).where('id', '=', id).execute()
  await until(() => mailbox.mails.length > sent)
  await Promise.all(senders.map((sender) => sender.stop()))
  expect(copies()).toBe(0)
})

test('a stopping server ends its calls and leaves no recipient handed over', async () => {
  answer = () => wait(100)
  const id = await campaign(200)
  const sender = startSending(one.services)
  await until(() => mailbox.mails.length > 10)
  await sender.stop()
  const states = await statesOf(one, id)
  expect(states.handed).toBeUndefined()
  expect(states.accepted).toBe(mailbox.mails.length)
  expect(states.planned).toBe(200 - mailbox.mails.length)
})

test('a claim committed while the server stops is given back', async () => {
  const stopping = new AbortController()
  const id = await campaign(5)
  const lane = createLane(
    one.services,
    {
      channel: 'email',
      prepare: async () => ({ workers: 5 }),
      async claim(context, campaignId, most) {
        const claims = await claimMails(context, campaignId, most)
        stopping.abort()
        return claims
      },
      call: async (claim) => {
        throw new Error(`nothing may begin: ${claim.handoverId}`)
      },
    },
    stopping.signal,
  )
  await lane.run()
  expect(await statesOf(one, id)).toEqual({ planned: 5 })
  expect(await handoversOf(one, id)).toEqual([])
})

test('a channel that is down for five minutes pauses its waiting campaigns', async () => {
  answer = () => {
    throw smtpFailure(535, '535 5.7.8 authentication failed', 'AUTH PLAIN')
  }
  const id = await campaign(3)
  one.clock.set(new Date())
  const lane = createLane(
    one.services,
    {
      channel: 'email',
      prepare: async () => ({ workers: 3 }),
      claim: (context, campaignId, most) => claimMails(context, campaignId, most),
      call: (claim) => handMail(one.services, claim.handoverId, (claim as { mail: Mail }).mail),
    },
    new AbortController().signal,
  )
  await lane.run({ untilIdle: true })
  expect((await campaignRow(one, id)).state).toBe('running')
  one.clock.set(new Date(one.clock.now().getTime() + downMs))
  await lane.run({ untilIdle: true })
  expect(await campaignRow(one, id)).toMatchObject({ state: 'paused', pauseReason: 'channel_down' })
  expect(await statesOf(one, id)).toEqual({ planned: 3 })
  const entry = await one.owner
    .selectFrom('auditLog')
    .select('reason')
    .where('subjectId', '=', id)
    .where('action', '=', 'campaign.pause')
    .executeTakeFirstOrThrow()
  expect(entry.reason).toContain('535 5.7.8')
})

test('a campaign resumed long after its channel failed is sent, not paused again', async () => {
  const id = await campaign(1)
  one.clock.set(new Date())
  const stopping = new AbortController()
  let calls = 0
  const lane = createLane(
    one.services,
    {
      channel: 'email',
      prepare: async () => ({ workers: 1 }),
      claim: (context, campaignId, most) => claimMails(context, campaignId, most),
      call: async ({ handoverId }) =>
        ++calls === 1
          ? { kind: 'down', words: 'no connection' }
          : { kind: 'news', news: { id: handoverId, state: 'accepted', at: one.clock.now() } },
    },
    stopping.signal,
  )
  const now = performance.now.bind(performance)
  const running = lane.run()
  await until(() => calls === 1)
  await until(async () => (await statesOf(one, id)).planned === 1)
  await one.db.updateTable('campaigns').set({ state: 'paused' }).where('id', '=', id).execute()
  // The first rest lasts five seconds; then nothing is due.
  const ahead = vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000)
  try {
    await wait(1_200)
    one.clock.set(new Date(one.clock.now().getTime() + downMs))
    await wait(1_200)
    await one.db.updateTable('campaigns').set({ state: 'running' }).where('id', '=', id).execute()
    lane.wake()
    await until(async () => (await statesOf(one, id)).accepted === 1)
  } finally {
    ahead.mockRestore()
    stopping.abort()
    lane.wake()
    await running
  }
  expect((await campaignRow(one, id)).pauseReason).toBeNull()
})

test('parallel calls that fail one after another make the channel rest once', async () => {
  const id = await campaign(2)
  let calls = 0
  const lane = createLane(
    one.services,
    {
      channel: 'email',
      prepare: async () => ({ workers: 2 }),
      claim: (context, campaignId, most) => claimMails(context, campaignId, most),
      async call({ handoverId }) {
        const place = ++calls
        if (place > 2) return { kind: 'news', news: { id: handoverId, state: 'accepted', at: one.clock.now() } }
        await wait(place * 150)
        return { kind: 'down', words: 'no connection' }
      },
    },
    new AbortController().signal,
  )
  await lane.run({ untilIdle: true })
  expect(calls).toBe(2)
  // The first rest lasts five seconds, a second one ten.
  const now = performance.now.bind(performance)
  const ahead = vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000)
  await lane.run({ untilIdle: true }).finally(() => ahead.mockRestore())
  expect(await statesOf(one, id)).toEqual({ accepted: 2 })
})

test('a channel that another server reaches is not down', async () => {
  const since = new Date(Date.now() - 60_000)
  await campaign(1)
  await sendDue(one.services)
  const waiting = await campaign(1)
  await pauseWaiting(two.services, 'email', '421 no answer', since)
  expect((await campaignRow(one, waiting)).state).toBe('running')
  await pauseWaiting(two.services, 'email', '421 no answer', new Date(Date.now() + 1_000))
  expect((await campaignRow(one, waiting)).state).toBe('paused')
})

test('a recipient of a cancelled campaign is not planned again after a temporary failure', async () => {
  answer = async (mail) => {
    await one.db.updateTable('campaigns').set({ state: 'cancelled', endedAt: new Date() }).execute()
    throw smtpFailure(451, `451 later ${mail.to}`)
  }
  const id = await campaign(1)
  await sendDue(one.services)
  expect(await statesOf(one, id)).toEqual({ failed: 1 })
})

test('a restored database pauses campaigns that were running or should have started since the backup', async () => {
  const running = await campaign(1)
  const past = await campaign(1, { state: 'scheduled', startsAt: new Date(Date.now() - 60_000) })
  const future = await campaign(1, { state: 'scheduled', startsAt: new Date(Date.now() + 3_600_000) })
  await one.owner.transaction().execute((tx) => pauseRestored(tx, new Date()))
  expect(await campaignRow(one, running)).toMatchObject({ state: 'paused', pauseReason: 'restored' })
  expect(await campaignRow(one, past)).toMatchObject({ state: 'paused', pauseReason: 'restored' })
  expect((await campaignRow(one, future)).state).toBe('scheduled')
  await sendDue(one.services)
  expect(mailbox.mails).toEqual([])
})

/** A mail that falls due shortly, long after its commit woke the senders. */
async function mailDueSoon() {
  const to = `${crypto.randomUUID()}@example.com`
  const id = await inTransaction(one.services, systemActor, (context) =>
    sendMail(context, { to, language: 'id', event: 'account-welcome', params: { name: 'Sari' } }),
  )
  await one.db
    .updateTable('handovers')
    .set({ dueAt: new Date(Date.now() + 1_500) })
    .where('messageId', '=', id)
    .execute()
  return to
}

test('a campaign whose row is locked for long delays no other campaign and no message', async () => {
  const done = await campaign(0)
  const scheduled = await campaign(1, { state: 'scheduled', startsAt: new Date(Date.now() + 1_500) })
  const to = await mailDueSoon()
  const lock = await one.owner.startTransaction().execute()
  await lock.selectFrom('campaigns').select('id').where('id', '=', done).forUpdate().execute()
  const sender = startSending(one.services)
  try {
    await until(() => mailbox.mails.some((mail) => mail.to === to))
    await until(async () => (await statesOf(one, scheduled)).accepted === 1)
  } finally {
    await lock.rollback().execute()
    await sender.stop()
  }
})

test('a campaign that cannot start delays no message', async () => {
  await campaign(1, { state: 'scheduled' })
  const to = await mailDueSoon()
  await sql`CREATE FUNCTION refuse_start() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no start'; END$$`.execute(
    one.owner,
  )
  await sql`CREATE TRIGGER refuse_start BEFORE UPDATE ON campaigns FOR EACH ROW EXECUTE FUNCTION refuse_start()`.execute(
    one.owner,
  )
  const sender = startSending(one.services)
  try {
    await until(() => mailbox.mails.some((mail) => mail.to === to))
  } finally {
    await sender.stop()
    await sql`DROP FUNCTION refuse_start CASCADE`.execute(one.owner)
  }
})

test('a pulse names only the channels with something due', async () => {
  await campaign(1)
  expect((await readPulse(one.services)).channels).toEqual(['email'])
  await one.db.deleteFrom('campaigns').execute()
  await mailDueSoon()
  expect((await readPulse(one.services)).channels).toEqual([])
  for (const app of [one, two]) app.clock.set(new Date(Date.now() + 60_000))
  expect((await readPulse(one.services)).channels).toEqual(['email'])
  await sendDue(one.services)
})
