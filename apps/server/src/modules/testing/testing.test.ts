import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asApplicant, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { releaseUnusedSeatsJob } from './seats/release-unused-seats.job.ts'

const now = new Date('2026-11-20T03:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
const days = (count: number) => minutes(count * 24 * 60)

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
})
afterAll(() => t?.close())

const applicantWith = (options?: { status?: string; trackId?: string }) => testTaker(t, academic, options)
const take = (actor: TestActor, id: string, testSessionId: string) =>
  actor.post(`/api/pendaftaran/${id}/test-seat`, { testSessionId })
const countTaken = async (sessionId: string) =>
  (await t.db.selectFrom('testSessionSeats').select('taken').where('testSessionId', '=', sessionId).executeTakeFirst())
    ?.taken ?? 0
const seatsIn = async (sessionId: string) =>
  (
    await t.db
      .selectFrom('testSeats')
      .select('id')
      .where('testSessionId', '=', sessionId)
      .where('status', '<>', 'released')
      .execute()
  ).length
const newSession = (values?: Record<string, unknown>) => testSession(t.db, academic, now, values)
const runRelease = () => releaseUnusedSeatsJob.run(t.services, {})

describe('taking a seat', () => {
  it('books at once after the submission, notifies the applicant, and lowers the free seats', async () => {
    const session = await newSession({ capacity: 3 })
    const { actor, id } = await applicantWith({ status: 'submitted' })
    const answer = await take(actor, id, session)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      status: 'booked',
      changeable: true,
      session: { seatsLeft: 2, location: 'Aula' },
    })
    const schedule = (await actor.get(`/api/pendaftaran/${id}/test-sessions`)).json().data
    expect(schedule).toMatchObject({ choosing: 'book', blockedBy: null, seat: { status: 'booked' } })
    expect(schedule.sessions.find((s: { id: string }) => s.id === session)).toMatchObject({
      seatsLeft: 2,
      state: 'open',
    })
    const messages = await t.db.selectFrom('messages').selectAll().where('accountId', '=', actor.accountId).execute()
    expect(messages.map((message) => message.event)).toContain('test-booked')
  })

  it('makes the test the step ahead until it is over, even while documents are being checked', async () => {
    const session = await newSession({ date: '2026-11-24', mode: 'online' })
    const { actor, id } = await applicantWith({ status: 'paid' })
    await take(actor, id, session)
    const read = async () => {
      const { todo } = (await actor.get(`/api/pendaftaran/${id}`)).json().data
      const keys = todo.map(({ key }: { key: string }) => key)
      const { registrations } = (await actor.get('/api/dashboard')).json().data
      return { keys, nextStep: registrations[0].nextStep }
    }
    expect((await read()).nextStep).toMatchObject({
      key: 'attendTest',
      state: 'waiting',
      actor: 'you',
      dueAt: '2026-11-24T06:00:00.000Z',
      path: `/pendaftaran/${id}#test`,
      params: { mode: 'online' },
    })
    t.clock.set(days(5))
    expect((await read()).keys).not.toContain('attendTest')
    t.clock.set(now)
  })

  it('again in the same session keeps one seat', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith()
    const first = (await take(actor, id, session)).json().data.id
    expect((await take(actor, id, session)).json().data.id).toBe(first)
    expect(await countTaken(session)).toBe(1)
  })

  it('with a draft holds it for 15 minutes; the submission books it without a second seat', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith({ status: 'draft' })
    const heldSeat = (await take(actor, id, session)).json().data
    expect(heldSeat).toMatchObject({ status: 'held', heldUntil: minutes(15).toISOString() })
    await t.db.updateTable('registrations').set({ status: 'submitted' }).where('id', '=', id).execute()
    expect((await take(actor, id, session)).json().data).toMatchObject({
      id: heldSeat.id,
      status: 'booked',
      heldUntil: null,
    })
    expect(await countTaken(session)).toBe(1)
  })

  it('is refused for a track without a test, a decided registration, another track and an inactive session', async () => {
    const session = await newSession()
    const other = await applicantWith({ trackId: academic.tracks.achievement })
    expect((await take(other.actor, other.id, session)).json().code).toBe('track_without_test')
    const decided = await applicantWith({ status: 'confirmed' })
    expect((await take(decided.actor, decided.id, session)).json().code).toBe('wrong_status')
    const foreign = await newSession({ trackId: academic.tracks.achievement })
    const regular = await applicantWith()
    expect((await take(regular.actor, regular.id, foreign)).statusCode).toBe(404)
    expect((await take(regular.actor, regular.id, await newSession({ active: false }))).statusCode).toBe(404)
  })

  it('is possible after an unpublished decision and refused once it is published', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith({ status: 'decided' })
    expect((await take(actor, id, session)).statusCode).toBe(200)
    const publication = { waveId: academic.wave, trackId: academic.tracks.regular, publishAt: now }
    await t.db.insertInto('resultPublications').values(publication).execute()
    expect((await take(actor, id, await newSession())).json().code).toBe('wrong_status')
    expect((await actor.get(`/api/pendaftaran/${id}/test-sessions`)).json().data.blockedBy).toBe('not_in_this_status')
    await t.db.deleteFrom('resultPublications').execute()
  })

  it('is refused before booking opens and after it closes, each with its own code', async () => {
    const { actor, id } = await applicantWith()
    expect((await take(actor, id, await newSession({ bookingOpensAt: minutes(1) }))).json().code).toBe(
      'test_booking_not_open',
    )
    expect((await take(actor, id, await newSession({ bookingClosesAt: now }))).json().code).toBe('test_booking_closed')
  })

  it('answers 404 to other applicants who read, book or release', async () => {
    const session = await newSession()
    const { id, actor: owner } = await applicantWith()
    await take(owner, id, session)
    const stranger = await asApplicant(t)
    expect((await stranger.get(`/api/pendaftaran/${id}/test-sessions`)).statusCode).toBe(404)
    expect((await take(stranger, id, session)).statusCode).toBe(404)
    expect((await stranger.delete(`/api/pendaftaran/${id}/test-seat`)).statusCode).toBe(404)
    expect(await seatsIn(session)).toBe(1)
  })

  it('shows the link of an online session only to applicants with a seat', async () => {
    const session = await newSession({ mode: 'online', location: 'https://tes.contoh.test/ruang' })
    const { actor, id } = await applicantWith()
    const before = (await actor.get(`/api/pendaftaran/${id}/test-sessions`)).json().data
    expect(before.sessions.find((s: { id: string }) => s.id === session).location).toBeNull()
    expect((await take(actor, id, session)).json().data.session.location).toBe('https://tes.contoh.test/ruang')
  })
})

