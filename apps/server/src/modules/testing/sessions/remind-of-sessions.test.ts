import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestTaker, takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { remindOfSessionsJob } from './remind-of-sessions.job.ts'

const now = new Date('2026-11-20T03:00:00Z')
// The session starts at 13.00 in Jakarta, ten days later.
const start = new Date('2026-11-30T06:00:00Z')
const before = (hours: number) => new Date(start.getTime() - hours * 3_600_000)

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, now)
})
afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

const run = () => remindOfSessionsJob.run(t.services, {})
const runAt = (time: Date) => {
  t.clock.set(time)
  return run()
}
const booked = async (values?: Record<string, unknown>, status = 'submitted') => {
  t.clock.set(now)
  const taker = await testTaker(t, academic, { status })
  await takeSeat(taker, await testSession(t.db, academic, now, values))
  return taker
}
const remindersOf = async ({ actor }: TestTaker) =>
  (
    await t.db
      .selectFrom('messages')
      .select('id')
      .where('accountId', '=', actor.accountId)
      .where('event', '=', 'test-reminder')
      .where('channel', '=', 'inbox')
      .execute()
  ).length

it('a reminder is sent once at each time the university has set', async () => {
  const taker = await booked()
  const drafted = await booked({}, 'draft')
  await runAt(before(73))
  expect(await remindersOf(taker)).toBe(0)
  t.clock.set(before(72))
  await Promise.all([run(), run(), run()])
  expect(await remindersOf(taker)).toBe(1)
  await runAt(before(20))
  await run()
  expect(await remindersOf(taker)).toBe(2)
  await runAt(before(-1))
  expect(await remindersOf(taker)).toBe(2)
  expect(await remindersOf(drafted)).toBe(0)
})

it('a reminder that another run sends after the seats were read is not sent again', async () => {
  const taker = await booked()
  t.clock.set(before(72))
  // Without its foreign key check the row does not lock the seat, so the run finds the seat free, as just after a
  // commit.
  const sentElsewhere = sql`WITH unchecked AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', true))
    INSERT INTO test_seat_reminders (test_seat_id, hours_before, sent_at)
    SELECT id, 72, now() FROM unchecked, test_seats WHERE registration_id = ${taker.id}`
  await raceBehind(t, sentElsewhere, 1, run)
  expect(await remindersOf(taker)).toBe(0)
})

it('several missed reminders are sent as one', async () => {
  const taker = await booked()
  await runAt(before(10))
  expect(await remindersOf(taker)).toBe(1)
})

it('a seat booked after the time of a reminder gets no reminder', async () => {
  const taker = await booked({ date: '2026-11-21' })
  await run()
  await runAt(new Date(now.getTime() + 3_600_000))
  expect(await remindersOf(taker)).toBe(0)
})
