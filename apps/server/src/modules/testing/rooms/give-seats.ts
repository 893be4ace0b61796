import crypto from 'node:crypto'
import { sql } from 'kysely'
import type { SeatingRule } from '#domain/testing/rooms/seating.ts'
import { lockCounters } from '#server/modules/testing/seats/seats.ts'
import { getOpenSession, lockSession } from '#server/modules/testing/sessions/read-session.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { hasNeeds, roomsOf } from './give-place.ts'
import { seatPeople } from './seat-people.ts'

type Input = { version: number; rule: SeatingRule; seed?: string | undefined }

/**
 * Gives every seat of a session a place by the rule, under the lock of its counter. A draw without a seed gets one,
 * which is stored: with it the same people get the same places again. Throws 409 without rooms and once the session has
 * begun.
 */
export async function giveSeats({ tx, actor, now }: Context, id: string, { version, rule, seed }: Input) {
  const session = await getOpenSession(tx, id, now)
  if (session.startsAt <= now) throw conflict('test_session_begun')
  await lockSession({ tx, actor, now }, id, version)
  await lockCounters(tx, [id])
  const rooms = await roomsOf(tx, id)
  if (rooms.length === 0) throw conflict('test_rooms_missing')
  const people = await tx
    .selectFrom('testSeats as p')
    .innerJoin('registrations as r', 'r.id', 'p.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['p.id', 'a.fullName as name', 'a.schoolId', hasNeeds.as('hasNeeds')])
    .where('p.testSessionId', '=', id)
    .where('p.status', '<>', 'released')
    .execute()
  const seatingSeed = rule === 'lot' ? seed || crypto.randomBytes(6).toString('hex') : null
  const places = seatPeople(rooms, people, rule, seatingSeed ?? '')
  if (!places) throw conflict('test_seats_short', { seats: session.capacity, people: people.length })

  // Cleared first, so that no place is taken twice at any moment.
  await tx
    .updateTable('testSeats')
    .set({ roomId: null, seatNumber: null })
    .where('testSessionId', '=', id)
    .where('roomId', 'is not', null)
    .execute()
  const pairs = [...places]
  await sql`
    UPDATE test_seats p SET room_id = g.room_id, seat_number = g.seat_number
    FROM unnest(${pairs.map(([seatId]) => seatId)}::uuid[], ${pairs.map(([, { roomId }]) => roomId)}::uuid[],
      ${pairs.map(([, { seatNumber }]) => seatNumber)}::int[]) AS g (id, room_id, seat_number)
    WHERE p.id = g.id`.execute(tx)
  await tx
    .updateTable('testSessions')
    .set({ seatingRule: rule, seatingSeed, seatedAt: now })
    .where('id', '=', id)
    .execute()
  await recordAudit(tx, actor, {
    action: 'test-session.seating',
    on: { 'jadwal-test': id },
    after: { rule, seed: seatingSeed, people: people.length },
  })
}
