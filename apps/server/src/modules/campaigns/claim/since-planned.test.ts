import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { forgetCampaignsJob } from '#server/modules/campaigns/forget-campaigns.job.ts'
import { sendDue } from '#server/modules/sending/sender.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aPlanned, takeStep } from '#server-test/factories/campaigns.ts'
import { aPublishedEvent } from '#server-test/factories/events.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { aCampaign, recipientsOf, recordedMails, setLimits } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
const mailbox = recordedMails()
const now = new Date('2027-01-04T03:00:00Z')

beforeAll(async () => {
  t = await testApp({ mail: mailbox.transport })
  t.clock.set(now)
  staff = await asStaff(t)
  await setLimits(t, { mailsPerMinute: 60_000, mailsPerMinutePerDomain: 60_000 })
})
afterAll(() => t.close())
afterEach(() => {
  mailbox.mails.length = 0
})

const outcomesOf = async (campaignId: string) =>
  (await recipientsOf(t, campaignId)).map(({ state, reason }) => reason ?? state)

test('leads who were forgotten or said no after planning are skipped', async () => {
  const [stays, forgotten, uninterested] = [await aLead(t), await aLead(t), await aLead(t)]
  const id = await aCampaign(
    t,
    { createdBy: staff.accountId, audience: 'leads', purpose: 'admission' },
    [stays, forgotten, uninterested].map((lead) => ({ sourceId: lead })),
  )
  expect((await staff.post(`/marketing/prospek/${forgotten}/deletion`, { cause: 'asked' })).statusCode).toBe(200)
  await t.db.updateTable('leads').set({ stage: 'not_interested' }).where('id', '=', uninterested).execute()
  await sendDue(t.services)
  expect(await outcomesOf(id)).toEqual(['accepted', 'no_address', 'opted_out'])
  expect(mailbox.mails.map(({ to }) => to)).toEqual(['penerima-1@example.com'])
})

test('a merged lead is sent to unless the lead it was merged into was deleted or said no', async () => {
  const keepers = [await aLead(t), await aLead(t), await aLead(t)]
  const merged = [await aLead(t), await aLead(t), await aLead(t)]
  const id = await aCampaign(
    t,
    { createdBy: staff.accountId, audience: 'leads', purpose: 'admission' },
    merged.map((lead) => ({ sourceId: lead })),
  )
  for (const [index, keeper] of keepers.entries())
    expect((await staff.post(`/marketing/prospek/${keeper}/merge`, { otherId: merged[index]! })).statusCode).toBe(200)
  await t.db.updateTable('leads').set({ stage: 'not_interested' }).where('id', '=', keepers[1]!).execute()
  expect((await staff.post(`/marketing/prospek/${keepers[2]}/deletion`, { cause: 'asked' })).statusCode).toBe(200)
  await sendDue(t.services)
  expect(await outcomesOf(id)).toEqual(['accepted', 'opted_out', 'no_address'])
})

test('an account that opted out under an earlier address is neither planned nor sent to', async () => {
  const { applicant, code, id: registrationId } = await aRegistration(t)
  const { accountId } = applicant
  const filters = { q: code }
  expect((await aPlanned(staff, { purpose: 'events', filters })).reachable).toBe(1)
  const id = await aCampaign(t, { createdBy: staff.accountId, purpose: 'events' }, [{ accountId, registrationId }])
  const choice = { address: 'dulu@example.com', purpose: 'events' as const, source: 'preferences' as const }
  await t.db
    .insertInto('optOuts')
    .values({ ...choice, createdBy: accountId, createdAt: t.clock.now() })
    .execute()
  await sendDue(t.services)
  expect(await outcomesOf(id)).toEqual(['opted_out'])
  expect((await aPlanned(staff, { purpose: 'events', filters })).reachable).toBe(0)
})

