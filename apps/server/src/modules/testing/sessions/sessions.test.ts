import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { sessionsOf } from '#server-test/factories/registrations/test-sessions.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
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

const room = (name: string, capacity: number, more: object = {}) => ({ name, capacity, ...more })
const seriesOf = (values: object = {}) => ({
  waveId: academic.wave,
  testIds: [academic.test],
  name: 'CBT',
  location: 'Kampus A',
  days: ['2026-12-07', '2026-12-08'],
  times: [
    { startTime: '08:00', endTime: '10:00' },
    { startTime: '13:00', endTime: '15:00' },
  ],
  rooms: [room('Lab 1', 30), room('Lab 2', 20)],
  ...values,
})
const { read, book, saveForm } = sessionsOf(() => ({ t, academic, staff }))
let day = 0
/** A session with rooms, on a day without other sessions. */
const sessionWithRooms = async (rooms: object[], values: Record<string, unknown> = {}) => {
  const date = `2027-02-${String(++day).padStart(2, '0')}`
  const id = await testSession(t.db, academic, now, { capacity: 0, date, ...values })
  const { version } = await read(id)
  const answer = await staff.put(`/api/jadwal-test/${id}/rooms`, { version, rooms })
  expect(answer.statusCode).toBe(200)
  return { id, ...answer.json().data } as Awaited<ReturnType<typeof read>>
}
const capacityOf = async (id: string) =>
  (await t.db.selectFrom('testSessions').select('capacity').where('id', '=', id).executeTakeFirstOrThrow()).capacity

describe('a series', () => {
  it('is previewed as days × times, numbered, with the seats of the rooms', async () => {
    const answer = await staff.post('/api/jadwal-test/preview', seriesOf())
    expect(
      answer.json().data.sessions.map((s: Record<string, unknown>) => [s.name, s.date, s.startTime, s.capacity]),
    ).toEqual([
      ['CBT 1', '2026-12-07', '08:00', 50],
      ['CBT 2', '2026-12-07', '13:00', 50],
      ['CBT 3', '2026-12-08', '08:00', 50],
      ['CBT 4', '2026-12-08', '13:00', 50],
    ])
    expect((await staff.get('/api/jadwal-test?q=CBT')).json().meta.total).toBe(0)
  })

  it('is written as a whole; again, it is refused with the conflicting sessions and writes nothing', async () => {
    const first = await staff.post('/api/jadwal-test', seriesOf())
    expect(first.statusCode).toBe(201)
    expect(first.json().data.ids).toHaveLength(4)
    const again = await staff.post('/api/jadwal-test', seriesOf({ days: ['2026-12-08', '2026-12-09'] }))
    expect(again.statusCode).toBe(409)
    expect(again.json().code).toBe('test_sessions_clash')
    expect(again.json().message).toContain('CBT 3 (Lab 1)')
    expect((await staff.get('/api/jadwal-test?from=2026-12-09&to=2026-12-09')).json().meta.total).toBe(0)
  })

  it('may use other rooms at the same time, but not the same room', async () => {
    const overlapping = {
      days: ['2026-12-07'],
      times: [{ startTime: '09:00', endTime: '11:00' }],
      location: 'Kampus B',
    }
    const preview = await staff.post(
      '/api/jadwal-test/preview',
      seriesOf({ ...overlapping, rooms: [room('LAB 1', 5)] }),
    )
    expect(preview.json().data.sessions[0].clashes).toMatchObject([{ name: 'CBT 1', room: 'Lab 1' }])
    const other = await staff.post('/api/jadwal-test/preview', seriesOf({ ...overlapping, rooms: [room('Lab 3', 5)] }))
    expect(other.json().data.sessions[0].clashes).toEqual([])
  })

  it('written three times at once is written once', async () => {
    const series = seriesOf({ days: ['2026-12-14'], name: 'Serentak' })
    const answers = await Promise.all([1, 2, 3].map(() => staff.post('/api/jadwal-test', series)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409])
    expect((await staff.get('/api/jadwal-test?q=Serentak')).json().meta.total).toBe(2)
  })

  it.each([
    ['an end before the start', { times: [{ startTime: '10:00', endTime: '08:00' }] }, 'times.0.endTime'],
    ['neither rooms nor a capacity', { rooms: [] }, 'capacity'],
    ['two rooms of one name', { rooms: [room('Lab', 1), room('lab', 1)] }, 'rooms.1.name'],
  ])('with %s is refused', async (_situation, values, field) => {
    const answer = await staff.post('/api/jadwal-test', seriesOf(values))
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
  })

  it('needs the permission to create and the view of the whole university', async () => {
    const viewer = await asWithPermissions(t, ['jadwal-test-view'])
    expect((await viewer.post('/api/jadwal-test', seriesOf())).statusCode).toBe(403)
    const limited = await asWithPermissions(t, ['jadwal-test-view', 'jadwal-test-create'], {
      programmeIds: [academic.programmes[0]],
    })
    expect((await limited.post('/api/jadwal-test', seriesOf({ days: ['2026-12-21'] }))).statusCode).toBe(403)
  })
})