describe('many at once', () => {
  it('of 50 applicants for the last 10 seats, 10 get one and 40 are refused without waiting', async () => {
    const session = await newSession({ capacity: 10 })
    const applicants = []
    for (let index = 0; index < 50; index++) applicants.push(await applicantWith())
    const startedMs = performance.now()
    const answers = await Promise.all(applicants.map(({ actor, id }) => take(actor, id, session)))
    expect(performance.now() - startedMs).toBeLessThan(15_000)
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(10)
    const refused = answers.filter((answer) => answer.statusCode !== 200)
    expect(refused.map((answer) => [answer.statusCode, answer.json().code])).toEqual(
      Array.from({ length: 40 }, () => [409, 'test_session_full']),
    )
    expect(await countTaken(session)).toBe(10)
    expect(await seatsIn(session)).toBe(10)
  }, 60_000)

  it('four bookings of one applicant make one seat', async () => {
    const [one, two] = [await newSession(), await newSession()]
    const { actor, id } = await applicantWith()
    const answers = await Promise.all([one, two, one, two].map((session) => take(actor, id, session)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
    expect((await seatsIn(one)) + (await seatsIn(two))).toBe(1)
    expect((await countTaken(one)) + (await countTaken(two))).toBe(1)
  })

  it('swapping sessions does not deadlock', async () => {
    const [one, two] = [await newSession({ capacity: 5 }), await newSession({ capacity: 5 })]
    const pairs = []
    for (let index = 0; index < 4; index++) {
      const applicant = await applicantWith()
      await take(applicant.actor, applicant.id, index % 2 ? one : two)
      pairs.push(applicant)
    }
    // A deadlock would be hidden, because the transaction is repeated after it.
    const deadlocksBefore = await countDeadlocks(t)
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(
        pairs.map(({ actor, id }, index) => take(actor, id, (index + round) % 2 ? two : one)),
      )
      expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
    }
    expect([await countTaken(one), await countTaken(two)]).toEqual([2, 2])
    expect(await countDeadlocks(t)).toBe(deadlocksBefore)
  })
})

describe('changing the session', () => {
  it('books the new session and frees the seat in the first', async () => {
    const [one, two] = [await newSession(), await newSession()]
    const { actor, id } = await applicantWith()
    await take(actor, id, one)
    expect((await take(actor, id, two)).statusCode).toBe(200)
    expect([await countTaken(one), await countTaken(two)]).toEqual([0, 1])
    const messages = await t.db.selectFrom('messages').selectAll().where('accountId', '=', actor.accountId).execute()
    expect(messages.map((message) => message.event)).toContain('test-changed')
  })

  it('keeps the old seat if the other session is full', async () => {
    const [one, full] = [await newSession(), await newSession({ capacity: 0 })]
    const { actor, id } = await applicantWith()
    await take(actor, id, one)
    expect((await take(actor, id, full)).json().code).toBe('test_session_full')
    expect((await actor.get(`/api/pendaftaran/${id}/test-sessions`)).json().data.seat.session.id).toBe(one)
    expect(await countTaken(one)).toBe(1)
  })

  it('or releasing the seat makes it free for others', async () => {
    const session = await newSession({ capacity: 1 })
    const first = await applicantWith()
    const second = await applicantWith()
    await take(first.actor, first.id, session)
    expect((await take(second.actor, second.id, session)).json().code).toBe('test_session_full')
    expect((await first.actor.delete(`/api/pendaftaran/${first.id}/test-seat`)).statusCode).toBe(200)
    expect((await take(second.actor, second.id, session)).statusCode).toBe(200)
    expect((await first.actor.delete(`/api/pendaftaran/${first.id}/test-seat`)).statusCode).toBe(404)
  })

  it('is refused once booking is closed', async () => {
    const session = await newSession({ bookingClosesAt: minutes(30) })
    const { actor, id } = await applicantWith()
    await take(actor, id, session)
    t.clock.set(minutes(31))
    expect((await actor.delete(`/api/pendaftaran/${id}/test-seat`)).json().code).toBe('test_booking_closed')
    expect((await take(actor, id, await newSession())).json().code).toBe('test_booking_closed')
    t.clock.set(now)
  })
})

describe('unused seats', () => {
  it('are released after the hold; a booked seat stays', async () => {
    const session = await newSession()
    const draft = await applicantWith({ status: 'draft' })
    const booked = await applicantWith()
    await take(draft.actor, draft.id, session)
    await take(booked.actor, booked.id, session)
    await runRelease()
    expect(await countTaken(session)).toBe(2)
    t.clock.set(minutes(15))
    await runRelease()
    await runRelease()
    expect([await countTaken(session), await seatsIn(session)]).toEqual([1, 1])
    t.clock.set(now)
  })

  it('are released with a withdrawn registration', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith()
    await take(actor, id, session)
    await t.db.updateTable('registrations').set({ status: 'withdrawn' }).where('id', '=', id).execute()
    await runRelease()
    expect(await countTaken(session)).toBe(0)
  })

  it('booked at the moment the hold ends are kept', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith({ status: 'draft' })
    await take(actor, id, session)
    await t.db.updateTable('registrations').set({ status: 'submitted' }).where('id', '=', id).execute()
    t.clock.set(minutes(16))
    const lock = sql`SELECT FROM registrations WHERE id = ${id} FOR UPDATE`
    const [booked] = await raceBehind(t, lock, 3, () =>
      Promise.all([take(actor, id, session), runRelease(), runRelease()]),
    )
    expect(booked.statusCode).toBe(200)
    expect([await seatsIn(session), await countTaken(session)]).toEqual([1, 1])
    t.clock.set(now)
  })
})

