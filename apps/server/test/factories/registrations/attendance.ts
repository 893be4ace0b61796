import crypto from 'node:crypto'
import type { ScanKind } from '#domain/door/attendance.ts'
import { cardCode } from '#server/modules/admissions/registrations/registration-card.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { type TestTaker, takeSeat, testSession, testTaker } from './testing.ts'

type World = { t: TestApp; academic: AcademicFixture; now: Date; clerk: TestActor }
type Person = TestTaker & { code: string; card: string; seat: string }
type Scan = { id: string; kind: ScanKind; at: string; card?: string; registrationId?: string; reason?: string }

const phoneOf = (name: string) => ({ id: crypto.randomUUID(), name })
export const phone = phoneOf('HP pintu A')
export const secondPhone = phoneOf('HP pintu B')

/** People with seats in sessions, and phone scans; `world` is called each time, because tests start it late. */
export function attendanceOf(world: () => World) {
  const db = () => world().t.db

  async function personIn(session: string | null, status = 'paid'): Promise<Person> {
    const { t, academic } = world()
    const taker = await testTaker(t, academic, { status })
    const { code } = await db()
      .selectFrom('registrations')
      .select('code')
      .where('id', '=', taker.id)
      .executeTakeFirstOrThrow()
    const seat = session ? (await takeSeat(taker, session)).json().data.id : ''
    return { ...taker, code, card: cardCode(t.services, code), seat }
  }

  /** A session today and people with seats in it. */
  async function sessionWith(count: number, values: Record<string, unknown> = {}) {
    const { academic, now } = world()
    const session = await testSession(db(), academic, now, { date: '2026-11-20', ...values })
    const people: Person[] = []
    for (let index = 0; index < count; index++) people.push(await personIn(session))
    return { session, people }
  }

  const scanOf = (
    values: Partial<Scan> & ({ card: string } | { registrationId: string }),
    at = world().t.clock.now(),
  ): Scan => ({ id: crypto.randomUUID(), kind: 'arrive', at: at.toISOString(), ...values })
  const send = (session: string, scans: Scan[], device = phone, sentAt = world().t.clock.now(), by = world().clerk) =>
    by.post(`/jadwal-test/${session}/scans`, { device, sentAt: sentAt.toISOString(), scans })

  return {
    personIn,
    sessionWith,
    scanOf,
    send,
    resultsOf: async (...args: Parameters<typeof send>) => (await send(...args)).json().data,
    listOf: async (session: string, by = world().clerk) =>
      (await by.get(`/jadwal-test/${session}/attendance`)).json().data,
    seatOf: ({ id }: Pick<Person, 'id'>) =>
      db()
        .selectFrom('testSeats')
        .select(['testSessionId', 'status', 'arrivedAt', 'leftAt', 'extra', 'forcedReason'])
        .where('registrationId', '=', id)
        .where('status', '<>', 'released')
        .executeTakeFirstOrThrow(),
    takenIn: async (session: string) =>
      (
        await db()
          .selectFrom('testSessionSeats')
          .select('taken')
          .where('testSessionId', '=', session)
          .executeTakeFirstOrThrow()
      ).taken,
  }
}
