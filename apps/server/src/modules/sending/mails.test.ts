import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Mail } from '#server/platform/mail.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import {
  aCampaign,
  campaignRow,
  handoversOf,
  recipientsOf,
  recordedMails,
  setLimits,
  smtpFailure,
  statesOf,
} from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendDue } from './sender.ts'

let t: TestApp
let staff: TestActor
let answer: (mail: Mail) => Promise<unknown> | unknown = () => undefined
const mailbox = recordedMails((mail) => answer(mail))
const morning = '2027-01-04T03:00:00Z'

beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport })
  staff = await asStaff(t)
})
afterAll(() => t.close())
afterEach(async () => {
  answer = () => undefined
  mailbox.mails.length = 0
  await t.db.deleteFrom('campaigns').execute()
  await t.db.deleteFrom('sendingPaces').execute()
  await t.db.deleteFrom('sendingCounts').execute()
  await t.db.deleteFrom('suppressedAddresses').execute()
  await t.db.deleteFrom('optOuts').execute()
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000, mailsPerDay: 20_000, quietHours: true })
})
const after = (seconds: number) => t.clock.set(new Date(t.clock.now().getTime() + seconds * 1_000))
const people = (count: number) => Array.from({ length: count }, () => ({}))
const campaign = (values: object = {}, recipients: object[] = people(3)) => {
  t.clock.set(morning)
  return aCampaign(t, { createdBy: staff.accountId, ...values }, recipients)
}

test('a campaign that is due starts, sends to everybody once and finishes', async () => {
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000 })
  const id = await campaign({ state: 'scheduled', startsAt: new Date('2027-01-04T04:00:00Z') })
  await sendDue(t.services)
  expect((await campaignRow(t, id)).state).toBe('scheduled')
  t.clock.set('2027-01-04T04:00:01Z')
  await sendDue(t.services)
  expect(await campaignRow(t, id)).toMatchObject({ state: 'finished', endedAt: new Date('2027-01-04T04:00:01Z') })
  expect(await statesOf(t, id)).toEqual({ accepted: 3 })
  const handovers = await handoversOf(t, id)
  expect(mailbox.mails.map(({ messageId }) => messageId).toSorted()).toEqual(handovers.map(({ id }) => id).toSorted())
  expect(mailbox.mails[0]).toMatchObject({ to: 'penerima-1@example.com', subject: 'Pengumuman untuk Penerima 1' })
  expect(mailbox.mails[0]!.headers).toBeUndefined()
  const entries = await t.owner.selectFrom('auditLog').select('action').where('subjectId', '=', id).execute()
  expect(entries.map(({ action }) => action).toSorted()).toEqual(['campaign.finish', 'campaign.start'])
})

test('marketing has an opt-out link in the text and a one-click header for mail programs', async () => {
  await campaign({ purpose: 'events' }, people(1))
  await sendDue(t.services)
  const [mail] = mailbox.mails
  const [, oneClick] = /^<(.+)>$/.exec(mail!.headers!['List-Unsubscribe']!)!
  expect(oneClick).toMatch(/^http:\/\/localhost:3000\/api\/opt-out\/[\w-]+\.[\w-]{20}$/)
  expect(mail!.headers!['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(mail!.text).toContain('/berhenti-pesan/')
})

test('recipients who opted out, bounced or lost their account after planning are skipped', async () => {
  const id = await campaign({ purpose: 'events' }, [
    {},
    { accountId: crypto.randomUUID() },
    { email: 'Berhenti@example.com' },
    { email: 'pantul@example.com' },
    {},
  ])
  const now = t.clock.now()
  await t.db
    .insertInto('optOuts')
    .values([
      { address: 'berhenti@example.com', purpose: 'events', source: 'link', createdAt: now },
      { address: '+6281200000005', purpose: 'events', source: 'word', createdAt: now },
      { address: 'penerima-1@example.com', purpose: 'admission', source: 'link', createdAt: now },
    ])
    .execute()
  await t.db
    .insertInto('suppressedAddresses')
    .values({ address: 'pantul@example.com', channel: 'email', reason: 'bounced', createdAt: now })
    .execute()
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state, reason }) => reason ?? state)).toEqual([
    'accepted',
    'no_address',
    'opted_out',
    'suppressed',
    'opted_out',
  ])
  expect(mailbox.mails).toHaveLength(1)
  expect((await campaignRow(t, id)).state).toBe('finished')
})

