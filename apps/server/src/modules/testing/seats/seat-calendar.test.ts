import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iCalendar } from '#server/platform/files/i-calendar.ts'
import { asApplicant } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession, testTaker } from '#server-test/factories/registrations/testing.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

const now = new Date('2026-11-20T03:00:00Z')

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicFixture(t.db, now)
})
afterAll(() => t?.close())

describe('the calendar file of a seat', () => {
  it('contains the session in UTC; the file of a later seat replaces it in the calendar', async () => {
    const [first, second] = [
      await testSession(t.db, academic, now, { name: 'Tes CBT; ruang A, sesi 1', location: 'Gedung A, lantai 3' }),
      await testSession(t.db, academic, now, { date: '2026-12-05' }),
    ]
    const { actor, id } = await testTaker(t, academic)
    const file = () => actor.get(`/pendaftaran/${id}/test-seat.ics`)
    expect((await file()).statusCode).toBe(404)
    await actor.post(`/pendaftaran/${id}/test-seat`, { testSessionId: first })
    const answer = await file()
    expect(answer.headers['content-type']).toContain('text/calendar')
    const lines = answer.body.replaceAll('\r\n ', '').split('\r\n')
    expect(lines).toContain('DTSTART:20261130T060000Z')
    expect(lines).toContain('DTEND:20261130T080000Z')
    expect(lines).toContain('LOCATION:Gedung A\\, lantai 3')
    expect(lines.find((line) => line.startsWith('SUMMARY:'))).toContain('Tes CBT\\; ruang A\\, sesi 1')
    await actor.post(`/pendaftaran/${id}/test-seat`, { testSessionId: second })
    const moved = (await file()).body.replaceAll('\r\n ', '').split('\r\n')
    expect(moved).toContain('DTSTART:20261205T060000Z')
    expect(moved.find((line) => line.startsWith('UID:'))).toBe(lines.find((line) => line.startsWith('UID:')))
    expect([lines, moved].map((file) => file.find((line) => line.startsWith('SEQUENCE:')))).toEqual([
      'SEQUENCE:1',
      'SEQUENCE:2',
    ])
    const stranger = await asApplicant(t)
    expect((await stranger.get(`/pendaftaran/${id}/test-seat.ics`)).statusCode).toBe(404)
  })

  it('has no line above 75 octets and no split character', () => {
    const summary = 'Ujian saringan masuk jalur mandiri — gelombang ke‑3 '.repeat(6)
    const file = iCalendar({
      uid: 'x',
      sequence: 1,
      stamp: now,
      startsAt: now,
      endsAt: now,
      summary,
      location: '',
      url: 'https://x.test/',
    })
    expect(Math.max(...file.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}`)
    expect(file).not.toContain('LOCATION')
  })
})
