import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
  staff = await asStaff(t)
})
afterAll(() => t?.close())

const newSession = (values?: Record<string, unknown>) => testSession(t.db, academic, now, values)
const applicantWith = (options?: { status?: string; trackId?: string }) => testTaker(t, academic, options)
const take = (actor: TestActor, id: string, testSessionId: string) =>
  actor.post(`/api/pendaftaran/${id}/test-seat`, { testSessionId })
/** Repeats the request after 503, as Retry-After asks, because a busy machine may not serve 200 people at once. */
async function takeWhenServed(actor: TestActor, id: string, testSessionId: string) {
  for (;;) {
    const answer = await take(actor, id, testSessionId)
    if (answer.statusCode !== 503) return answer
  }
}
const bookMany = async (sessionId: string, count: number) => {
  const people = []
  for (let index = 0; index < count; index++) {
    const { actor, id } = await applicantWith()
    people.push({ actor, id, seatId: (await take(actor, id, sessionId)).json().data.id as string })
  }
  return people
}
const giveRooms = async (id: string, capacities: number[], isSeated = true) => {
  const { version } = (await staff.get(`/api/jadwal-test/${id}`)).json().data
  const rooms = capacities.map((capacity, index) => ({ name: `Ruang ${id} ${index + 1}`, capacity }))
  const { data } = (await staff.put(`/api/jadwal-test/${id}/rooms`, { version, rooms })).json()
  if (isSeated) await staff.post(`/api/jadwal-test/${id}/seating`, { version: data.version, rule: 'name' })
}
const seatsIn = (sessionId: string) =>
  t.db
    .selectFrom('testSeats')
    .select(['id', 'registrationId', 'roomId', 'seatNumber'])
    .where('testSessionId', '=', sessionId)
    .where('status', '<>', 'released')
    .execute()
const takenOf = async (sessionId: string) =>
  (await t.db.selectFrom('testSessionSeats').select('taken').where('testSessionId', '=', sessionId).executeTakeFirst())!
    .taken
const eventsOf = async (accountId: string) =>
  (
    await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', accountId)
      .where('channel', '=', 'inbox')
      .execute()
  )
    .map(({ event }) => event)
    .sort()

describe('moving participants', () => {
  it('shows the notice first, then moves and notifies them', async () => {
    const [one, two] = [await newSession(), await newSession({ name: 'Sesi pengganti' })]
    const people = await bookMany(one, 2)
    const body = { ids: people.map(({ seatId }) => seatId), toId: two }
    const preview = (await staff.post(`/api/jadwal-test/${one}/move/preview`, body)).json().data
    expect(preview).toMatchObject({ refused: [], free: 10 })
    expect(preview.allowed).toHaveLength(2)
    expect(preview.notice.body).toContain('Sesi pengganti')
    expect((await staff.post(`/api/jadwal-test/${one}/move`, body)).json().data).toEqual({ moved: 2 })
    expect([await takenOf(one), await takenOf(two)]).toEqual([0, 2])
    expect(await eventsOf(people[0]!.actor.accountId)).toEqual(['test-booked', 'test-changed'])
  })

  it('to a session with too few seats moves nobody', async () => {
    const [one, small] = [await newSession(), await newSession({ capacity: 1 })]
    const people = await bookMany(one, 2)
    const answer = await staff.post(`/api/jadwal-test/${one}/move`, {
      ids: people.map(({ seatId }) => seatId),
      toId: small,
    })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'test_session_full_for'])
    expect([await takenOf(one), await takenOf(small)]).toEqual([2, 0])
  })

  it('to a session of another track, a past session or the same one, or after the test, is refused', async () => {
    const one = await newSession()
    const [person] = await bookMany(one, 1)
    const move = (toId: string) => staff.post(`/api/jadwal-test/${one}/move`, { ids: [person!.seatId], toId })
    expect((await move(await newSession({ trackId: academic.tracks.achievement }))).json().code).toBe(
      'test_target_unfit',
    )
    expect((await move(await newSession({ date: '2026-11-01' }))).json().code).toBe('test_session_over')
    expect((await move(one)).json().code).toBe('test_target_unfit')
    await t.db.updateTable('testSeats').set({ status: 'attended' }).where('id', '=', person!.seatId).execute()
    expect((await move(await newSession())).json().code).toBe('test_taken')
  })

  it('is possible only for participants the actor sees', async () => {
    const [one, two] = [await newSession(), await newSession()]
    const [person] = await bookMany(one, 1)
    const other = await asWithPermissions(t, ['jadwal-test-view', 'jadwal-test-update'], {
      programmeIds: [academic.programmes[1]],
    })
    const body = { ids: [person!.seatId], toId: two }
    expect((await other.post(`/api/jadwal-test/${one}/move/preview`, body)).statusCode).toBe(404)
    expect((await other.post(`/api/jadwal-test/${one}/move`, body)).statusCode).toBe(404)
    const release = { ids: body.ids, reason: 'Salah jadwal' }
    expect((await other.post(`/api/jadwal-test/${one}/release`, release)).statusCode).toBe(404)
    expect((await other.get(`/api/jadwal-test/${one}/participants`)).json().data).toEqual([])
  })
})

