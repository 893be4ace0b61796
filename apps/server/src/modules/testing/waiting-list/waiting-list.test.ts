import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextStep } from '#domain/admissions/what-to-do.ts'
import { expireRegistrationsJob } from '#server/modules/admissions/expire-registrations.job.ts'
import { announceResultsJob } from '#server/modules/admissions/results/announce-results.job.ts'
import { releaseUnusedSeatsJob } from '#server/modules/testing/seats/release-unused-seats.job.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { registrationForTest, testSession } from '#server-test/factories/registrations/testing.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { keepWaitingListsJob } from './keep-waiting-lists.job.ts'

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

type Applicant = { actor: TestActor; id: string }
const applicant = async (status = 'paid'): Promise<Applicant> => {
  const actor = await asApplicant(t)
  return { actor, id: await registrationForTest(t.db, academic, actor.accountId, { status }) }
}
const applicants = async (count: number) => {
  const all: Applicant[] = []
  for (let index = 0; index < count; index++) all.push(await applicant())
  return all
}
const newSession = (values?: Record<string, unknown>) => testSession(t.db, academic, now, values)
const take = ({ actor, id }: Applicant, testSessionId: string) =>
  actor.post(`/pendaftaran/${id}/test-seat`, { testSessionId })
/** Asks again after 503, as its Retry-After says: a busy machine may not serve 200 people at once. */
async function whenServed(ask: () => ReturnType<typeof take>) {
  for (;;) {
    const answer = await ask()
    if (answer.statusCode !== 503) return answer
  }
}
const giveBack = ({ actor, id }: Applicant) => actor.delete(`/pendaftaran/${id}/test-seat`)
const join = ({ actor, id }: Applicant, testSessionId: string) =>
  actor.post(`/pendaftaran/${id}/test-waiting`, { testSessionId })
const leave = ({ actor, id }: Applicant) => actor.delete(`/pendaftaran/${id}/test-waiting`)
const schedule = async ({ actor, id }: Applicant) => (await actor.get(`/pendaftaran/${id}/test-sessions`)).json().data
const keepLists = () => keepWaitingListsJob.run(t.services, {})
const countTaken = async (sessionId: string) =>
  (await t.db.selectFrom('testSessionSeats').select('taken').where('testSessionId', '=', sessionId).executeTakeFirst())
    ?.taken ?? 0
const seatsIn = async (sessionId: string) =>
  (
    await t.db
      .selectFrom('testSeats')
      .select('registrationId')
      .where('testSessionId', '=', sessionId)
      .where('status', '<>', 'released')
      .execute()
  ).map(({ registrationId }) => registrationId)
const placesIn = (sessionId: string, status: 'waiting' | 'offered') =>
  t.db
    .selectFrom('testWaitingPlaces')
    .select(['registrationId', 'offeredUntil'])
    .where('testSessionId', '=', sessionId)
    .where('status', '=', status)
    .orderBy('number')
    .execute()
const eventsOf = async ({ actor }: Applicant) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', actor.accountId)
      .where('channel', '=', 'inbox')
      .orderBy('createdAt')
      .execute()
  ).map(({ event }) => event)

/** An unpaid registration fee. */
const feeOf = ({ id, actor }: Applicant, dueAt: Date) =>
  t.db
    .insertInto('bills')
    .values({
      registrationId: id,
      accountId: actor.accountId,
      kind: 'registration_fee',
      number: `INV-W-${id.slice(0, 8)}`,
      total: 250_000,
      dueAt,
      issuedAt: now,
    } as never)
    .execute()

/** A full session of one seat, its holder, and applicants who wait for it. */
async function fullSession(waiting: number, values?: Record<string, unknown>) {
  const session = await newSession({ capacity: 1, ...values })
  const [holder, ...queue] = await applicants(waiting + 1)
  await take(holder!, session)
  for (const person of queue) expect((await join(person, session)).statusCode).toBe(200)
  return { session, holder: holder!, queue }
}

