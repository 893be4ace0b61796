import { sql } from 'kysely'
import type { Facts, Group, Measure } from '#server/modules/reports/report.ts'
import { joinsOfRegistration, ofRegistration, withStored } from './of-registration.ts'
import { waveGroup } from './wave-group.ts'

/** Test sessions by name, day and time. */
export const sessionGroup: Group = {
  key: sql`ts.id`,
  label: sql`ts.name`,
  at: sql`ts.date + ts.start_time`,
  isYearly: true,
}
export const sessionEndsAt = sql`((ts.date + ts.end_time) AT TIME ZONE moment.zone)`

/** State of a seat at the moment; absence is known from the end of the session. */
const attendance = sql`CASE WHEN s.status = 'attended' AND coalesce(s.arrived_at, ${sessionEndsAt}) <= moment.at THEN 'attended'
  WHEN s.status = 'absent' AND ${sessionEndsAt} <= moment.at THEN 'absent' WHEN s.status = 'held' THEN 'held' ELSE 'booked' END`

const roomName = sql<string | null>`coalesce(room.name, ts.location)`

/** One row per seat of a registration in a session. */
const seatFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (
      registrations,
    ) => sql`test_seats s JOIN test_sessions ts ON ts.id = s.test_session_id JOIN ${registrations} r ON r.id = s.registration_id
    LEFT JOIN test_session_rooms room ON room.id = s.room_id ${joinsOfRegistration}`,
  ),
  groups: {
    ...ofRegistration.groups,
    session: sessionGroup,
    room: { key: roomName, label: roomName },
    attendance: { key: attendance, label: sql`NULL::text`, words: 'attendance' },
  },
  id: sql`s.id`,
  order: sql`ts.date, ts.start_time, ts.name, room.position, s.seat_number, r.search_text`,
  columns: {
    ...ofRegistration.columns,
    session: { value: sql`ts.name`, kind: 'text' },
    sessionDate: { value: sql`ts.date::text`, kind: 'date' },
    room: { value: roomName, kind: 'text' },
    seat: { value: sql`s.seat_number`, kind: 'number' },
    attendance: { value: attendance, kind: 'text', words: 'attendance' },
    arrivedAt: { value: sql`s.arrived_at`, kind: 'dateTime' },
  },
}

const isTaken = sql<boolean>`(s.status <> 'released' OR s.released_at > moment.at)`

/** Seats taken at the moment: all, or those with one attendance. */
export const seats = (as?: 'booked' | 'held' | 'attended' | 'absent'): Measure => ({
  facts: seatFacts,
  at: sql`s.created_at`,
  where: as ? sql<boolean>`${isTaken} AND ${attendance} = ${as}` : isTaken,
})

/** One row per session, with its seats. */
const sessionFacts: Facts = {
  from: sql`test_sessions ts JOIN waves w ON w.id = ts.wave_id LEFT JOIN tracks t ON t.id = ts.track_id`,
  scope: () => sql<boolean>`true`,
  year: sql<string>`w.academic_year`,
  filters: { waveId: sql`ts.wave_id` },
  groups: { session: sessionGroup, wave: waveGroup },
  id: sql`ts.id`,
  order: sql`ts.date, ts.start_time, ts.name`,
  columns: {
    session: { value: sql`ts.name`, kind: 'text' },
    sessionDate: { value: sql`ts.date::text`, kind: 'date' },
    room: { value: sql`ts.location`, kind: 'text' },
    places: { value: sql`ts.capacity`, kind: 'number' },
    wave: { value: sql`w.name`, kind: 'text' },
    track: { value: sql`t.name`, kind: 'text' },
  },
}

/** Seats of active sessions, from the opening of their booking even if the session was entered later. */
export const seatCapacity: Measure = {
  facts: sessionFacts,
  at: sql`least(ts.created_at, ts.booking_opens_at)`,
  where: sql<boolean>`ts.active`,
  sum: sql`ts.capacity`,
}
