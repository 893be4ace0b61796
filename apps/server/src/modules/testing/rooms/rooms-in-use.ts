import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/**
 * Makes changes of rooms, days and times look for rooms in use one at a time. Must be the first lock of its
 * transaction.
 */
export const lockRooms = (tx: Tx) => sql`SELECT pg_advisory_xact_lock(hashtext('test rooms'))`.execute(tx)

/** 409 with the conflicting sessions and, for a room in use, its name. */
export const sessionsClash = (clashes: readonly { name: string; room: string | null }[]) =>
  new AppError(409, 'test_sessions_clash', {
    names: [...new Set(clashes.map(({ name, room }) => (room ? `${name} (${room})` : name)))].join(', '),
  })

type Span = { id: string; date: string; startTime: string; endTime: string }

/** Throws 409 if another session uses a room with one of these names at an overlapping time. */
export async function refuseRoomsInUse(
  tx: Tx,
  { id, date, startTime, endTime }: Span,
  rooms: readonly { name: string }[],
) {
  const names = rooms.map(({ name }) => name.toLowerCase())
  const { rows } = await sql<{ name: string; room: string }>`
    SELECT s.name, o.name AS room FROM test_session_rooms o JOIN test_sessions s ON s.id = o.test_session_id
    WHERE lower(o.name) = ANY (${names}) AND s.id <> ${id} AND s.date = ${date}::date AND s.cancelled_at IS NULL
      AND s.start_time < ${endTime}::time AND ${startTime}::time < s.end_time
    ORDER BY s.name, o.position`.execute(tx)
  if (rows.length > 0) throw sessionsClash(rows)
}