describe('on the day of the test', () => {
  it('staff record attendance and may correct it, from that day on', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith()
    const seat = (await take(actor, id, session)).json().data.id
    const clerk = await asWithPermissions(t, ['jadwal-test-update', 'pendaftaran-view'])
    expect((await actor.post(`/api/test-seats/${seat}/attendance`, { attended: true })).statusCode).toBe(403)
    expect((await clerk.post(`/api/test-seats/${seat}/attendance`, { attended: true })).json().code).toBe(
      'test_not_begun',
    )
    t.clock.set(days(10))
    // Staff sessions last less than ten days.
    const onTheDay = await asWithPermissions(t, ['jadwal-test-update'])
    expect((await onTheDay.post(`/api/test-seats/${seat}/attendance`, { attended: false })).json().data.status).toBe(
      'absent',
    )
    expect((await onTheDay.post(`/api/test-seats/${seat}/attendance`, { attended: true })).json().data.status).toBe(
      'attended',
    )
    expect((await actor.delete(`/api/pendaftaran/${id}/test-seat`)).json().code).toBe('test_taken')
    t.clock.set(now)
  })

  it('staff of another programme get 404', async () => {
    const session = await newSession()
    const { actor, id } = await applicantWith()
    const seat = (await take(actor, id, session)).json().data.id
    const other = await asWithPermissions(t, ['jadwal-test-update', 'jadwal-test-view'], {
      programmeIds: [academic.programmes[1]],
    })
    expect((await other.post(`/api/test-seats/${seat}/attendance`, { attended: true })).statusCode).toBe(404)
    expect((await other.get(`/api/pendaftaran/${id}/test-scores`)).statusCode).toBe(404)
  })
})