test('the nightly job forgets the same people whom sending skips as gone', async () => {
  const [stays, forgotten] = [await aLead(t), await aLead(t)]
  const id = await aCampaign(t, { createdBy: staff.accountId, audience: 'leads', state: 'paused' }, [
    { sourceId: stays },
    { sourceId: forgotten },
    { sourceId: stays, accountId: crypto.randomUUID() },
  ])
  await t.db.deleteFrom('leads').where('id', '=', forgotten).execute()
  await forgetCampaignsJob.run(t.services, {} as never)
  expect((await recipientsOf(t, id)).map(({ email }) => email)).toEqual(['penerima-1@example.com', null, null])
  await t.db.updateTable('campaigns').set({ state: 'running' }).where('id', '=', id).execute()
  await sendDue(t.services)
  expect(await outcomesOf(id)).toEqual(['accepted', 'no_address', 'no_address'])
})

test('a registration that ended after planning is skipped; one that had ended before planning is sent to', async () => {
  const [stays, leaves, left] = [await aRegistration(t), await aRegistration(t), await aRegistration(t)]
  const end = (id: string, closedAt: Date) =>
    t.db.updateTable('registrations').set({ status: 'withdrawn', closedAt }).where('id', '=', id).execute()
  await end(left.id, new Date(now.getTime() - 1_000))
  const id = await aCampaign(
    t,
    { createdBy: staff.accountId },
    [stays, leaves, left].map((registration) => ({ registrationId: registration.id })),
  )
  t.clock.set(new Date(now.getTime() + 60_000))
  await end(leaves.id, t.clock.now())
  await sendDue(t.services)
  expect(await outcomesOf(id)).toEqual(['accepted', 'registration_ended', 'accepted'])
})

test('a registration that ends in a transaction open during planning is skipped', async () => {
  const leaves = await aRegistration(t)
  const closedAt = t.clock.now()
  const planned = await t.owner.transaction().execute(async (tx) => {
    await tx.updateTable('registrations').set({ status: 'withdrawn', closedAt }).where('id', '=', leaves.id).execute()
    t.clock.set(new Date(closedAt.getTime() + 5_000))
    return aPlanned(staff, { filters: { q: leaves.code } })
  })
  await takeStep(staff, planned, 'release', { startsAt: null })
  await sendDue(t.services)
  expect(await outcomesOf(planned.id)).toEqual(['registration_ended'])
})

test('a registration that ended before planning is sent to', async () => {
  const left = await aRegistration(t)
  const ended = { status: 'withdrawn' as const, closedAt: t.clock.now() }
  await t.db.updateTable('registrations').set(ended).where('id', '=', left.id).execute()
  const planned = await aPlanned(staff, { filters: { q: left.code } })
  await takeStep(staff, planned, 'release', { startsAt: null })
  await sendDue(t.services)
  expect(await outcomesOf(planned.id)).toEqual(['accepted'])
})

test('a visitor who cancelled after planning is skipped', async () => {
  const event = await aPublishedEvent(t, staff)
  const visitor = {
    ...{ id: crypto.randomUUID(), eventId: event.id, sessionId: event.sessions[0]!, code: '0123456789' },
    ...{ name: 'Ayu', nameKey: 'ayu', language: 'id' as const, phone: '+628120002001', email: 'ayu@example.com' },
    ...{ state: 'registered' as const, createdAt: t.clock.now(), consentedAt: t.clock.now(), consentText: 'Ya' },
  }
  await t.db
    .insertInto('eventVisitors')
    .values(visitor as never)
    .execute()
  const campaign = { createdBy: staff.accountId, audience: 'visitors' as const }
  const id = await aCampaign(t, campaign, [{ sourceId: visitor.id }])
  t.clock.set(new Date(t.clock.now().getTime() + 60_000))
  await t.db
    .updateTable('eventVisitors')
    .set({ state: 'cancelled', cancelledAt: t.clock.now() })
    .where('id', '=', visitor.id)
    .execute()
  await sendDue(t.services)
  expect((await recipientsOf(t, id)).map(({ state }) => state)).toEqual(['skipped'])
})
