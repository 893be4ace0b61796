import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { takeSeat } from '#server-test/factories/registrations/testing.ts'
import { giveBack, join, leave, waitingListOf } from '#server-test/factories/registrations/waiting-list.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
})
afterAll(() => t?.close())

const { applicant, applicants, newSession, fullSession, keepLists, countTaken, seatsIn, placesIn, eventsOf } =
  waitingListOf(() => ({ t, academic, now }))
/** Repeats the request after 503, as Retry-After asks, because a busy machine may not serve 200 people at once. */
async function whenServed(ask: () => ReturnType<typeof takeSeat>) {
  for (;;) {
    const answer = await ask()
    if (answer.statusCode !== 503) return answer
  }
}

describe('many at once', () => {
  it('of 200 waiting applicants the first ten get the 10 freed seats, each one seat, within the capacity', async () => {
    const session = await newSession({ capacity: 10 })
    const holders = await applicants(10)
    for (const holder of holders) await takeSeat(holder, session)
    const queue = await applicants(200)
    await Promise.all(queue.map((person) => whenServed(() => join(person, session))))
    const order = (await placesIn(session, 'waiting')).map((place) => place.registrationId)
    expect(new Set(order).size).toBe(200)

    await Promise.all(holders.map(giveBack))
    const offered = (await placesIn(session, 'offered')).map((place) => place.registrationId)
    expect(offered).toEqual(order.slice(0, 10))
    expect(await countTaken(session)).toBe(10)

    const answers = await Promise.all(
      queue.flatMap((person) => [1, 2].map(() => whenServed(() => takeSeat(person, session)))),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(new Set(answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().code))).toEqual(
      new Set(['test_session_full']),
    )
    expect((await seatsIn(session)).sort()).toEqual(order.slice(0, 10).sort())
    expect(await countTaken(session)).toBe(10)
  }, 120_000)

  it('an applicant who joins two lists at once waits on one', async () => {
    const [one, two] = [await fullSession(0), await fullSession(0)]
    const person = await applicant()
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id IN (${one.session}, ${two.session})
      ORDER BY test_session_id FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all([join(person, one.session), join(person, two.session)]),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect([...(await placesIn(one.session, 'waiting')), ...(await placesIn(two.session, 'waiting'))]).toHaveLength(1)
  })

  it('a participant moved to the session, or admitted at its door, takes the seat offered there', async () => {
    const staff = await asStaff(t)
    const { session, holder, queue } = await fullSession(2)
    const other = await newSession()
    const { id: seatId } = (await takeSeat(queue[0]!, other)).json().data
    await giveBack(holder)
    expect((await staff.post(`/jadwal-test/${other}/move`, { ids: [seatId], toId: session })).statusCode).toBe(200)
    expect(await seatsIn(session)).toEqual([queue[0]!.id])
    expect([await countTaken(session), await countTaken(other)]).toEqual([1, 0])
    expect(await placesIn(session, 'offered')).toEqual([])

    // The session is today; its offers end when it begins.
    await t.db.updateTable('testSessions').set({ capacity: 2 }).where('id', '=', session).execute()
    await pastTriggers(t, sql`UPDATE test_sessions SET date = '2026-11-20' WHERE id = ${session}`)
    await t.db
      .updateTable('testWaitingPlaces')
      .set({ status: 'offered', offeredAt: now, offeredUntil: hours(1) })
      .where('registrationId', '=', queue[1]!.id)
      .execute()
    await t.db.updateTable('testSessionSeats').set({ taken: 2 }).where('testSessionId', '=', session).execute()
    const scan = { id: crypto.randomUUID(), kind: 'arrive', at: now.toISOString(), registrationId: queue[1]!.id }
    const device = { id: crypto.randomUUID(), name: 'HP pintu' }
    const body = { device, sentAt: now.toISOString(), scans: [{ ...scan, reason: 'Sudah ditawari' }] }
    expect((await staff.post(`/jadwal-test/${session}/scans`, body)).json().data[0].outcome).toBe('recorded')
    expect(await placesIn(session, 'offered')).toEqual([])
    expect(await countTaken(session)).toBe(2)
  })

  it('a raised capacity that several jobs see at once is offered once', async () => {
    const { session, queue } = await fullSession(8)
    await t.db.updateTable('testSessions').set({ capacity: 4 }).where('id', '=', session).execute()
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id = ${session} FOR UPDATE`
    await raceBehind(t, lock, 3, () => Promise.all([keepLists(), keepLists(), keepLists()]))
    const offered = (await placesIn(session, 'offered')).map((place) => place.registrationId)
    expect(offered).toEqual(queue.slice(0, 3).map(({ id }) => id))
    expect(await countTaken(session)).toBe(4)
    for (const person of queue.slice(0, 3)) expect(await eventsOf(person)).toEqual(['test-offered'])
  })

  it('accepting, declining and expiring at once end an offer once', async () => {
    for (let round = 0; round < 5; round++) {
      const { session, holder, queue } = await fullSession(2)
      await giveBack(holder)
      t.clock.set(hours(24))
      // Applicant sessions last longer than a day.
      await Promise.all([takeSeat(queue[0]!, session), leave(queue[0]!), keepLists(), keepLists()])
      const seats = await seatsIn(session)
      const offers = await placesIn(session, 'offered')
      expect(seats.length + offers.length).toBe(1)
      expect(await countTaken(session)).toBe(1)
      t.clock.set(now)
    }
  }, 60_000)
})
