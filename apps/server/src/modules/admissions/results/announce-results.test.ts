import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cleanUpJob } from '#server/platform/clean-up.job.ts'
import { getSettings } from '#server/platform/settings.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { academicOf, aRegistration, officerOf, publish } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { announceResultsJob } from './announce-results.job.ts'
import { acceptRegistration, rejectRegistration, revertDecision } from './decide-registration.ts'

let t: TestApp
let now: Date
beforeAll(async () => {
  t = await testApp()
  now = t.clock.now()
})
afterEach(() => t.clock.set(now))
afterAll(() => t?.close())

const dayMs = 86_400_000
const advanceClock = (ms: number) => t.clock.set(new Date(t.clock.now().getTime() + ms))
const announce = async (trackId: string) => {
  const { wave } = await academicOf(t)
  return announceResultsJob.run(t.services, { waveId: wave, trackId })
}
const resultsTo = async (accountId: string) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', accountId)
      .where('channel', '=', 'inbox')
      .where('event', 'in', ['registration-accepted', 'registration-not-accepted'])
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)

test('after old messages are deleted, a late decision is announced to its own applicant only', async () => {
  const early = await aRegistration(t, { status: 'decided' })
  const late = await aRegistration(t, { status: 'verified' })
  const { trackId } = early
  await publish(t, trackId)
  await announce(trackId)
  expect(await resultsTo(early.applicant.accountId)).toEqual(['registration-accepted'])
  await t.runJobs()
  const { keepMessagesDays } = await getSettings(t.db)
  advanceClock((keepMessagesDays + 1) * dayMs)
  await t.db.updateTable('messages').set({ status: 'sent' }).execute()
  await cleanUpJob.run(t.services, {})
  expect(await resultsTo(early.applicant.accountId)).toEqual([])
  const officer = await officerOf(t)
  const place = { programmeId: late.choices[0]!, consent: false }
  await inTransaction(t.services, officer, (context) => acceptRegistration(context, late.id, place))
  await announce(trackId)
  expect(await resultsTo(late.applicant.accountId)).toEqual(['registration-accepted'])
  expect(await resultsTo(early.applicant.accountId)).toEqual([])
})

test('a decision made again after a reversal is announced again, even if it is the same', async () => {
  const { id, applicant, trackId, choices } = await aRegistration(t, { status: 'decided' })
  await publish(t, trackId)
  await announce(trackId)
  const officer = await officerOf(t)
  const decideAnew = async (decide: () => Promise<void>) => {
    advanceClock(1000)
    await decide()
    await announce(trackId)
  }
  await decideAnew(() =>
    inTransaction(t.services, officer, async (context) => {
      await revertDecision(context, id, 'keliru')
      await rejectRegistration(context, id, 'keliru')
    }),
  )
  await decideAnew(() =>
    inTransaction(t.services, officer, async (context) => {
      await revertDecision(context, id, 'keliru')
      await acceptRegistration(context, id, { programmeId: choices[0]!, consent: false })
    }),
  )
  await announce(trackId)
  expect(await resultsTo(applicant.accountId)).toEqual([
    'registration-accepted',
    'registration-not-accepted',
    'registration-accepted',
  ])
})

test('two announcing jobs at once notify every applicant once', async () => {
  const registrations = await Promise.all([1, 2, 3].map(() => aRegistration(t, { status: 'decided' })))
  const { trackId } = registrations[0]!
  await publish(t, trackId)
  await Promise.all([announce(trackId), announce(trackId)])
  for (const { applicant } of registrations)
    expect(await resultsTo(applicant.accountId)).toEqual(['registration-accepted'])
})
