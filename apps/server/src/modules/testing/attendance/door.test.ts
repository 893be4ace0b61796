import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { attendanceOf } from '#server-test/factories/registrations/attendance.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

// The session begins at 06:00 UTC, 13.00 in Jakarta.
const now = new Date('2026-11-20T05:50:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

let t: TestApp
let academic: AcademicFixture
let clerk: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
  clerk = await asWithPermissions(t, ['jadwal-test-update'])
})
afterAll(() => t?.close())
beforeEach(() => t.clock.set(now))
afterEach(() => t.clock.set(now))

const { sessionWith, personIn, scanOf, send, resultsOf, listOf, seatOf, takenIn } = attendanceOf(() => ({
  t,
  academic,
  now,
  clerk,
}))

describe('a card that is not on the list', () => {
  it('is answered with the session of its seat and needs a decision', async () => {
    const { session } = await sessionWith(0)
    const elsewhere = await sessionWith(1, { name: 'Sesi sore' })
    const [person] = elsewhere.people
    expect((await resultsOf(session, [scanOf({ card: person!.card })]))[0]).toMatchObject({
      outcome: 'other_session',
      elsewhere: { name: 'Sesi sore', date: '2026-11-20', startTime: '13:00' },
    })
    expect((await listOf(session)).refused).toMatchObject([{ outcome: 'other_session', code: person!.code }])
    expect((await seatOf(person!)).status).toBe('booked')
  })

  it('is admitted with a reason, which moves the seat and settles the refused scan', async () => {
    const { session } = await sessionWith(0)
    const elsewhere = await sessionWith(1)
    const [person] = elsewhere.people
    await send(session, [scanOf({ card: person!.card })])
    const reason = 'Salah datang, kursi tersedia'
    expect((await resultsOf(session, [scanOf({ card: person!.card, reason })]))[0]).toMatchObject({
      outcome: 'recorded',
    })
    expect(await seatOf(person!)).toMatchObject({
      testSessionId: session,
      status: 'attended',
      forcedReason: reason,
      extra: false,
    })
    expect([await takenIn(session), await takenIn(elsewhere.session)]).toEqual([1, 0])
    expect((await listOf(session)).refused).toEqual([])
  })

  it('is admitted at one of two doors when both scan it at once', async () => {
    const [one, two] = [await sessionWith(0), await sessionWith(0)]
    const person = await personIn(null)
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id IN (${one.session}, ${two.session})
      ORDER BY test_session_id FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all(
        [one, two].map(({ session }) => send(session, [scanOf({ card: person.card, reason: 'Salah jadwal' })])),
      ),
    )
    expect(answers.map((answer) => answer.json().data?.[0].outcome).sort()).toEqual(['not_eligible', 'recorded'])
    expect((await takenIn(one.session)) + (await takenIn(two.session))).toBe(1)
  })

  it('is admitted with others in one sending, while another door admits people of this session', async () => {
    const [one, two] = [await sessionWith(2), await sessionWith(2)]
    const forced = ({ people }: typeof one) => people.map(({ card }) => scanOf({ card, reason: 'Salah jadwal' }))
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id IN (${one.session}, ${two.session})
      ORDER BY test_session_id FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all([
        resultsOf(one.session, [...forced(two), scanOf({ card: 'https://example.test/' })]),
        resultsOf(two.session, forced(one).reverse()),
      ]),
    )
    expect(answers.map((results) => results.map(({ outcome }: { outcome: string }) => outcome))).toEqual([
      ['recorded', 'recorded', 'unknown_card'],
      ['recorded', 'recorded'],
    ])
    expect(await Promise.all([...two.people, ...one.people].map(seatOf))).toMatchObject([
      ...two.people.map(() => ({ testSessionId: one.session, status: 'attended' })),
      ...one.people.map(() => ({ testSessionId: two.session, status: 'attended' })),
    ])
    expect([await takenIn(one.session), await takenIn(two.session)]).toEqual([2, 2])
  })

  it('is admitted to a full session on an extra seat, which the counter does not count', async () => {
    const { session } = await sessionWith(1, { capacity: 1 })
    const person = await personIn(null)
    await send(session, [scanOf({ registrationId: person.id, reason: 'Kursi tambahan' })])
    expect(await seatOf(person)).toMatchObject({ testSessionId: session, status: 'attended', extra: true })
    expect(await takenIn(session)).toBe(1)
  })

  it('is not admitted after the test, in another wave or track, or before the submission', async () => {
    const { session } = await sessionWith(0)
    const tested = await sessionWith(1)
    await send(tested.session, [scanOf({ card: tested.people[0]!.card })])
    const draft = await personIn(null, 'draft')
    const reason = 'Diminta pengawas'
    const answers = await resultsOf(session, [
      scanOf({ card: tested.people[0]!.card, reason }),
      scanOf({ card: draft.card, reason }),
    ])
    expect(answers.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['not_eligible', 'not_eligible'])
    const foreign = await testSession(t.db, academic, now, { date: '2026-11-20', trackId: academic.tracks.achievement })
    expect((await resultsOf(foreign, [scanOf({ card: (await personIn(null)).card, reason })]))[0].outcome).toBe(
      'not_eligible',
    )
  })
})

