import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getEntity } from '#entities/index.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { raceBehind } from '#server-test/race-behind.ts'
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
const counterOf = (id: string) => sql`SELECT FROM test_session_seats WHERE test_session_id = ${id} FOR UPDATE`
const person = () => testTaker(t, academic)
const sessionOf = (id: string) =>
  t.db
    .selectFrom('testSessions as s')
    .innerJoin('testSessionSeats as c', 'c.testSessionId', 's.id')
    .select(['s.capacity', 'c.capacity as counted', 'c.taken', 's.version'])
    .where('s.id', '=', id)
    .executeTakeFirstOrThrow()

it('two rooms added at once both count in the capacity', async () => {
  const id = await newSession({ capacity: 0 })
  const lock = sql`SELECT FROM test_sessions WHERE id = ${id} FOR UPDATE`
  await raceBehind(t, lock, 2, () =>
    Promise.all(
      ['A', 'B'].map((name) =>
        t.db.insertInto('testSessionRooms').values({ testSessionId: id, name, capacity: 3 }).execute(),
      ),
    ),
  )
  expect(await sessionOf(id)).toMatchObject({ capacity: 6, counted: 6 })
})

it('of lowering the capacity and taking the last seat at once, one is refused', async () => {
  for (let round = 0; round < 3; round++) {
    const id = await newSession({ capacity: 2 })
    await takeSeat(await person(), id)
    const late = await person()
    const { data } = (await staff.get(`/master/jadwal-test/${id}`)).json()
    const fields = [...Object.keys(getEntity('jadwal-test').fields), 'version']
    const form = { ...Object.fromEntries(fields.map((field) => [field, data[field]])), capacity: 1 }
    const answers = await raceBehind(t, counterOf(id), 2, () =>
      Promise.all([staff.put(`/master/jadwal-test/${id}`, form), takeSeat(late, id)]),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const refused = answers.find(({ statusCode }) => statusCode === 409)!.json().code
    expect(['test_seats_taken', 'test_session_full']).toContain(refused)
    const { capacity, taken } = await sessionOf(id)
    expect(taken).toBe(capacity)
  }
})

it('when places are given while people book, each person gets one place', async () => {
  const id = await newSession({ capacity: 0 })
  const rooms = ['Lab A', 'Lab B'].map((name) => ({ name, capacity: 3 }))
  await staff.put(`/jadwal-test/${id}/rooms`, { version: 1, rooms })
  await takeSeat(await person(), id)
  const people = [await person(), await person(), await person()]
  const { version } = await sessionOf(id)
  const answers = await raceBehind(t, counterOf(id), 4, () =>
    Promise.all([
      staff.post(`/jadwal-test/${id}/seating`, { version, rule: 'lot' }),
      ...people.map((one) => takeSeat(one, id)),
    ]),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  const places = await t.db
    .selectFrom('testSeats')
    .select(['roomId', 'seatNumber'])
    .where('testSessionId', '=', id)
    .where('status', '<>', 'released')
    .execute()
  expect(places).toHaveLength(4)
  expect(places.every(({ roomId }) => roomId !== null)).toBe(true)
  expect(new Set(places.map(({ roomId, seatNumber }) => `${roomId} ${seatNumber}`)).size).toBe(4)
})

it('a session moved by two accounts at once is moved once, with one notice to each participant', async () => {
  const id = await newSession()
  const holder = await person()
  await takeSeat(holder, id)
  const { version } = await sessionOf(id)
  const move = (startTime: string) =>
    staff.post(`/jadwal-test/${id}/reschedule`, {
      version,
      date: '2026-12-05',
      startTime,
      endTime: '17:00',
      location: 'Aula',
      seats: 'keep',
      reason: 'Listrik padam',
    })
  const answers = await raceBehind(t, counterOf(id), 2, () => Promise.all([move('09:00'), move('10:00')]))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const messages = await t.db
    .selectFrom('messages')
    .select('id')
    .where('accountId', '=', holder.actor.accountId)
    .where('event', '=', 'test-moved')
    .where('channel', '=', 'inbox')
    .execute()
  expect(messages).toHaveLength(1)
})

it('a seat released by staff while its applicant withdraws is freed once', async () => {
  const id = await newSession()
  const [holder, other] = [await person(), await person()]
  await takeSeat(holder, id)
  await takeSeat(other, id)
  const release = sql`WITH released AS (UPDATE test_seats SET status = 'released', released_at = ${now}
      WHERE registration_id = ${holder.id} RETURNING test_session_id)
    UPDATE test_session_seats c SET taken = taken - 1 FROM released r WHERE c.test_session_id = r.test_session_id`
  const withdrawal = await raceBehind(t, release, 1, () =>
    holder.actor.post(`/pendaftaran/${holder.id}/withdraw`, { reason: 'Pindah kota' }),
  )
  expect(withdrawal.statusCode).toBe(200)
  expect((await sessionOf(id)).taken).toBe(1)
})