describe('rooms', () => {
  it('make up the capacity of their session, also in master data', async () => {
    const session = await sessionWithRooms([
      room('A', 12, { seatRows: 3, seatColumns: 4, specialSeats: [1] }),
      room('B', 8),
    ])
    expect(session).toMatchObject({ capacity: 20, unseated: 0 })
    expect((await staff.get(`/api/master/jadwal-test/${session.id}`)).json().data.capacity).toBe(20)
    const rooms = session.rooms.map((one: { taken: number }) => ({ ...one, taken: undefined }))
    const smaller = await staff.put(`/api/jadwal-test/${session.id}/rooms`, {
      version: session.version,
      rooms: [{ ...rooms[0], name: 'B' }, { ...rooms[1], name: 'A', capacity: 5 }, room('C', 3)],
    })
    expect(smaller.json().data).toMatchObject({ capacity: 20, rooms: [{ name: 'B' }, { name: 'A' }, { name: 'C' }] })
    const shrunk = await staff.put(`/api/jadwal-test/${session.id}/rooms`, {
      version: smaller.json().data.version,
      rooms: [rooms[0]],
    })
    expect(shrunk.json().data).toMatchObject({ capacity: 12, rooms: [{ name: 'A' }] })
  })

  it('cannot have fewer seats than are taken, on either page', async () => {
    const session = await sessionWithRooms([room('A', 2), room('B', 1)])
    for (let index = 0; index < 3; index++) await book(session.id)
    const { version, rooms } = await read(session.id)
    const fewer = await staff.put(`/api/jadwal-test/${session.id}/rooms`, {
      version,
      rooms: [{ id: rooms[0].id, name: 'A', capacity: 2 }],
    })
    expect([fewer.statusCode, fewer.json().code]).toEqual([409, 'test_capacity_taken'])
    expect(fewer.json().message).toContain('3')
    const changed = await saveForm(session.id, { capacity: 2 })
    expect([changed.statusCode, changed.json().code]).toEqual([409, 'test_capacity_of_rooms'])

    const plain = await testSession(t.db, academic, now, { capacity: 2 })
    await book(plain)
    await book(plain)
    const below = await saveForm(plain, { capacity: 1 })
    expect([below.statusCode, below.json().code]).toEqual([409, 'test_seats_taken'])
    expect(await capacityOf(plain)).toBe(2)
  })

  it('cannot lose an occupied place', async () => {
    const session = await sessionWithRooms([room('A', 2), room('B', 2)])
    for (let index = 0; index < 3; index++) await book(session.id)
    const seated = await staff.post(`/api/jadwal-test/${session.id}/seating`, {
      version: session.version,
      rule: 'name',
    })
    expect(seated.json().data.rooms.map((one: { taken: number }) => one.taken)).toEqual([2, 1])
    const { version, rooms } = seated.json().data
    const put = (next: object[]) => staff.put(`/api/jadwal-test/${session.id}/rooms`, { version, rooms: next })
    const [a, b] = rooms as { id: string }[]
    expect((await put([{ id: a!.id, name: 'A', capacity: 9 }])).json().code).toBe('test_room_taken')
    const small = await put([
      { id: a!.id, name: 'A', capacity: 1 },
      { id: b!.id, name: 'B', capacity: 9 },
    ])
    expect(small.json().code).toBe('test_room_seat_taken')
  })

  it('are protected by the database too', async () => {
    const session = await sessionWithRooms([room('A', 2), room('B', 2)])
    const people = [await book(session.id), await book(session.id), await book(session.id)]
    const seated = await staff.post(`/api/jadwal-test/${session.id}/seating`, {
      version: session.version,
      rule: 'name',
    })
    const [a] = seated.json().data.rooms as { id: string }[]
    const refusedWith = (statement: ReturnType<typeof sql>) =>
      statement.execute(t.owner).then(
        () => 'done',
        ({ code }) => code,
      )
    expect(await refusedWith(sql`UPDATE test_sessions SET capacity = 9 WHERE id = ${session.id}`)).toBe('PMB03')
    expect(await refusedWith(sql`UPDATE test_session_rooms SET capacity = 1 WHERE id = ${a!.id}`)).toBe('PMB02')
    expect(await refusedWith(sql`DELETE FROM test_session_rooms WHERE id = ${a!.id}`)).toBe('23503')
    expect(
      await refusedWith(sql`UPDATE test_seats SET room_id = ${a!.id}, seat_number = 3 WHERE id = ${people[0]!.seatId}`),
    ).toBe('PMB02')
    expect(
      await refusedWith(
        sql`UPDATE test_seats SET room_id = ${a!.id}, seat_number = 1 WHERE test_session_id = ${session.id}`,
      ),
    ).toBe('23505')
    expect(await refusedWith(sql`UPDATE test_session_seats SET taken = 5 WHERE test_session_id = ${session.id}`)).toBe(
      '23514',
    )
  })

  it('changed by two accounts at once keep the first change', async () => {
    const session = await sessionWithRooms([room('A', 2)])
    const answers = await Promise.all(
      [3, 4].map((capacity) =>
        staff.put(`/api/jadwal-test/${session.id}/rooms`, { version: session.version, rooms: [room('N', capacity)] }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })
})

describe('places', () => {
  it('by lot are stored with their seed, which gives the same places again', async () => {
    const session = await sessionWithRooms([room('A', 4), room('B', 4)])
    for (let index = 0; index < 6; index++) await book(session.id)
    const give = async (body: object) => {
      const { version } = await read(session.id)
      await staff.post(`/api/jadwal-test/${session.id}/seating`, { version, ...body })
      const { data } = (await staff.get(`/api/jadwal-test/${session.id}/participants?sort=room`)).json()
      return data.map((one: Record<string, string>) => `${one.room} ${one.seat} ${one.code}`)
    }
    const drawn = await give({ rule: 'lot' })
    const { seatingSeed } = await read(session.id)
    expect(seatingSeed).toMatch(/^[0-9a-f]{12}$/)
    const byName = await give({ rule: 'name' })
    expect(byName).not.toEqual(drawn)
    expect(await give({ rule: 'lot', seed: seatingSeed })).toEqual(drawn)
  })

  it('for special needs are given first; a role that may only view does not see the needs', async () => {
    const session = await sessionWithRooms([room('A', 3, { specialSeats: [3] })])
    await book(session.id)
    const { actor } = await book(session.id)
    const path = '/api/auth/my-profile/special-needs'
    expect((await actor.put(path, { needs: 'Kursi roda' })).json().data).toEqual({ needs: 'Kursi roda' })
    expect((await actor.get(path)).json().data).toEqual({ needs: 'Kursi roda' })
    await staff.post(`/api/jadwal-test/${session.id}/seating`, { version: session.version, rule: 'name' })
    const needsSeenBy = async (reader: TestActor) =>
      (await reader.get(`/api/jadwal-test/${session.id}/participants`))
        .json()
        .data.filter((one: { seat: string }) => one.seat === '3')
        .map((one: { needs: string | null }) => one.needs)
    expect(await needsSeenBy(await asWithPermissions(t, ['jadwal-test-view', 'jadwal-test-update']))).toEqual([
      'Kursi roda',
    ])
    expect(await needsSeenBy(await asWithPermissions(t, ['jadwal-test-view']))).toEqual([null])
    const log = await t.db.selectFrom('auditLog').selectAll().where('action', '=', 'profile.needs').execute()
    expect(JSON.stringify(log)).not.toContain('Kursi roda')
  })

  it('for later bookings are the next free ones, including those of released seats', async () => {
    const session = await sessionWithRooms([room('A', 2), room('B', 1)])
    const first = await book(session.id)
    await staff.post(`/api/jadwal-test/${session.id}/seating`, { version: session.version, rule: 'name' })
    await book(session.id)
    await first.actor.delete(`/api/pendaftaran/${first.registrationId}/test-seat`)
    await book(session.id)
    await book(session.id)
    const { data } = (await staff.get(`/api/jadwal-test/${session.id}/participants?sort=room`)).json()
    expect(data.map((one: Record<string, string>) => `${one.room} ${one.seat}`)).toEqual(['A 1', 'A 2', 'B 1'])
    expect((await book(session.id)).answer.json().code).toBe('test_session_full')
  })

  it('need rooms, and cannot be given once the session has begun', async () => {
    const plain = await testSession(t.db, academic, now)
    expect((await staff.post(`/api/jadwal-test/${plain}/seating`, { version: 1, rule: 'name' })).json().code).toBe(
      'test_rooms_missing',
    )
    const begunSession = await testSession(t.db, academic, now, {
      date: '2026-11-20',
      startTime: '09:00',
      endTime: '12:00',
    })
    expect(
      (await staff.post(`/api/jadwal-test/${begunSession}/seating`, { version: 1, rule: 'name' })).json().code,
    ).toBe('test_session_begun')
  })
})

describe('list and calendar', () => {
  it('the list is searched by room and filtered by period and rooms', async () => {
    const session = await sessionWithRooms([room('Laboratorium Anggrek', 1)])
    await book(session.id)
    const { data } = (await staff.get('/api/jadwal-test?q=anggrek')).json()
    expect(data).toMatchObject([
      { id: session.id, taken: 1, capacity: 1, free: 0, state: 'full', hours: '13.00–15.00' },
    ])
    const totalOf = async (query: string) => (await staff.get(`/api/jadwal-test?q=anggrek&${query}`)).json().meta.total
    expect([await totalOf('period=upcoming'), await totalOf('period=past'), await totalOf('hasRoom=true')]).toEqual([
      1, 0, 0,
    ])
    expect((await staff.get('/api/jadwal-test/export?format=csv&q=anggrek')).statusCode).toBe(200)
  })

  it('the calendar shows the sessions of its days with their taken seats', async () => {
    const id = await testSession(t.db, academic, now, { date: '2027-01-11', capacity: 5 })
    await book(id)
    const { data } = (await staff.get('/api/jadwal-test/calendar?from=2027-01-11&to=2027-01-17')).json()
    expect(data).toEqual([
      {
        id,
        name: 'Sesi uji',
        date: '2027-01-11',
        startTime: '13:00',
        endTime: '15:00',
        capacity: 5,
        taken: 1,
        state: 'open',
      },
    ])
  })
})