describe('joining', () => {
  it('a full session shows the position; a session with seats is refused', async () => {
    const { session, queue } = await fullSession(2)
    expect((await schedule(queue[0]!)).waiting).toMatchObject({
      status: 'waiting',
      position: 1,
      session: { id: session },
    })
    expect((await schedule(queue[1]!)).waiting).toMatchObject({ position: 2, offeredUntil: null })
    const free = await newSession()
    expect((await join(queue[0]!, free)).json().code).toBe('test_session_not_full')
    expect((await schedule(queue[0]!)).waiting.session.id).toBe(session)
  })

  it('twice is one place; another session gives up the first', async () => {
    const { session, queue } = await fullSession(1)
    const other = await fullSession(0)
    expect((await join(queue[0]!, session)).statusCode).toBe(200)
    expect(await placesIn(session, 'waiting')).toHaveLength(1)
    expect((await join(queue[0]!, other.session)).json().data).toMatchObject({
      position: 1,
      session: { id: other.session },
    })
    expect(await placesIn(session, 'waiting')).toHaveLength(0)
  })

  it('a draft, a foreign registration, a session of another track and one that begins too soon are refused', async () => {
    const { session, queue } = await fullSession(1)
    expect((await join(await applicant('draft'), session)).json().code).toBe('wrong_status')
    const stranger = await asApplicant(t)
    expect(
      (await stranger.post(`/pendaftaran/${queue[0]!.id}/test-waiting`, { testSessionId: session })).statusCode,
    ).toBe(404)
    expect((await stranger.delete(`/pendaftaran/${queue[0]!.id}/test-waiting`)).statusCode).toBe(404)
    const foreign = await newSession({ trackId: academic.tracks.achievement, capacity: 0 })
    expect((await join(await applicant(), foreign)).statusCode).toBe(404)
    // 13.00 in Jakarta is 06:00 UTC, three hours away; offers stop twelve hours before.
    const soon = await newSession({ capacity: 0, date: '2026-11-20' })
    expect((await join(await applicant(), soon)).json().code).toBe('test_waiting_closed')
  })
})