describe('releasing and admitting', () => {
  it('releases with a reason in the notice; a second release gets 404', async () => {
    const one = await newSession()
    const [person] = await bookMany(one, 1)
    const body = { ids: [person!.seatId], reason: 'Jadwal bentrok dengan wawancara' }
    expect((await staff.post(`/api/jadwal-test/${one}/release`, body)).json().data).toEqual({ released: 1 })
    expect(await takenOf(one)).toBe(0)
    expect(await eventsOf(person!.actor.accountId)).toEqual(['test-booked', 'test-released'])
    expect((await staff.post(`/api/jadwal-test/${one}/release`, body)).statusCode).toBe(404)
    expect(await takenOf(one)).toBe(0)
  })

  it('admits at the door after booking has closed, with a place, and moves a seat from another session', async () => {
    const closed = await newSession({ bookingClosesAt: now })
    await giveRooms(closed, [2])
    const { id } = await applicantWith()
    const codeOf = async (registrationId: string) =>
      (await t.db.selectFrom('registrations').select('code').where('id', '=', registrationId).executeTakeFirstOrThrow())
        .code
    const admit = async (registrationId: string) =>
      staff.post(`/api/jadwal-test/${closed}/walk-in`, { code: (await codeOf(registrationId)).toLowerCase() })
    expect((await admit(id)).json().data).toMatchObject({ room: `Ruang ${closed} 1`, seat: '1' })
    const elsewhere = await newSession()
    const [person] = await bookMany(elsewhere, 1)
    expect((await admit(person!.id)).json().data).toMatchObject({ room: `Ruang ${closed} 1`, seat: '2' })
    expect([await takenOf(elsewhere), await takenOf(closed)]).toEqual([0, 2])
    const third = await applicantWith()
    expect((await admit(third.id)).json().code).toBe('test_session_full')
    const unknown = await staff.post(`/api/jadwal-test/${closed}/walk-in`, { code: 'TIDAK-ADA' })
    expect([unknown.statusCode, Object.keys(unknown.json().errors)]).toEqual([422, ['code']])
  })
})

describe('many at once', () => {
  it('of 200 people for the last 10 seats in 3 rooms, 10 get a place of their own', async () => {
    const session = await newSession({ capacity: 0 })
    await giveRooms(session, [4, 3, 5])
    await bookMany(session, 2)
    const applicants = []
    for (let index = 0; index < 200; index++) applicants.push(await applicantWith())
    const answers = await Promise.all(applicants.map(({ actor, id }) => takeWhenServed(actor, id, session)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
    expect(new Set(answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().code))).toEqual(
      new Set(['test_session_full']),
    )
    const seats = await seatsIn(session)
    expect(seats).toHaveLength(12)
    expect(new Set(seats.map(({ roomId, seatNumber }) => `${roomId} ${seatNumber}`)).size).toBe(12)
    expect(
      Object.values(Object.groupBy(seats, ({ roomId }) => roomId!))
        .map((group) => group!.length)
        .sort(),
    ).toEqual([3, 4, 5])
    expect(await takenOf(session)).toBe(12)
  }, 120_000)

  it('bulk moves that cross do not deadlock: everyone keeps one seat and no session is overfull', async () => {
    const [one, two] = [await newSession({ capacity: 0 }), await newSession({ capacity: 0 })]
    await giveRooms(one, [3, 3])
    await giveRooms(two, [3, 3])
    const [left, right] = [await bookMany(one, 4), await bookMany(two, 4)]
    const idsIn = async (sessionId: string, people: { id: string }[]) =>
      (await seatsIn(sessionId))
        .filter(({ registrationId }) => people.some(({ id }) => id === registrationId))
        .map(({ id }) => id)
    const deadlocksBefore = await countDeadlocks(t)
    for (let round = 0; round < 3; round++) {
      const [from, to] = round % 2 ? [two, one] : [one, two]
      const moves = [
        { from, to, ids: (await idsIn(from, left)).slice(0, 2) },
        { from: to, to: from, ids: (await idsIn(to, right)).slice(0, 2) },
        // The same people again; they are moved once.
        { from, to, ids: (await idsIn(from, left)).slice(0, 2) },
      ].filter(({ ids }) => ids.length > 0)
      const answers = await Promise.all(
        moves.map((move) => staff.post(`/api/jadwal-test/${move.from}/move`, { ids: move.ids, toId: move.to })),
      )
      for (const answer of answers) expect([200, 404, 409]).toContain(answer.statusCode)
      expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
      const all = [...(await seatsIn(one)), ...(await seatsIn(two))]
      expect(all).toHaveLength(8)
      expect(new Set(all.map(({ registrationId }) => registrationId)).size).toBe(8)
      expect(new Set(all.map(({ roomId, seatNumber }) => `${roomId} ${seatNumber}`)).size).toBe(8)
      for (const session of [one, two]) {
        expect(await takenOf(session)).toBe((await seatsIn(session)).length)
        expect(await takenOf(session)).toBeLessThanOrEqual(6)
      }
    }
    expect(await countDeadlocks(t)).toBe(deadlocksBefore)
  }, 60_000)

  it('participants who book elsewhere while their session is cancelled keep one seat', async () => {
    const [one, two] = [await newSession({ capacity: 5 }), await newSession({ capacity: 5 })]
    const people = await bookMany(one, 4)
    const [cancelled, ...booked] = await Promise.all([
      staff.post(`/api/jadwal-test/${one}/cancel`, { version: 1, reason: 'Banjir' }),
      ...people.map(({ actor, id }) => take(actor, id, two)),
    ])
    expect(cancelled!.statusCode).toBe(200)
    expect(booked.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect([await takenOf(one), await takenOf(two)]).toEqual([0, 4])
    expect([(await seatsIn(one)).length, (await seatsIn(two)).length]).toEqual([0, 4])
  })
})
