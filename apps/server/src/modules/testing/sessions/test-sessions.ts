import { sql } from 'kysely'
import { bookingEnds, sessionState } from '#domain/testing/seat-status.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

type SessionRow = {
  id: string
  name: string
  date: string
  startTime: string
  endTime: string
  startsAt: Date
  endsAt: Date
  mode: 'onsite' | 'online'
  location: string
  capacity: number
  taken: number
  bookingOpensAt: Date | null
  bookingClosesAt: Date | null
  active: boolean
  tests: { id: string; name: string; kind: string }[]
}

type Wanted = { waveId: string; trackId: string | null } | { sessionId: string }

/** Sessions of a wave for this track, or one session by id; earliest first. */
async function findSessions(db: Db, selection: Wanted, timeZone: string): Promise<SessionRow[]> {
  const which =
    'sessionId' in selection
      ? sql`s.id = ${selection.sessionId}`
      : sql`s.active AND s.wave_id = ${selection.waveId} AND (s.track_id IS NULL OR s.track_id = ${selection.trackId})`
  const { rows } = await sql<SessionRow>`
    SELECT s.id, s.name, s.date, to_char(s.start_time, 'HH24:MI') AS start_time, to_char(s.end_time, 'HH24:MI') AS end_time,
      (s.date + s.start_time) AT TIME ZONE ${timeZone} AS starts_at, (s.date + s.end_time) AT TIME ZONE ${timeZone} AS ends_at,
      s.mode, s.location, s.capacity, coalesce(c.taken, 0) AS taken, s.booking_opens_at, s.booking_closes_at, s.active,
      coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'kind', t.kind) ORDER BY t.code)
        FROM test_session_tests st JOIN tests t ON t.id = st.test_id WHERE st.test_session_id = s.id), '[]') AS tests
    FROM test_sessions s LEFT JOIN test_session_seats c ON c.test_session_id = s.id
    WHERE ${which}
    ORDER BY s.date, s.start_time, s.name, s.id`.execute(db)
  return rows
}

const viewOf = (row: SessionRow, now: Date, { told: withLink }: { told: boolean }) => {
  const session = { ...row, seatsLeft: Math.max(0, row.capacity - row.taken) }
  return {
    ...session,
    location: withLink || row.mode === 'onsite' ? row.location : null,
    bookingEndsAt: bookingEnds(session),
    state: sessionState(session, now),
  }
}

export type SessionView = ReturnType<typeof viewOf>

/** Sessions that have not begun, including full ones and those not open yet. */
export async function testSessionsFor(
  db: Db,
  choice: { waveId: string; trackId: string | null },
  now: Date,
  timeZone: string,
) {
  const rows = await findSessions(db, choice, timeZone)
  return rows.filter((row) => row.startsAt > now).map((row) => viewOf(row, now, { told: false }))
}

/** A session with all details; undefined for an unknown id. */
export async function findTestSession(db: Db, sessionId: string, now: Date, timeZone: string) {
  const [row] = await findSessions(db, { sessionId }, timeZone)
  return row && viewOf(row, now, { told: true })
}

/** A session that exists, because rows refer to it. */
export async function getTestSession(db: Db, sessionId: string, now: Date, timeZone: string) {
  const session = await findTestSession(db, sessionId, now, timeZone)
  if (!session) throw notFound('test session')
  return session
}

/** Whether the session is active and for the registration's wave and track. */
export const isSessionFor = async (db: Db, sessionId: string, registration: { waveId: string; trackId: string }) =>
  (await db
    .selectFrom('testSessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('active', '=', true)
    .where('waveId', '=', registration.waveId)
    .where((eb) => eb.or([eb('trackId', 'is', null), eb('trackId', '=', registration.trackId)]))
    .executeTakeFirst()) !== undefined