test('a service message is sent to people who opted out of marketing', async () => {
  const id = await campaign({}, people(1))
  await t.db
    .insertInto('optOuts')
    .values({ address: 'penerima-1@example.com', purpose: 'events', source: 'link', createdAt: t.clock.now() })
    .execute()
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ accepted: 1 })
})

test.each([
  ['a NUL character', '550 5.1.1 no\u0000body'],
  ['half a character at the end of what is stored', `550 5.1.1 ${'x'.repeat(289)}😀`],
  ['a thousand characters', `550 5.1.1 ${'x'.repeat(1_000)}`],
])("a mail server's answer with %s does not keep other answers from being recorded", async (_what, words) => {
  answer = ({ to }) => {
    if (to === 'penerima-1@example.com') throw smtpFailure(550, words)
  }
  const id = await campaign()
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ failed: 1, accepted: 2 })
  const [failed] = await recipientsOf(t, id)
  expect(failed!.detail).toContain('550 5.1.1')
})

test('a temporary refusal is retried after growing waits, a permanent one fails; a missing mailbox is suppressed', async () => {
  const refusals = new Map([
    ['penerima-1@example.com', smtpFailure(451, '451 4.7.1 greylisted')],
    ['penerima-2@example.com', smtpFailure(550, '550 5.7.1 policy')],
    ['penerima-3@example.com', smtpFailure(550, '550 5.1.1 no such user')],
  ])
  answer = (mail) => {
    const refusal = refusals.get(mail.to)
    if (refusal) throw refusal
  }
  const id = await campaign({}, people(3))
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state, reason, attempts }) => [state, reason, attempts])).toEqual([
    ['planned', null, 1],
    ['failed', 'refused', 1],
    ['failed', 'bounced', 1],
  ])
  expect(await t.db.selectFrom('suppressedAddresses').select(['address', 'reason']).execute()).toEqual([
    { address: 'penerima-3@example.com', reason: 'bounced' },
  ])
  after(29)
  await sendDue(t.services)
  expect((await recipientsOf(t, id))[0]).toMatchObject({ state: 'planned', attempts: 1 })
  after(2)
  await sendDue(t.services)
  expect((await recipientsOf(t, id))[0]).toMatchObject({ state: 'planned', attempts: 2 })
  refusals.clear()
  after(62)
  await sendDue(t.services)
  expect((await recipientsOf(t, id))[0]).toMatchObject({ state: 'accepted', attempts: 3 })
  expect((await campaignRow(t, id)).state).toBe('finished')
})

test('if a mail server refuses everything, recipients stay planned and the campaign pauses after five minutes', async () => {
  answer = () => {
    throw smtpFailure(535, '535 5.7.8 authentication failed', 'AUTH PLAIN')
  }
  const id = await campaign()
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ planned: 3 })
  expect(await handoversOf(t, id)).toEqual([])
  expect((await recipientsOf(t, id)).map(({ attempts }) => attempts)).toEqual([0, 0, 0])
  expect((await campaignRow(t, id)).state).toBe('running')
})

test('a mail whose connection breaks after it began is uncertain and never sent again', async () => {
  answer = () => {
    throw Object.assign(new Error('Connection closed unexpectedly'), {
      code: 'ECONNECTION',
      command: 'CONN',
      hasBegun: true,
    })
  }
  const id = await campaign({}, people(1))
  await sendDue(t.services)
  answer = () => undefined
  after(7_200)
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ uncertain: 1 })
  expect(mailbox.mails).toEqual([])
  expect((await campaignRow(t, id)).state).toBe('finished')
})

