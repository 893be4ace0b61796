import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { handleStopWord, isStopWord } from '#server/modules/campaigns/addresses/stop-word.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aCampaign, handoversOf, recipientsOf, recordedMails, setLimits } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { forgetCountsJob } from './forget-counts.job.ts'
import { sendDue } from './sender.ts'

let t: TestApp
let staff: TestActor
const mailbox = recordedMails()
const secret = 'a secret of the mail service'

beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport, config: { mailReportSecret: secret } })
  t.clock.set('2027-01-04T03:00:00Z')
  staff = await asStaff(t)
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000 })
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.db.deleteFrom('suppressedAddresses').execute()
  await t.db.deleteFrom('sendingPaces').execute()
})

const report = (reports: unknown[], token = secret) =>
  t.app.inject({
    method: 'POST',
    url: '/api/mail-reports',
    headers: { authorization: `Bearer ${token}` },
    payload: { reports },
  })
const suppressed = () =>
  t.db.selectFrom('suppressedAddresses').select(['address', 'reason']).orderBy('address').execute()

async function sentTo(count: number, channels: ('email' | 'inbox')[] = ['email']) {
  const id = await aCampaign(
    t,
    { createdBy: staff.accountId, channels },
    Array.from({ length: count }, () => ({ accountId: staff.accountId })),
  )
  await sendDue(t.services)
  return { id, handovers: await handoversOf(t, id) }
}

test('a bounce fails its recipient and suppresses the address; a complaint ends all channels', async () => {
  const { id, handovers } = await sentTo(5, ['email', 'inbox'])
  const idOf = (index: number) => `<${handovers[index]!.id}@kampus.example>`
  const answer = await report([
    { kind: 'bounce', messageId: idOf(0), detail: '550 5.1.1 unknown user' },
    { kind: 'bounce', messageId: idOf(1), permanent: false, detail: '452 4.2.2 full' },
    { kind: 'complaint', messageId: idOf(2) },
    { kind: 'delivered', messageId: idOf(3).slice(1, -1) },
    { kind: 'bounce', messageId: idOf(4), detail: '554 5.7.1 policy' },
    { kind: 'bounce', address: 'Lain@Example.com' },
    { kind: 'opened', messageId: idOf(3) },
    { kind: 'bounce', address: 'a\u0000b@example.com' },
    null,
  ])
  expect([answer.statusCode, answer.json()]).toEqual([200, { data: { taken: 6, unreadable: 3 } }])
  expect(await suppressed()).toEqual([
    { address: 'lain@example.com', reason: 'bounced' },
    { address: 'penerima-1@example.com', reason: 'bounced' },
    { address: 'penerima-3@example.com', reason: 'complained' },
  ])
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state, reason, channels }) => [reason ?? state, channels[0]])).toEqual([
    ['delivered', 'inbox'],
    ['accepted', 'email'],
    ['complained', 'email'],
    ['delivered', 'email'],
    ['delivered', 'inbox'],
  ])
})

test('a report whose detail would be cut within a character is stored', async () => {
  const answer = await report([{ kind: 'complaint', address: 'kata@example.com', detail: `${'x'.repeat(299)}😀` }])
  expect([answer.statusCode, await suppressed()]).toEqual([
    200,
    [{ address: 'kata@example.com', reason: 'complained' }],
  ])
})

test.each(['<rina@example.com>', 'Rina <Rina@example.com>', 'mailto:rina@example.com'])(
  'a complaint from %s suppresses the bare address',
  async (address) => {
    await report([{ kind: 'complaint', address }])
    expect(await suppressed()).toEqual([{ address: 'rina@example.com', reason: 'complained' }])
  },
)

test('a report with an invalid address is unreadable, unless it names a mail of a campaign', async () => {
  const { handovers } = await sentTo(1)
  const complaint = { kind: 'complaint', address: 'rina@@example.com' }
  const answer = await report([complaint, { ...complaint, messageId: `<${handovers[0]!.id}@kampus.example>` }])
  expect(answer.json()).toEqual({ data: { taken: 1, unreadable: 1 } })
  expect(await suppressed()).toEqual([{ address: 'penerima-1@example.com', reason: 'complained' }])
})

test('a repeated report changes nothing', async () => {
  const { id, handovers } = await sentTo(1)
  const bounce = { kind: 'bounce', messageId: `${handovers[0]!.id}@x.example`, detail: '5.1.1' }
  await report([bounce, bounce])
  await report([bounce])
  expect(await recipientsOf(t, id)).toMatchObject([{ state: 'failed', reason: 'bounced' }])
  expect(await suppressed()).toHaveLength(1)
})

