import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { PlannedSession, Series } from '#domain/testing/sessions/endpoints.ts'
import { sessionsOfSeries } from '#domain/testing/sessions/series.ts'
import { lockRooms, sessionsClash } from '#server/modules/testing/rooms/rooms-in-use.ts'
import { insertRooms } from '#server/modules/testing/rooms/save-rooms.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'

const capacityOf = ({ rooms, capacity }: Series) =>
  rooms.length > 0 ? rooms.reduce((sum, room) => sum + room.capacity, 0) : capacity!

/**
 * Plans the sessions of a series, each with the sessions it clashes with: those with the same wave, track, place and
 * start, and those that use a room of the same name at an overlapping time.
 */
export async function planSessions(db: Db, series: Series): Promise<PlannedSession[]> {
  const planned = sessionsOfSeries(series.name, series.days, series.times)
  const roomNames = series.rooms.map(({ name }) => name.toLowerCase())
  const { rows: existing } = await sql<{
    id: string
    name: string
    date: string
    startTime: string
    endTime: string
    room: string | null
  }>`
    SELECT s.id, s.name, s.date, to_char(s.start_time, 'HH24:MI') AS start_time, to_char(s.end_time, 'HH24:MI') AS end_time,
      o.name AS room
    FROM test_sessions s LEFT JOIN test_session_rooms o ON o.test_session_id = s.id AND lower(o.name) = ANY (${roomNames})
    WHERE s.date = ANY (${series.days}::date[]) AND s.cancelled_at IS NULL AND (o.id IS NOT NULL
      OR (s.wave_id = ${series.waveId} AND s.track_id IS NOT DISTINCT FROM ${series.trackId}
        AND lower(s.location) = lower(${series.location})))
    ORDER BY s.date, s.start_time, s.name, o.position`.execute(db)
  return planned.map((session) => ({
    ...session,
    capacity: capacityOf(series),
    clashes: existing
      .filter(({ date, startTime, endTime, room }) =>
        date !== session.date
          ? false
          : room === null
            ? startTime === session.startTime
            : startTime < session.endTime && session.startTime < endTime,
      )
      .map(({ id, name, room }) => ({ id, name, room })),
  }))
}

async function refuseUnknown(db: Db, { waveId, trackId, testIds }: Series) {
  const wave = await db.selectFrom('waves').select('id').where('id', '=', waveId).executeTakeFirst()
  if (!wave) throw invalid({ waveId: 'not_found' })
  const track =
    trackId && (await db.selectFrom('tracks').select('hasTest').where('id', '=', trackId).executeTakeFirst())
  if (trackId && !track) throw invalid({ trackId: 'not_found' })
  if (track && !track.hasTest) throw invalid({ trackId: 'track_without_test' })
  const tests = await db.selectFrom('tests').select('id').where('id', 'in', testIds).execute()
  if (tests.length < new Set(testIds).size) throw invalid({ testIds: 'not_found' })
}

type Start = Pick<PlannedSession, 'date' | 'startTime'>

/** When booking of a session closes: at its start, unless the series has a rule. */
function closesAtOf({ closesHoursBefore }: Series) {
  const { momentOf } = universityCalendar()
  return ({ date, startTime }: Start) =>
    new Date(momentOf(`${date} ${startTime}:00`).getTime() - (closesHoursBefore ?? 0) * 3_600_000)
}

/** `planSessions`; throws 422 for unknown references, days in the past and booking that opens too late. */
async function planPossible(db: Db, series: Series, now: Date) {
  await refuseUnknown(db, series)
  const planned = await planSessions(db, series)
  await getSettings(db)
  const { momentOf } = universityCalendar()
  if (planned.some(({ date, endTime }) => momentOf(`${date} ${endTime}:00`) <= now))
    throw invalid({ days: 'test_day_past' })
  const closesAt = closesAtOf(series)
  const opensAt = series.bookingOpensAt && new Date(series.bookingOpensAt)
  if (opensAt && planned.some((session) => closesAt(session) <= opensAt))
    throw invalid({ bookingOpensAt: 'test_booking_opens_late' })
  return planned
}

export const previewSeries = async (db: Db, series: Series, now: Date) => ({
  sessions: await planPossible(db, series, now),
})

/** Writes the series, all or nothing; 409 if sessions clash. */
export async function createSeries(services: Services, actor: Actor, series: Series): Promise<{ ids: string[] }> {
  return services.db.transaction().execute(async (tx) => {
    await lockRooms(tx)
    const planned = await planPossible(tx, series, services.clock.now())
    const clashes = planned.flatMap((session) => session.clashes)
    if (clashes.length > 0) throw sessionsClash(clashes)
    const now = services.clock.now()
    const closesAt = closesAtOf(series)
    const created = await tx
      .insertInto('testSessions')
      .values(
        planned.map(({ clashes: _, ...session }) => ({
          ...session,
          waveId: series.waveId,
          trackId: series.trackId,
          mode: series.mode,
          location: series.location,
          bookingOpensAt: series.bookingOpensAt,
          bookingClosesAt: series.closesHoursBefore === null ? null : closesAt(session),
          createdAt: now,
          updatedAt: now,
          createdBy: actor.accountId,
          updatedBy: actor.accountId,
        })),
      )
      .returning(['id', 'name', 'date', 'startTime', 'capacity'])
      .execute()
    await tx
      .insertInto('testSessionTests')
      .values(
        created.flatMap(({ id }) => [...new Set(series.testIds)].map((testId) => ({ testSessionId: id, testId }))),
      )
      .execute()
    const rooms = series.rooms.map(({ id: _, ...room }) => room)
    for (const { id } of created) await insertRooms(tx, id, rooms)
    await recordAudits(
      tx,
      actor,
      created.map(({ id, ...after }) => ({
        action: 'test-session.create',
        on: { 'jadwal-test': id },
        after: { ...after, rooms: series.rooms.map(({ name, capacity }) => ({ name, capacity })) },
      })),
    )
    return { ids: created.map(({ id }) => id) }
  })
}
