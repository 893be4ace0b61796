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

/** A running campaign with one recipient who is due at a time. */
async function runningDueAt(dueAt: string, change: object = {}) {
  const id = await aCampaign(t, { createdBy: staff.accountId, ...change }, [{}])
  await t.db.updateTable('campaignRecipients').set({ dueAt }).where('campaignId', '=', id).execute()
  return readCampaign(staff, id)
}

test('a running campaign whose people are due now does not say when the next message leaves', async () => {
  expect(await runningDueAt(evening, { ignoresQuietHours: true })).toMatchObject({ nextAt: null, quietUntil: null })
})

test('one whose people all wait for a later time says so, and ends after that', async () => {
  const { nextAt, forecast } = await runningDueAt(morning, { ignoresQuietHours: true })
  expect(nextAt).toBe(morning)
  expect(forecast.endsAt >= morning).toBe(true)
})

test('the quiet hours are named as long as nothing else delays the next message for longer', async () => {
  expect((await runningDueAt(evening)).quietUntil).toBe(endOfQuiet)
  expect((await runningDueAt(endOfQuiet)).quietUntil).toBe(endOfQuiet)
  expect(await runningDueAt(morning)).toMatchObject({ quietUntil: null, nextAt: morning })
})
