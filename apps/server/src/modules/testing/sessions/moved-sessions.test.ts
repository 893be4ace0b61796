import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weekdayDate } from '#locales/format.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { sessionsOf } from '#server-test/factories/registrations/test-sessions.ts'
import { takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { raceBehind, untilLocked } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

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

const { read, book, messagesOf, saveForm } = sessionsOf(() => ({ t, academic, staff }))

describe('a session that moves', () => {
  it('sends each participant one notice and keeps their seats', async () => {
    const id = await testSession(t.db, academic, now, { bookingClosesAt: hours(24) })
    const { actor } = await book(id)
    const held = await book(id, 'draft')
    const move = { version: 1, date: '2026-12-15', startTime: '09:00', endTime: '11:00', location: 'Gedung B' }
    const body = { ...move, seats: 'keep', reason: 'Listrik padam' }
    const answers = await Promise.all([1, 2].map(() => staff.post(`/api/jadwal-test/${id}/reschedule`, body)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(answers.find(({ statusCode }) => statusCode === 200)!.json().data).toEqual({ told: 1 })
    const notices = await messagesOf(actor.accountId, 'test-moved')
    expect(notices).toHaveLength(1)
    expect(notices[0]).toContain('Listrik padam')
    expect(await messagesOf(held.actor.accountId, 'test-moved')).toEqual([])
    expect(await read(id)).toMatchObject({ date: '2026-12-15', startTime: '09:00', location: 'Gedung B', taken: 2 })
  })

  it('is moved in master data while nobody has a seat, and afterwards only on its page, which sends notices', async () => {
    const id = await testSession(t.db, academic, now)
    expect((await saveForm(id, { date: '2026-12-14', location: 'Aula lama' })).statusCode).toBe(200)
    const { actor } = await book(id)
    for (const [values, field] of [
      [{ date: '2026-12-15' }, 'date'],
      [{ startTime: '14:00', endTime: '16:00' }, 'date'],
      [{ location: 'Aula baru' }, 'location'],
    ] as const) {
      const refused = await saveForm(id, values)
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [field]])
    }
    expect((await saveForm(id, { name: 'Nama baru', bookingOpensAt: hours(-1) })).statusCode).toBe(200)
    expect(await read(id)).toMatchObject({ name: 'Nama baru', date: '2026-12-14', location: 'Aula lama' })
    expect(await messagesOf(actor.accountId, 'test-moved')).toEqual([])

    const { version } = await read(id)
    const move = { version, date: '2026-12-15', startTime: '14:00', endTime: '16:00', location: 'Aula baru' }
    const moved = await staff.post(`/api/jadwal-test/${id}/reschedule`, { ...move, seats: 'keep', reason: 'Pindah' })
    expect(moved.json().data).toEqual({ told: 1 })
    await expect(
      sql`UPDATE test_sessions SET start_time = '07:00' WHERE id = ${id}`.execute(t.owner),
    ).rejects.toMatchObject({ code: 'PMB04' })
  })

  describe('while an applicant books', () => {
    const inMasterData = (id: string) => saveForm(id, { date: '2026-12-15' })
    const onItsPage = (id: string) =>
      staff.post(`/api/jadwal-test/${id}/reschedule`, {
        ...{ version: 1, date: '2026-12-15', startTime: '09:00', endTime: '11:00', location: 'Gedung B' },
        ...{ seats: 'keep', reason: 'Pindah' },
      })

    /** Makes both wait for the session's counter, one after the other. */
    async function race(move: typeof onItsPage, first: 'move' | 'booking') {
      const id = await testSession(t.db, academic, now)
      const taker = await testTaker(t, academic)
      const { actor } = taker
      const counter = sql`SELECT FROM test_session_seats WHERE test_session_id = ${id} FOR UPDATE`
      const works = { move: () => move(id), booking: () => takeSeat(taker, id) }
      const start = async (name: keyof typeof works) => {
        if (name !== first) await untilLocked(t, 1)
        return works[name]()
      }
      const [moved, booked] = await raceBehind(t, counter, 2, () => Promise.all([start('move'), start('booking')]))
      const [notice] = await messagesOf(actor.accountId, 'test-booked')
      return { answers: [moved.statusCode, booked.statusCode], notice, date: (await read(id)).date }
    }

    it.each([inMasterData, onItsPage])('names the new time in the notice of the booking (%o)', async (move) => {
      const { answers, notice, date } = await race(move, 'move')
      expect([answers, date]).toEqual([[200, 200], '2026-12-15'])
      expect(notice).toContain(weekdayDate(date, 'en'))
    })

    it('is refused in master data if the seat was taken first', async () => {
      const { answers, date } = await race(inMasterData, 'booking')
      expect([answers, date]).toEqual([[422, 200], '2026-11-30'])
    })
  })

  it('may release all participants, who then choose again', async () => {
    const id = await testSession(t.db, academic, now)
    const { actor } = await book(id)
    const move = { version: 1, date: '2026-12-16', startTime: '09:00', endTime: '11:00', location: 'Gedung B' }
    await staff.post(`/api/jadwal-test/${id}/reschedule`, { ...move, seats: 'release', reason: 'Ruang dipakai' })
    expect(await messagesOf(actor.accountId, 'test-released')).toHaveLength(1)
    expect(await read(id)).toMatchObject({ taken: 0 })
  })

  it('cannot move into the past', async () => {
    const id = await testSession(t.db, academic, now)
    const move = { version: 1, date: '2026-11-20', startTime: '08:00', endTime: '11:00', location: 'B', seats: 'keep' }
    const answer = await staff.post(`/api/jadwal-test/${id}/reschedule`, { ...move, reason: 'Salah ketik' })
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['date']])
  })

  it('cancelled, releases and notifies all participants, and can no longer be booked', async () => {
    const id = await testSession(t.db, academic, now)
    const { actor } = await book(id)
    const answer = await staff.post(`/api/jadwal-test/${id}/cancel`, { version: 1, reason: 'Banjir' })
    expect(answer.json().data).toEqual({ told: 1 })
    expect((await messagesOf(actor.accountId, 'test-released'))[0]).toContain('Banjir')
    expect(await read(id)).toMatchObject({ state: 'cancelled', cancelReason: 'Banjir', taken: 0 })
    expect((await book(id)).answer.statusCode).toBe(404)
    expect((await staff.post(`/api/jadwal-test/${id}/cancel`, { version: 2, reason: 'Banjir' })).json().code).toBe(
      'test_session_cancelled',
    )
  })
})
