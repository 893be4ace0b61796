import { expect } from 'vitest'
import { keepWaitingListsJob } from '#server/modules/testing/waiting-list/keep-waiting-lists.job.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { type TestTaker, takeSeat, testSession, testTaker } from './testing.ts'

type World = { t: TestApp; academic: AcademicFixture; now: Date }

export const giveBack = ({ actor, id }: TestTaker) => actor.delete(`/pendaftaran/${id}/test-seat`)
export const join = ({ actor, id }: TestTaker, testSessionId: string) =>
  actor.post(`/pendaftaran/${id}/test-waiting`, { testSessionId })
export const leave = ({ actor, id }: TestTaker) => actor.delete(`/pendaftaran/${id}/test-waiting`)

/**
 * Applicants, sessions and readers for waiting list tests; `world` is called each time, because tests start it late.
 */
export function waitingListOf(world: () => World) {
  const db = () => world().t.db
  const applicant = (status = 'paid') => testTaker(world().t, world().academic, { status })
  async function applicants(count: number) {
    const all: TestTaker[] = []
    for (let index = 0; index < count; index++) all.push(await applicant())
    return all
  }
  const newSession = (values?: Record<string, unknown>) => testSession(db(), world().academic, world().now, values)

  /** A full session with one seat, its holder, and applicants who wait for it. */
  async function fullSession(waiting: number, values?: Record<string, unknown>) {
    const session = await newSession({ capacity: 1, ...values })
    const [holder, ...queue] = await applicants(waiting + 1)
    await takeSeat(holder!, session)
    for (const person of queue) expect((await join(person, session)).statusCode).toBe(200)
    return { session, holder: holder!, queue }
  }

  return {
    applicant,
    applicants,
    newSession,
    fullSession,
    keepLists: () => keepWaitingListsJob.run(world().t.services, {}),
    countTaken: async (sessionId: string) =>
      (
        await db()
          .selectFrom('testSessionSeats')
          .select('taken')
          .where('testSessionId', '=', sessionId)
          .executeTakeFirst()
      )?.taken ?? 0,
    seatsIn: async (sessionId: string) =>
      (
        await db()
          .selectFrom('testSeats')
          .select('registrationId')
          .where('testSessionId', '=', sessionId)
          .where('status', '<>', 'released')
          .execute()
      ).map(({ registrationId }) => registrationId),
    placesIn: (sessionId: string, status: 'waiting' | 'offered') =>
      db()
        .selectFrom('testWaitingPlaces')
        .select(['registrationId', 'offeredUntil'])
        .where('testSessionId', '=', sessionId)
        .where('status', '=', status)
        .orderBy('number')
        .execute(),
    eventsOf: async ({ actor }: TestTaker) =>
      (
        await db()
          .selectFrom('messages')
          .select('event')
          .where('accountId', '=', actor.accountId)
          .where('channel', '=', 'inbox')
          .orderBy('createdAt')
          .execute()
      ).map(({ event }) => event),
  }
}
