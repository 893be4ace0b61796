import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { FiltersOf } from '#domain/list.ts'
import { listSessions } from '#domain/testing/sessions/lists.ts'
import { timeRange } from '#locales/format.ts'
import { serveList } from '#server/list/serve-list.ts'
import { contains } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { withState } from './read-session.ts'

type Filters = FiltersOf<typeof listSessions>

const takenSeats = sql<number>`coalesce(c.taken, 0)`
const hasRoom = sql<boolean>`coalesce(c.taken, 0) < s.capacity`

/** Condition for sessions that have not ended, have ended, or were cancelled. */
function isIn(period: NonNullable<Filters['period']>, now: Date) {
  if (period === 'cancelled') return sql<boolean>`s.cancelled_at IS NOT NULL`
  const localNow = universityCalendar().wallTime(now)
  return period === 'upcoming'
    ? sql<boolean>`s.cancelled_at IS NULL AND s.date + s.end_time > ${localNow}::timestamp`
    : sql<boolean>`s.date + s.end_time <= ${localNow}::timestamp`
}

/** All programmes share the sessions, so every role with the permission sees all of them. */
export const serveSessions = (app: App, services: Services) =>
  serveList(app, services, listSessions, {
    from: async () => {
      await getSettings(services.db)
      return services.db.selectFrom('testSessions as s').leftJoin('testSessionSeats as c', 'c.testSessionId', 's.id')
    },
    scope: 'everyone',
    filters: {
      period: (period, { now }) => isIn(period, now),
      waveId: 's.waveId',
      trackId: (trackId) => (eb) => eb.or([eb('s.trackId', '=', trackId), eb('s.trackId', 'is', null)]),
      mode: 's.mode',
      hasRoom: (roomLeft) => (roomLeft === 'true' ? hasRoom : sql<boolean>`NOT ${hasRoom}`),
      from: (day) => (eb) => eb('s.date', '>=', day),
      to: (day) => (eb) => eb('s.date', '<=', day),
      q: (q) => (eb) =>
        eb.or([
          contains('s.name', q),
          contains('s.location', q),
          eb.exists(
            eb
              .selectFrom('testSessionRooms as o')
              .select('o.id')
              .whereRef('o.testSessionId', '=', 's.id')
              .where(contains('o.name', q)),
          ),
        ]),
    },
    columns: (rows) =>
      rows
        .innerJoin('waves as w', 'w.id', 's.waveId')
        .leftJoin('tracks as t', 't.id', 's.trackId')
        .select([
          's.id',
          's.version',
          's.name',
          's.waveId',
          's.trackId',
          's.date',
          's.mode',
          's.location',
          's.capacity',
        ])
        .select(['s.active', 's.bookingOpensAt', 's.bookingClosesAt', 's.cancelledAt', 's.cancelReason'])
        .select(['s.seatingRule', 's.seatingSeed', 's.seatedAt', 't.name as track', takenSeats.as('taken')])
        .select([
          sql<string>`w.name || ' ' || w.academic_year`.as('wave'),
          sql<string>`to_char(s.start_time, 'HH24:MI')`.as('startTime'),
          sql<string>`to_char(s.end_time, 'HH24:MI')`.as('endTime'),
          sql<string>`coalesce((SELECT string_agg(o.name, ', ' ORDER BY o.position, o.id) FROM test_session_rooms o
            WHERE o.test_session_id = s.id), '')`.as('rooms'),
        ]),
    sorts: {
      name: { by: sql`s.name`, type: 'text' },
      date: { by: sql`((s.date + s.start_time) AT TIME ZONE 'UTC')`, type: 'timestamptz' },
      taken: { by: takenSeats, type: 'integer' },
      capacity: { by: sql`s.capacity`, type: 'integer' },
      free: { by: sql`(s.capacity - ${takenSeats})`, type: 'integer' },
    },
    id: sql`s.id`,
    toRows: (found, { now }) =>
      found.map((row) => ({
        ...withState(row, now),
        hours: timeRange(row.startTime, row.endTime),
        free: Math.max(0, row.capacity - row.taken),
      })),
  })
