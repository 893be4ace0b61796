import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { CalendarSession, SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { staffSessionState } from '#domain/testing/sessions/session-states.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'

export const wholeViewOf = (request: Parameters<typeof actorOf>[0]): Actor =>
  requireWholeView(actorOf(request), 'needs_every_programme')

const sessions = (db: Db) =>
  db
    .selectFrom('testSessions as s')
    .innerJoin('waves as w', 'w.id', 's.waveId')
    .leftJoin('tracks as t', 't.id', 's.trackId')
    .leftJoin('testSessionSeats as c', 'c.testSessionId', 's.id')
    .select(['s.id', 's.version', 's.name', 's.waveId', 's.trackId', 's.date', 's.mode', 's.location', 's.capacity'])
    .select(['s.active', 's.bookingOpensAt', 's.bookingClosesAt', 's.cancelledAt', 's.cancelReason'])
    .select(['s.seatingRule', 's.seatingSeed', 's.seatedAt', 't.name as track'])
    .select([
      sql<string>`w.name || ' ' || w.academic_year`.as('wave'),
      sql<string>`to_char(s.start_time, 'HH24:MI')`.as('startTime'),
      sql<string>`to_char(s.end_time, 'HH24:MI')`.as('endTime'),
      sql<number>`coalesce(c.taken, 0)`.as('taken'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof sessions>['execute']>>[number]

/** Adds the times of start and end, and the state for staff. */
export function withState<R extends Omit<Row, 'wave' | 'track'>>(row: R, now: Date) {
  const { momentOf } = universityCalendar()
  const startsAt = momentOf(`${row.date} ${row.startTime}:00`)
  const endsAt = momentOf(`${row.date} ${row.endTime}:00`)
  return { ...row, startsAt, endsAt, state: staffSessionState({ ...row, startsAt, endsAt }, now) }
}

export type StaffSession = ReturnType<typeof withState<Row>>

/** A session for staff; 404 for an unknown id. */
export async function getSession(db: Db, id: string, now: Date): Promise<StaffSession> {
  await getSettings(db)
  const row = await sessions(db).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('test session')
  return withState(row, now)
}

/** `getSession` for changes of people or rooms; throws 409 if the session is cancelled or over. */
export async function getOpenSession(db: Db, id: string, now: Date): Promise<StaffSession> {
  const session = await getSession(db, id, now)
  if (session.state === 'cancelled') throw conflict('test_session_cancelled')
  if (session.state === 'over') throw conflict('test_session_over')
  return session
}

/** Raises the version of a session, which locks its row; throws 409 if another account changed it. */
export async function lockSession({ tx, actor, now }: Omit<Context, 'services'>, id: string, version: number) {
  const locked = await tx
    .updateTable('testSessions')
    .set({ version: version + 1, updatedAt: now, updatedBy: actor.accountId || null })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()
  if (!locked) throw new AppError(409, 'stale_version')
}

/** A session with its rooms, for its page. */
export async function sessionDetail(db: Db, id: string, now: Date): Promise<SessionDetail> {
  const { startsAt, seatedAt, endsAt: _, cancelledAt: __, active: ___, ...session } = await getSession(db, id, now)
  const rooms = await db
    .selectFrom('testSessionRooms as o')
    .leftJoin('testSeats as p', (join) =>
      join
        .onRef('p.roomId', '=', 'o.id')
        .onRef('p.testSessionId', '=', 'o.testSessionId')
        .on('p.status', '<>', 'released'),
    )
    .select(['o.id', 'o.name', 'o.capacity', 'o.seatRows', 'o.seatColumns', 'o.specialSeats'])
    .select(sql<number>`count(p.id)`.as('taken'))
    .where('o.testSessionId', '=', id)
    .groupBy('o.id')
    .orderBy('o.position')
    .orderBy('o.id')
    .execute()
  const tests = await db
    .selectFrom('testSessionTests as st')
    .innerJoin('tests as t', 't.id', 'st.testId')
    .select('t.name')
    .where('st.testSessionId', '=', id)
    .orderBy('t.code')
    .execute()
  const placed = rooms.reduce((sum, { taken }) => sum + Number(taken), 0)
  return {
    ...session,
    startsAt: startsAt.toISOString(),
    seatedAt: seatedAt?.toISOString() ?? null,
    rooms: rooms.map((room) => ({ ...room, taken: Number(room.taken) })),
    tests: tests.map(({ name }) => name),
    unseated: session.taken - placed,
  }
}

const longestCalendarDays = 62

/** Sessions of the days, earliest first; days after the 62nd are left out. */
export async function sessionCalendar(db: Db, from: string, to: string, now: Date): Promise<CalendarSession[]> {
  await getSettings(db)
  const rows = await sessions(db)
    .where('s.date', '>=', from)
    .where('s.date', '<=', to)
    .where(sql<boolean>`s.date < ${from}::date + ${longestCalendarDays}::int`)
    .orderBy('s.date')
    .orderBy('s.startTime')
    .orderBy('s.name')
    .orderBy('s.id')
    .execute()
  return rows.map((row) => withState(row, now))
}