describe('a seat that becomes free', () => {
  it('is offered to the first for a day, counts as taken, and is told', async () => {
    const { session, holder, queue } = await fullSession(2)
    await giveBack(holder)
    const { actor, id } = queue[0]!
    const { todo } = (await actor.get(`/pendaftaran/${id}`)).json().data
    expect(nextStep(todo)).toMatchObject({ key: 'testOffer', dueAt: hours(24).toISOString() })
    expect((await schedule(queue[0]!)).waiting).toMatchObject({
      status: 'offered',
      offeredUntil: hours(24).toISOString(),
    })
    expect((await schedule(queue[1]!)).waiting).toMatchObject({ status: 'waiting' })
    expect(await countTaken(session)).toBe(1)
    expect((await take(await applicant(), session)).json().code).toBe('test_session_full')
    expect(await eventsOf(queue[0]!)).toEqual(['test-offered'])
    expect(await eventsOf(queue[1]!)).toEqual([])
  })

  it('stands on the dashboard before everything else, until when and where to answer', async () => {
    const { holder, queue } = await fullSession(1)
    const nextStepOf = async ({ actor, id }: Applicant) =>
      (await actor.get('/dashboard'))
        .json()
        .data.registrations.find((registration: { id: string }) => registration.id === id).nextStep
    expect((await nextStepOf(queue[0]!)).key).not.toBe('testOffer')
    await giveBack(holder)
    expect(await nextStepOf(queue[0]!)).toMatchObject({
      key: 'testOffer',
      state: 'todo',
      dueAt: hours(24).toISOString(),
      path: `/pendaftaran/${queue[0]!.id}#test`,
    })
    await leave(queue[0]!)
    expect((await nextStepOf(queue[0]!)).key).not.toBe('testOffer')
  })

  it('is accepted in one step, and the seat in another session goes on to its own list', async () => {
    const first = await fullSession(1)
    const second = await fullSession(0)
    await join(second.holder, first.session)
    await giveBack(first.holder)
    await leave(first.queue[0]!)
    const late = await applicant()
    await join(late, second.session)
    expect((await take(second.holder, first.session)).json().data.status).toBe('booked')
    expect(await seatsIn(first.session)).toEqual([second.holder.id])
    expect(await countTaken(first.session)).toBe(1)
    expect((await placesIn(second.session, 'offered')).map((place) => place.registrationId)).toEqual([late.id])
    expect(await countTaken(second.session)).toBe(1)
    expect((await schedule(second.holder)).waiting).toBeNull()
  })

  it('declined goes to the next at once', async () => {
    const { session, holder, queue } = await fullSession(2)
    await giveBack(holder)
    expect((await leave(queue[0]!)).statusCode).toBe(200)
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect((await leave(queue[0]!)).statusCode).toBe(404)
    await leave(queue[1]!)
    expect(await countTaken(session)).toBe(0)
  })

  it('without an answer goes to the next when the offer expires', async () => {
    const { session, holder, queue } = await fullSession(2)
    await giveBack(holder)
    t.clock.set(hours(24))
    await keepLists()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect(await eventsOf(queue[0]!)).toEqual(['test-offered', 'test-offer-expired'])
    expect(await countTaken(session)).toBe(1)
    await keepLists()
    expect(await eventsOf(queue[1]!)).toEqual(['test-offered'])
    t.clock.set(now)
  })

  it('of a registration that ended is offered by the job, and an offer to an ended registration goes on', async () => {
    const { session, holder, queue } = await fullSession(2)
    const end = (id: string) =>
      t.db.updateTable('registrations').set({ status: 'withdrawn' }).where('id', '=', id).execute()
    await end(holder.id)
    await releaseUnusedSeatsJob.run(t.services, {})
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
    await end(queue[0]!.id)
    await keepLists()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect(await countTaken(session)).toBe(1)
  })

  it('by a withdrawal is offered right after it, and so is an offered seat', async () => {
    const { session, holder, queue } = await fullSession(3)
    const withdraw = ({ actor, id }: Applicant) => actor.post(`/pendaftaran/${id}/withdraw`, { reason: 'Pindah kota' })
    expect((await withdraw(holder)).statusCode).toBe(200)
    await t.runJobs()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
    expect((await withdraw(queue[0]!)).statusCode).toBe(200)
    expect((await withdraw(queue[1]!)).statusCode).toBe(200)
    await t.runJobs()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[2]!.id])
    expect(await placesIn(session, 'waiting')).toEqual([])
    expect(await countTaken(session)).toBe(1)
  })

  it('by an unpaid fee that expires is offered right after it', async () => {
    const { session, holder, queue } = await fullSession(1)
    await t.db.updateTable('registrations').set({ status: 'submitted' }).where('id', '=', holder.id).execute()
    await feeOf(holder, hours(-1))
    await expireRegistrationsJob.run(t.services, {})
    await t.runJobs()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
  })

  it('by a refusal is offered once the refusal is told, not before; a session that was is left alone', async () => {
    const { session, holder, queue } = await fullSession(2)
    const staff = await asStaff(t)
    const over = await newSession({ date: '2026-11-19', bookingOpensAt: null })
    const [waiting, present] = [queue[0]!, await applicant()]
    const values = { registrationId: present.id, testSessionId: over, status: 'booked' as const }
    await t.db.insertInto('testSeats').values(values).execute()
    for (const { id } of [holder, waiting, present])
      expect((await staff.post(`/pendaftaran/${id}/reject`, { reason: 'Kuota' })).statusCode).toBe(200)
    await t.runJobs()
    expect(await seatsIn(session)).toEqual([holder.id])
    const publication = { waveId: academic.wave, trackId: academic.tracks.regular, publishAt: now }
    await t.db.insertInto('resultPublications').values(publication).execute()
    await announceResultsJob.run(t.services, publication)
    await t.runJobs()
    expect(await seatsIn(session)).toEqual([])
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[1]!.id])
    expect(await placesIn(session, 'waiting')).toEqual([])
    expect(await seatsIn(over)).toEqual([present.id])
    await t.db.deleteFrom('resultPublications').execute()
  })

  it('by a raised capacity is offered by the job, before anybody else can take it', async () => {
    const { session, queue } = await fullSession(2)
    await t.db.updateTable('testSessions').set({ capacity: 2 }).where('id', '=', session).execute()
    expect((await take(await applicant(), session)).json().code).toBe('test_session_full')
    await keepLists()
    expect((await placesIn(session, 'offered')).map((place) => place.registrationId)).toEqual([queue[0]!.id])
    expect(await countTaken(session)).toBe(2)
  })

  it('skips whoever cannot pay the registration fee in time, and the offer ends when the fee is due', async () => {
    const { session, holder } = await fullSession(0)
    const [tooLate, inTime] = [await applicant('submitted'), await applicant('submitted')]
    await feeOf(tooLate, new Date(now.getTime() + 10 * 60_000))
    await feeOf(inTime, hours(5))
    for (const person of [tooLate, inTime]) await join(person, session)
    await giveBack(holder)
    expect(await placesIn(session, 'offered')).toEqual([{ registrationId: inTime.id, offeredUntil: hours(5) }])
    expect((await schedule(tooLate)).waiting).toMatchObject({ status: 'waiting', position: 1 })
  })

  it('too near the session is offered to nobody, and the list is closed with a message', async () => {
    const { session, holder, queue } = await fullSession(1, { date: '2026-11-21' })
    // The session begins at 06:00 UTC of the next day.
    t.clock.set(hours(15))
    await giveBack(holder)
    expect(await placesIn(session, 'offered')).toEqual([])
    await keepLists()
    expect(await placesIn(session, 'waiting')).toEqual([])
    expect(await eventsOf(queue[0]!)).toEqual(['test-waiting-closed'])
    t.clock.set(now)
  })

  it('is offered for as long and until as near to the session as the university set', async () => {
    const admin = await asStaff(t, 'Administrator')
    const { data } = (await admin.get('/settings/general')).json()
    const { testReminderHours } = data.values
    const body = { testReminderHours, testOfferHours: 6, testOfferStopHours: 48, version: data.versions.tests }
    expect((await admin.put('/settings/general/tests', body)).statusCode).toBe(200)
    const { session, holder } = await fullSession(1)
    await giveBack(holder)
    expect((await placesIn(session, 'offered'))[0]!.offeredUntil).toEqual(hours(6))
    const near = await newSession({ capacity: 0, date: '2026-11-21' })
    expect((await join(await applicant(), near)).json().code).toBe('test_waiting_closed')
    await t.db
      .deleteFrom('settings')
      .where('key', 'in', ['testReminderHours', 'testOfferHours', 'testOfferStopHours'])
      .execute()
  })
})

