import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { readCampaign } from '#server-test/factories/campaigns.ts'
import { aCampaign } from '#server-test/factories/sending.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
const evening = '2027-01-04T15:00:00.000Z'
const endOfQuiet = '2027-01-05T00:00:00.000Z'
const morning = '2027-01-05T03:00:00.000Z'

beforeAll(async () => {
  t = await testApp()
  t.clock.set(evening)
  staff = await asStaff(t)
})
afterAll(() => t.close())

/** Creates a running campaign with one recipient, due at `dueAt`, and reads it as staff. */
async function runningDueAt(dueAt: string, change: object = {}) {
  const id = await aCampaign(t, { createdBy: staff.accountId, ...change }, [{}])
  await t.db.updateTable('campaignRecipients').set({ dueAt }).where('campaignId', '=', id).execute()
  return readCampaign(staff, id)
}

test('a running campaign with due recipients names no time for its next message', async () => {
  expect(await runningDueAt(evening, { ignoresQuietHours: true })).toMatchObject({ nextAt: null, quietUntil: null })
})

test('a running campaign whose recipients all wait names the time of its next message and ends after it', async () => {
  const { nextAt, forecast } = await runningDueAt(morning, { ignoresQuietHours: true })
  expect(nextAt).toBe(morning)
  expect(forecast.endsAt >= morning).toBe(true)
})

test('the end of the quiet hours is shown only if nothing else delays the next message longer', async () => {
  expect((await runningDueAt(evening)).quietUntil).toBe(endOfQuiet)
  expect((await runningDueAt(endOfQuiet)).quietUntil).toBe(endOfQuiet)
  expect(await runningDueAt(morning)).toMatchObject({ quietUntil: null, nextAt: morning })
})