test('mails of a process that died between claim and call are uncertain once the lease ends', async () => {
  let died = () => {}
  const dying = new Promise<void>((resolve) => {
    died = resolve
  })
  answer = () => {
    died()
    return new Promise(() => {})
  }
  const id = await campaign({}, people(2))
  // Like a killed process: the call is never answered and the run never ends.
  const killed = new AbortController()
  void sendDue(t.services, killed.signal)
  await dying
  killed.abort()
  expect(await statesOf(t, id)).toEqual({ handed: 2 })
  answer = () => undefined
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ handed: 2 })
  after(301)
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ uncertain: 2 })
  expect(mailbox.mails).toEqual([])
})

test("a campaign to the whole university pauses once its maker's role is limited to some study programmes", async () => {
  const limited = await asWithPermissions(t, ['marketing-kirim-informasi-view'], {
    programmeIds: [(await academicOf(t)).programmes[0]!],
  })
  const id = await campaign({ createdBy: limited.accountId, audience: 'leads', purpose: 'events' })
  await sendDue(t.services)
  expect(await campaignRow(t, id)).toMatchObject({ state: 'paused', pauseReason: 'rights_lost' })
})

test("recipients who left the maker's study programmes after the release are skipped; the others are sent to", async () => {
  const [stays, leaves] = [
    await aRegistration(t, { status: 'submitted' }),
    await aRegistration(t, { status: 'submitted' }),
  ]
  const programmeId = stays.academic.programmes.find((id) => !leaves.choices.includes(id))!
  await t.db.updateTable('registrations').set({ programmeId }).where('id', '=', leaves.id).execute()
  const limited = await asWithPermissions(t, ['kirim-informasi-view'], { programmeIds: stays.choices })
  const id = await campaign({ createdBy: limited.accountId }, [
    { registrationId: leaves.id },
    { registrationId: stays.id },
  ])
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state, reason }) => reason ?? state)).toEqual(['out_of_scope', 'accepted'])
  expect((await campaignRow(t, id)).state).toBe('finished')
})

test('a campaign to registrations pauses once its maker sees none of its recipients', async () => {
  const registration = await aRegistration(t, { status: 'submitted' })
  const others = (await academicOf(t)).programmes.filter((id) => !registration.choices.includes(id))
  const limited = await asWithPermissions(t, ['kirim-informasi-view'], { programmeIds: [others[0]!] })
  const id = await campaign({ createdBy: limited.accountId }, [{ registrationId: registration.id }])
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ planned: 1 })
  expect(await campaignRow(t, id)).toMatchObject({ state: 'paused', pauseReason: 'rights_lost' })
})

test('a campaign pauses once its maker lost the permission', async () => {
  const stranger = await asStaff(t)
  const id = await campaign({ createdBy: stranger.accountId })
  await t.owner.updateTable('accounts').set({ active: false }).where('id', '=', stranger.accountId).execute()
  await sendDue(t.services)
  expect(await campaignRow(t, id)).toMatchObject({ state: 'paused', pauseReason: 'rights_lost' })
  expect(mailbox.mails).toEqual([])
})

test("during a recipient's quiet hours only campaigns that ignore them are sent; the others follow from 07.00", async () => {
  // 20:30 in Makassar, in quiet hours; 19:30 in Jakarta, before them.
  const id = await campaign({}, [{ timeZone: 'Asia/Jakarta' }, { timeZone: 'Asia/Makassar' }])
  t.clock.set('2027-01-04T12:30:00Z')
  await sendDue(t.services)
  const [near, far] = await recipientsOf(t, id)
  expect([near!.state, far!.state]).toEqual(['accepted', 'planned'])
  const seven = Date.parse('2027-01-04T23:00:00Z')
  expect(far!.dueAt!.getTime()).toBeGreaterThanOrEqual(seven)
  expect(far!.dueAt!.getTime()).toBeLessThan(seven + 900_000)
  t.clock.set('2027-01-04T23:15:00Z')
  await sendDue(t.services)
  expect(await statesOf(t, id)).toEqual({ accepted: 2 })

  const urgent = await campaign({ ignoresQuietHours: true }, people(1))
  t.clock.set('2027-01-05T18:30:00Z')
  await sendDue(t.services)
  expect(await statesOf(t, urgent)).toEqual({ accepted: 1 })
})