describe('scores', () => {
  it('are recorded, corrected, deleted, and summed', async () => {
    const { id, actor } = await applicantWith()
    const clerk = await asWithPermissions(t, ['jadwal-test-update', 'jadwal-test-view', 'pendaftaran-decide'])
    const put = (score: number | null) =>
      clerk.put(`/api/pendaftaran/${id}/test-scores`, { scores: [{ testId: academic.test, score }] })
    expect((await put(81.25)).json().data).toMatchObject({ total: 81.25, scores: [{ score: 81.25, maxScore: 100 }] })
    expect((await put(0)).json().data.total).toBe(0)
    expect((await put(null)).json().data.total).toBeNull()
    expect((await actor.get(`/api/pendaftaran/${id}/test-scores`)).statusCode).toBe(403)
  })

  it('are refused above the maximum, for an unknown test, and after the decision', async () => {
    const { id } = await applicantWith()
    const clerk = await asWithPermissions(t, ['jadwal-test-update', 'jadwal-test-view', 'pendaftaran-decide'])
    const put = (testId: string, score: number) =>
      clerk.put(`/api/pendaftaran/${id}/test-scores`, { scores: [{ testId, score }] })
    const high = await put(academic.test, 100.01)
    expect(high.statusCode).toBe(422)
    expect(Object.keys(high.json().errors)).toEqual(['scores.0.score'])
    expect((await put(academic.wave, 5)).statusCode).toBe(422)
    await t.db
      .updateTable('registrations')
      .set({ status: 'decided' } as never)
      .where('id', '=', id)
      .execute()
    expect((await put(academic.test, 50)).json().code).toBe('wrong_status')
  })
})