describe('many at once', () => {
  it('200 applicants and 10 freed seats: the first ten get them, nobody twice, never above the capacity', async () => {
    const session = await newSession({ capacity: 10 })
    const holders = await applicants(10)
    for (const holder of holders) await take(holder, session)
    const queue = await applicants(200)
    await Promise.all(queue.map((person) => whenServed(() => join(person, session))))
    const order = (await placesIn(session, 'waiting')).map((place) => place.registrationId)
    expect(new Set(order).size).toBe(200)

    await Promise.all(holders.map(giveBack))
    const offered = (await placesIn(session, 'offered')).map((place) => place.registrationId)
    expect(offered).toEqual(order.slice(0, 10))
    expect(await countTaken(session)).toBe(10)

    const answers = await Promise.all(
      queue.flatMap((person) => [1, 2].map(() => whenServed(() => take(person, session)))),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(new Set(answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().code))).toEqual(
      new Set(['test_session_full']),
    )
    expect((await seatsIn(session)).sort()).toEqual(order.slice(0, 10).sort())
    expect(await countTaken(session)).toBe(10)
  }, 120_000)

  it('somebody who joins two lists waits on one', async () => {
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

  it('somebody moved to the session, or let in at its door, takes the seat offered there', async () => {
    const staff = await asStaff(t)
    const { session, holder, queue } = await fullSession(2)
    const other = await newSession()
    const { id: seatId } = (await take(queue[0]!, other)).json().data
    await giveBack(holder)
    expect((await staff.post(`/jadwal-test/${other}/move`, { ids: [seatId], toId: session })).statusCode).toBe(200)
    expect(await seatsIn(session)).toEqual([queue[0]!.id])
    expect([await countTaken(session), await countTaken(other)]).toEqual([1, 0])
    expect(await placesIn(session, 'offered')).toEqual([])

    // The session is today: its offers end when it begins.
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

  it('a raised capacity that several jobs notice at the same moment is offered once', async () => {
    const { session, queue } = await fullSession(8)
    await t.db.updateTable('testSessions').set({ capacity: 4 }).where('id', '=', session).execute()
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id = ${session} FOR UPDATE`
    await raceBehind(t, lock, 3, () => Promise.all([keepLists(), keepLists(), keepLists()]))
    const offered = (await placesIn(session, 'offered')).map((place) => place.registrationId)
    expect(offered).toEqual(queue.slice(0, 3).map(({ id }) => id))
    expect(await countTaken(session)).toBe(4)
    for (const person of queue.slice(0, 3)) expect(await eventsOf(person)).toEqual(['test-offered'])
  })

  it('accepting, declining and expiring at the same moment end an offer once', async () => {
    for (let round = 0; round < 5; round++) {
      const { session, holder, queue } = await fullSession(2)
      await giveBack(holder)
      t.clock.set(hours(24))
      // Sessions of applicants last longer than a day.
      await Promise.all([take(queue[0]!, session), leave(queue[0]!), keepLists(), keepLists()])
      const seats = await seatsIn(session)
      const offers = await placesIn(session, 'offered')
      expect(seats.length + offers.length).toBe(1)
      expect(await countTaken(session)).toBe(1)
      t.clock.set(now)
    }
  }, 60_000)
})