describe('an excused absence', () => {
  const excuse = (seat: string, testSessionId: string, by = clerk) =>
    by.post(`/test-seats/${seat}/excuse`, { testSessionId, reason: 'Surat dokter' })

  it('gives a seat in a later session, notifies the applicant, and stores the reason', async () => {
    const { session, people } = await sessionWith(1)
    const later = await testSession(t.db, academic, now, {
      capacity: 1,
      bookingClosesAt: now,
      bookingOpensAt: minutes(-60),
    })
    expect((await excuse(people[0]!.seat, later)).json().code).toBe('test_not_absent')
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    expect((await listOf(session)).alternatives.map(({ id }: { id: string }) => id)).toContain(later)
    expect((await excuse(people[0]!.seat, later)).statusCode).toBe(200)
    expect(await seatOf(people[0]!)).toMatchObject({ testSessionId: later, status: 'booked' })
    expect([await takenIn(session), await takenIn(later)]).toEqual([0, 1])
    const former = await t.db
      .selectFrom('testSeats')
      .selectAll()
      .where('id', '=', people[0]!.seat)
      .executeTakeFirstOrThrow()
    expect(former).toMatchObject({ status: 'released', excusedReason: 'Surat dokter' })
    const messages = await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', people[0]!.actor.accountId)
      .execute()
    expect(messages.map(({ event }) => event)).toContain('test-changed')
  })

  it('gives no seat to a withdrawn applicant, and an absent one gets no score', async () => {
    const { people } = await sessionWith(1)
    const [absentee] = people
    await clerk.post(`/test-seats/${absentee!.seat}/attendance`, { attended: false })
    const scored = await clerk.put(`/pendaftaran/${absentee!.id}/test-scores`, {
      scores: [{ testId: academic.test, score: 88 }],
    })
    expect(Object.keys(scored.json().errors)).toEqual(['scores.0.score'])
    const reason = 'Diterima di tempat lain'
    expect((await absentee!.actor.post(`/pendaftaran/${absentee!.id}/withdraw`, { reason })).statusCode).toBe(200)
    const later = await testSession(t.db, academic, now)
    expect((await excuse(absentee!.seat, later)).json().code).toBe('wrong_status')
    expect(await takenIn(later)).toBe(0)
  })

  it('granted by two clerks at once gives one seat', async () => {
    const { session, people } = await sessionWith(1)
    const later = [await testSession(t.db, academic, now), await testSession(t.db, academic, now)]
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    const lock = sql`SELECT FROM test_session_seats WHERE test_session_id = ${session} FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all(later.map((testSessionId) => excuse(people[0]!.seat, testSessionId))),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('test_not_absent')
    expect((await takenIn(later[0]!)) + (await takenIn(later[1]!))).toBe(1)
  })

  it('for a full or past session, or by the applicant, is refused and changes nothing', async () => {
    const { session, people } = await sessionWith(1)
    await clerk.post(`/test-seats/${people[0]!.seat}/attendance`, { attended: false })
    const full = await testSession(t.db, academic, now, { capacity: 0 })
    expect((await excuse(people[0]!.seat, full)).json().code).toBe('test_session_full')
    const past = await testSession(t.db, academic, now, { date: '2026-11-19' })
    expect((await excuse(people[0]!.seat, past)).json().code).toBe('test_booking_closed')
    expect((await excuse(people[0]!.seat, full, people[0]!.actor)).statusCode).toBe(403)
    expect(await seatOf(people[0]!)).toMatchObject({ testSessionId: session, status: 'absent' })
  })
})
