import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { type TestTaker, takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
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
async function people(count: number) {
  const found: TestTaker[] = []
  while (found.length < count) found.push(await person())
  return found
}
const messagesOf = async ({ actor }: TestTaker) =>
  (await actor.get('/messages')).json().data as { subject: string; body: string }[]

describe('a session that is cancelled while people book it', () => {
  it('keeps no seat: earlier bookings get a notice, later ones 404', async () => {
    const id = await newSession({ capacity: 20 })
    const takers = await people(6)
    const [cancelled, ...answers] = await raceBehind(t, counterOf(id), 7, () =>
      Promise.all([
        staff.post(`/jadwal-test/${id}/cancel`, { version: 1, reason: 'Gedung dipakai pemilu' }),
        ...takers.map((taker) => takeSeat(taker, id)),
      ]),
    )
    expect(cancelled!.statusCode).toBe(200)
    const seats = await t.db
      .selectFrom('testSeats')
      .select('status')
      .where('testSessionId', '=', id)
      .where('status', 'in', ['held', 'booked'])
      .execute()
    expect(seats).toEqual([])
    for (const [index, taker] of takers.entries()) {
      if (answers[index]!.statusCode === 200)
        expect((await messagesOf(taker)).filter(({ body }) => body.includes('pemilu'))).toHaveLength(1)
      else expect(answers[index]!.statusCode).toBe(404)
    }
    const found = await checkInvariants(t.services)
    expect(found.filter(({ check }) => check.startsWith('seat-'))).toEqual([])
  })

  it('is refused by the database for a seat added without the lock', async () => {
    const id = await newSession({ capacity: 20 })
    const { id: registrationId } = await person()
    await staff.post(`/jadwal-test/${id}/cancel`, { version: 1, reason: 'Gedung dipakai pemilu' })
    const seat = t.db
      .insertInto('testSeats')
      .values({ testSessionId: id, registrationId, status: 'booked', bookedAt: now, createdAt: now })
      .execute()
    await expect(seat).rejects.toThrow('is cancelled')
  })
})

describe('a session that moves while people book it', () => {
  it('informs everyone with a seat about the new place', async () => {
    const id = await newSession({ capacity: 20 })
    const takers = await people(6)
    const move = { version: 1, date: '2026-12-24', startTime: '13:00', endTime: '15:00', location: 'Gedung Baru' }
    const [moved] = await raceBehind(t, counterOf(id), 7, () =>
      Promise.all([
        staff.post(`/jadwal-test/${id}/reschedule`, { ...move, seats: 'keep', reason: 'Gedung lama direnovasi' }),
        ...takers.map((taker) => takeSeat(taker, id)),
      ]),
    )
    expect(moved!.statusCode).toBe(200)
    for (const taker of takers) {
      const messages = await messagesOf(taker)
      expect(messages.some(({ body }) => body.includes('Gedung Baru'))).toBe(true)
    }
  })
})

describe('a room', () => {
  const room = (name: string) => ({ name, capacity: 10 })
  const series = (day: string, name: string) => ({
    waveId: academic.wave,
    testIds: [academic.test],
    name,
    location: `Kampus ${name}`,
    days: [day],
    times: [{ startTime: '08:00', endTime: '10:00' }],
    rooms: [room('Lab 9')],
  })

  it('is used by one of two series written at once, even in different waves', async () => {
    const { rows } = await sql<{
      id: string
    }>`INSERT INTO waves (code, name, academic_year, semester_code, opens_at, closes_at)
      SELECT 'ROOM', name, academic_year, semester_code, opens_at, closes_at FROM waves WHERE id = ${academic.wave} RETURNING id`.execute(
      t.db,
    )
    const answers = await Promise.all([
      staff.post('/jadwal-test', series('2026-12-28', 'A')),
      staff.post('/jadwal-test', { ...series('2026-12-28', 'B'), waveId: rows[0]!.id }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
  })

  it('in use is refused for the rooms of another session and for a session moved to that time', async () => {
    const [first] = (await staff.post('/jadwal-test', series('2026-12-29', 'C'))).json().data.ids
    const second = await newSession({ date: '2026-12-29', startTime: '09:00', endTime: '11:00' })
    const rooms = await staff.put(`/jadwal-test/${second}/rooms`, { version: 1, rooms: [room('Lab 9')] })
    expect(rooms.json()).toMatchObject({ code: 'test_sessions_clash', message: expect.stringContaining('Lab 9') })
    const [third] = (await staff.post('/jadwal-test', series('2026-12-30', 'D'))).json().data.ids
    const move = { date: '2026-12-29', startTime: '09:00', endTime: '11:00', location: 'Kampus D' }
    const moved = await staff.post(`/jadwal-test/${third}/reschedule`, {
      version: 1,
      ...move,
      seats: 'keep',
      reason: 'Dipercepat sehari',
    })
    expect(moved.json().code).toBe('test_sessions_clash')
    expect(first).toBeDefined()
  })

  it('cannot be booked for a day in the past', async () => {
    const answer = await staff.post('/jadwal-test', series('2026-11-19', 'E'))
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual(['days'])
  })
})
