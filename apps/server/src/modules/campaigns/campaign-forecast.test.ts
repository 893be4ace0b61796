import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { readCampaign } from '#server-test/factories/campaigns.ts'
import { aCampaign } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  // 20:15 in Makassar, within quiet hours, and 19:15 in Jakarta, before them.
  t.clock.set('2027-10-12T12:15:00Z')
  staff = await asStaff(t)
})
afterAll(() => t.close())

const central = { timeZone: 'Asia/Makassar' }
const minuteAfter = (time: string) => [time, new Date(Date.parse(time) + 60_000).toISOString()] as const
function expectEnd(forecast: { endsAt: string }, time: string) {
  const [from, until] = minuteAfter(time)
  expect(forecast.endsAt >= from && forecast.endsAt <= until, forecast.endsAt).toBe(true)
}

test("the forecast ends in the morning of the recipients' time zone, not of the university's", async () => {
  const id = await aCampaign(t, { createdBy: staff.accountId }, [central, central])
  const { forecast, quietUntil } = await readCampaign(staff, id)
  expect(quietUntil).toBe('2027-10-12T23:00:00.000Z')
  expect(forecast).toMatchObject({ limit: 'quiet_hours', quietUntil })
  expectEnd(forecast, '2027-10-12T23:00:00.000Z')
})

test('a campaign in several time zones starts at once and ends with the last zone', async () => {
  const id = await aCampaign(t, { createdBy: staff.accountId }, [{}, central])
  const { forecast, quietUntil } = await readCampaign(staff, id)
  expect([quietUntil, forecast.quietUntil]).toEqual([null, null])
  expectEnd(forecast, '2027-10-12T23:00:00.000Z')
})

test('the forecast does not end before the earliest recipient is due', async () => {
  const dueAt = new Date('2027-10-12T12:40:00Z')
  const id = await aCampaign(t, { createdBy: staff.accountId }, [{ dueAt }])
  expectEnd((await readCampaign(staff, id)).forecast, '2027-10-12T12:40:00.000Z')
})

test('an unsent campaign has a forecast for any start', async () => {
  const id = await aCampaign(t, { createdBy: staff.accountId, state: 'planned' }, [{}, central])
  const at = async (startsAt?: string) =>
    (await staff.get(`/kirim-informasi/campaigns/${id}/forecast${startsAt ? `?startsAt=${startsAt}` : ''}`)).json().data
  expectEnd(await at(), '2027-10-12T23:00:00.000Z')
  expectEnd(await at('2027-10-01T03:00:00Z'), '2027-10-12T23:00:00.000Z')
  const noon = await at('2027-10-14T05:00:00Z')
  expect(noon.quietUntil).toBeNull()
  expectEnd(noon, '2027-10-14T05:00:00.000Z')
  const midnight = await at('2027-10-14T17:00:00Z')
  expect(midnight.quietUntil).toBe('2027-10-14T23:00:00.000Z')
  expectEnd(midnight, '2027-10-15T00:00:00.000Z')
  const stranger = await asWithPermissions(t, ['marketing-kirim-informasi-view'])
  expect((await stranger.get(`/kirim-informasi/campaigns/${id}/forecast`)).statusCode).toBe(404)
  expect((await staff.get(`/kirim-informasi/campaigns/${id}/forecast?startsAt=besok`)).statusCode).toBe(422)
  await t.db.updateTable('campaigns').set({ state: 'draft' }).where('id', '=', id).execute()
  expect(await at()).toBeNull()
})

test('skipped recipients are counted by reason alone, whatever channels they had left', async () => {
  const id = await aCampaign(t, { createdBy: staff.accountId, state: 'cancelled' }, [
    ...[{ channels: ['whatsapp', 'email'] as const }, { channels: ['email'] as const }, {}],
  ] as never)
  await t.db
    .updateTable('campaignRecipients')
    .set({ state: 'skipped', reason: 'cancelled', dueAt: null })
    .where('campaignId', '=', id)
    .execute()
  expect((await readCampaign(staff, id)).counts).toEqual([
    { state: 'skipped', channel: null, reason: 'cancelled', people: 3 },
  ])
})

test('a start in the year 9999 gets 422, as for a release', async () => {
  const id = await aCampaign(t, { createdBy: staff.accountId, state: 'planned' }, [{}])
  const answer = await staff.get(`/kirim-informasi/campaigns/${id}/forecast?startsAt=9999-12-31T23:59:59Z`)
  expect(answer.statusCode).toBe(422)
})