test('only the mail service can report', async () => {
  expect((await report([], 'another secret of somebody')).statusCode).toBe(401)
  expect((await report('no list' as never)).statusCode).toBe(400)
  const closed = await testApp({ sameDatabaseAs: t })
  const answer = await closed.app.inject({ method: 'POST', url: '/api/mail-reports', payload: { reports: [] } })
  expect(answer.statusCode).toBe(404)
  await closed.close()
})

test.each([
  ['STOP', true],
  [' Berhenti. ', true],
  ['"stop"!', true],
  ['Stop promosi', true],
  ['Kapan pendaftaran berhenti?', false],
  ['nonstop', false],
  ['', false],
])('%s is a stop word: %s', (text, expected) => {
  expect(isStopWord(text)).toBe(expected)
})

test('a stop word opts the number out of all marketing, once', async () => {
  const received = { phone: '+6281200077777', text: 'Berhenti', at: t.clock.now() }
  const take = (text: string) => t.db.transaction().execute((tx) => handleStopWord(tx, { ...received, text }))
  expect([await take('halo'), await take('Berhenti'), await take('STOP')]).toEqual([false, true, true])
  const optOuts = await t.db
    .selectFrom('optOuts')
    .select(['purpose', 'source'])
    .where('address', '=', received.phone)
    .execute()
  expect(optOuts.toSorted((one, other) => (one.purpose < other.purpose ? -1 : 1))).toEqual([
    { purpose: 'admission', source: 'word' },
    { purpose: 'events', source: 'word' },
  ])
})

test('an opt-out for an address that only the account has skips the planned message', async () => {
  const { applicant } = await aRegistration(t)
  const applicantPhone = '+6281200077781'
  const { accountId } = applicant
  await t.db.updateTable('applicants').set({ phone: applicantPhone }).where('accountId', '=', accountId).execute()
  const { emailLower } = await t.db
    .selectFrom('accounts')
    .select('emailLower')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  for (const address of [emailLower, applicantPhone]) {
    const createdAt = t.clock.now()
    await t.db.insertInto('optOuts').values({ address, purpose: 'events', source: 'link', createdAt }).execute()
    const recipient = { accountId, email: 'lama@example.com', phone: '+6281200077782' }
    const campaign = { createdBy: staff.accountId, channels: ['email' as const, 'inbox' as const] }
    const id = await aCampaign(t, { ...campaign, purpose: 'events' }, [recipient])
    const other = await aCampaign(t, { ...campaign, purpose: 'admission' }, [recipient])
    await sendDue(t.services)
    expect(await recipientsOf(t, id), address).toMatchObject([{ state: 'skipped', reason: 'opted_out' }])
    expect(await recipientsOf(t, other), address).toMatchObject([{ state: 'accepted' }])
    await t.db.deleteFrom('optOuts').where('address', '=', address).execute()
  }
})

test('without a mail server, mails appear in the outbox', async () => {
  const demo = await testApp({ sameDatabaseAs: t })
  demo.clock.set(t.clock.now())
  const id = await aCampaign(demo, { createdBy: staff.accountId, purpose: 'events' }, [{ email: 'outbox@example.com' }])
  await sendDue(demo.services)
  expect(await recipientsOf(t, id)).toMatchObject([{ state: 'accepted' }])
  const message = await t.db
    .selectFrom('messages')
    .selectAll()
    .where('toAddress', '=', 'outbox@example.com')
    .executeTakeFirstOrThrow()
  expect(message).toMatchObject({ status: 'sent', subject: 'Pengumuman untuk Penerima 1' })
  expect(message.body).toContain('/berhenti-pesan/')
  await demo.close()
})

test('old counts are deleted', async () => {
  const at = new Date(t.clock.now().getTime() - 3 * 86_400_000)
  await t.db.insertInto('sendingCounts').values({ name: 'mail', at, taken: 1 }).execute()
  const campaignId = await aCampaign(t, { createdBy: staff.accountId, state: 'finished' }, [])
  const soon = new Date(t.clock.now().getTime() + 60_000)
  await t.db
    .insertInto('campaignDomains')
    .values([
      { campaignId, domain: 'lama.example', postponedTo: at },
      { campaignId, domain: 'baru.example', postponedTo: soon },
    ])
    .execute()
  await forgetCountsJob.run(t.services, {})
  expect(await t.db.selectFrom('campaignDomains').select('domain').execute()).toEqual([{ domain: 'baru.example' }])
  expect(await t.db.selectFrom('sendingCounts').select('name').where('at', '=', at).execute()).toEqual([])
})
