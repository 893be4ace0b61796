import { afterAll, beforeAll, expect, it } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { takeSeat, testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
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

let day = 0
/** A session with rooms, on a day without other sessions. */
const sessionWithRooms = async (rooms: object[]) => {
  const date = `2027-02-${String(++day).padStart(2, '0')}`
  const id = await testSession(t.db, academic, now, { capacity: 0, date })
  return (await staff.put(`/api/jadwal-test/${id}/rooms`, { version: 1, rooms })).json().data
}
const book = async (sessionId: string) => takeSeat(await testTaker(t, academic), sessionId)
const giveSeats = async (sessionId: string) => {
  const { version } = (await staff.get(`/api/jadwal-test/${sessionId}`)).json().data
  await staff.post(`/api/jadwal-test/${sessionId}/seating`, { version, rule: 'name' })
}

it.each(['attendance', 'door', 'labels', 'minutes'])('the paper %s is a PDF for every room or one', async (sheet) => {
  const session = await sessionWithRooms([
    { name: 'A', capacity: 2, seatRows: 1, seatColumns: 2 },
    { name: 'B', capacity: 2 },
  ])
  await book(session.id)
  await giveSeats(session.id)
  await book(session.id)
  for (const query of ['', `&roomId=${session.rooms[0].id}`]) {
    const answer = await staff.get(`/api/jadwal-test/${session.id}/print.pdf?sheet=${sheet}&language=id${query}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  }
  const other = await staff.get(`/api/jadwal-test/${session.id}/print.pdf?sheet=${sheet}&roomId=${academic.wave}`)
  expect(other.statusCode).toBe(404)
})

it('pages of empty rooms are left out, but printed for a single requested room', async () => {
  const session = await sessionWithRooms([
    { name: 'A', capacity: 1 },
    { name: 'B', capacity: 1 },
    { name: 'C', capacity: 1 },
  ])
  const pagesOf = async (query: string) => {
    const { rawPayload } = await staff.get(`/api/jadwal-test/${session.id}/print.pdf?language=id&${query}`)
    return rawPayload.toString('latin1').match(/\/Type \/Page\b(?!s)/g)!.length
  }
  const counts = async () => [
    await pagesOf('sheet=attendance'),
    await pagesOf('sheet=door'),
    await pagesOf('sheet=labels'),
    await pagesOf(`sheet=attendance&roomId=${session.rooms[2].id}`),
    await pagesOf(`sheet=door&roomId=${session.rooms[2].id}`),
  ]
  // Before places are given, every room may be used.
  expect(await counts()).toEqual([1, 3, 1, 1, 1])
  await book(session.id)
  await book(session.id)
  expect(await counts()).toEqual([1, 3, 1, 1, 1])
  await giveSeats(session.id)
  expect(await counts()).toEqual([2, 2, 1, 1, 1])
})