test('an inbox message does not wait for quiet hours to end', async () => {
  const id = await campaign({ channels: ['email', 'inbox'] }, [
    {},
    { channels: ['inbox'], accountId: staff.accountId, email: null },
  ])
  t.clock.set('2027-01-06T18:30:00Z')
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state }) => state)).toEqual(['planned', 'delivered'])
})

test('no minute exceeds the limits of the mail server and of a domain', async () => {
  await setLimits(t, { mailsPerMinute: 30, mailsPerMinutePerDomain: 10 })
  const id = await campaign(
    {},
    Array.from({ length: 60 }, (_, index) => ({
      email: index < 40 ? `orang-${index}@besar.example` : `orang-${index}@kecil-${index % 4}.example`,
    })),
  )
  const times: { at: number; to: string }[] = []
  answer = (mail) => void times.push({ at: t.clock.now().getTime(), to: mail.to })
  for (let half = 0; half < 900 && (await campaignRow(t, id)).state === 'running'; half++) {
    await sendDue(t.services)
    after(0.5)
  }
  expect(await statesOf(t, id)).toEqual({ accepted: 60 })
  const most = (of: { at: number }[]) =>
    Math.max(...of.map(({ at }) => of.filter((one) => one.at >= at && one.at < at + 60_000).length))
  expect(most(times)).toBeLessThanOrEqual(30)
  expect(most(times.filter(({ to }) => to.endsWith('@besar.example')))).toBeLessThanOrEqual(10)
  // Forty mails to one domain need four minutes; other domains do not wait for them.
  const last = Math.max(...times.filter(({ to }) => !to.endsWith('@besar.example')).map(({ at }) => at))
  expect(last - Date.parse(morning)).toBeLessThan(120_000)
  expect(times.at(-1)!.at - Date.parse(morning)).toBeLessThan(330_000)
}, 120_000)

test.each([
  ['at a slow pace', 10, 0.5],
  ['at the usual pace', 120, 0.5],
  ['with a pace of two looks', 61, 0.5],
])(
  'a few recipients do not wait for an earlier large campaign to their domain, %s',
  async (_pace, perMinute, look) => {
    await setLimits(t, { mailsPerMinute: 1_000, mailsPerMinutePerDomain: perMinute })
    const recipients = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@besar.example` }))
    const large = await campaign({}, recipients(perMinute * 8, 'banyak'))
    const minutes = async (count: number) => {
      for (let passed = 0; passed < count * 60; passed += look) {
        await sendDue(t.services)
        after(look)
      }
    }
    await minutes(0.5)
    const small = await aCampaign(t, { createdBy: staff.accountId }, recipients(3, 'sedikit'))
    await minutes(2)
    expect(await statesOf(t, small)).toEqual({ accepted: 3 })
    // The large campaign uses the rest of the pace.
    expect((await statesOf(t, large)).accepted).toBeGreaterThanOrEqual(2 * perMinute)
  },
  180_000,
)

test('no day exceeds the limit of mails', async () => {
  await setLimits(t, { mailsPerDay: 4 })
  const id = await campaign({}, people(6))
  for (let minute = 0; minute < 5; minute++) {
    await sendDue(t.services)
    after(60)
  }
  expect(await statesOf(t, id)).toEqual({ accepted: 4, planned: 2 })
  // A day is counted in ten-minute buckets, so it ends up to ten minutes late.
  after(86_400 + 600)
  for (let minute = 0; minute < 5; minute++) {
    await sendDue(t.services)
    after(60)
  }
  expect(await statesOf(t, id)).toEqual({ accepted: 6 })
})
