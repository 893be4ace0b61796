import { type NotNull, sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { placeGiver, seatLabel } from './seat-people.ts'

/** Rooms of a session in their order. */
export const roomsOf = (db: Db, sessionId: string) =>
  db
    .selectFrom('testSessionRooms')
    .select(['id', 'name', 'capacity', 'seatRows', 'seatColumns', 'specialSeats'])
    .where('testSessionId', '=', sessionId)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Whether the applicant of the registration `r` has special needs at a test; joins `applicants` as `a`. */
export const hasNeeds = sql<boolean>`coalesce(a.special_needs, '') <> ''`

/**
 * Gives a new seat the first free place if its session's places are already given. The caller holds the lock of the
 * session's counter, so no other seat takes the place meanwhile.
 */
export async function givePlace(tx: Tx, sessionId: string, seat: { id: string; registrationId: string }) {
  const { seatedAt } = await tx
    .selectFrom('testSessions')
    .select('seatedAt')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (!seatedAt) return
  const takenSeats = await tx
    .selectFrom('testSeats')
    .select(['roomId', 'seatNumber'])
    .where('testSessionId', '=', sessionId)
    .where('status', '<>', 'released')
    .where('roomId', 'is not', null)
    .$narrowType<{ roomId: NotNull; seatNumber: NotNull }>()
    .execute()
  const person = await tx
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(hasNeeds.as('hasNeeds'))
    .where('r.id', '=', seat.registrationId)
    .executeTakeFirstOrThrow()
  const place = placeGiver(await roomsOf(tx, sessionId), takenSeats)(person.hasNeeds)
  if (place) await tx.updateTable('testSeats').set(place).where('id', '=', seat.id).execute()
}

/** Room and label of a seat's place; null until places are given. */
export async function placeOf(db: Db, seatId: string): Promise<{ room: string | null; place: string | null }> {
  const found = await db
    .selectFrom('testSeats as p')
    .innerJoin('testSessionRooms as o', 'o.id', 'p.roomId')
    .select(['o.name', 'p.seatNumber', 'o.seatColumns'])
    .where('p.id', '=', seatId)
    .$narrowType<{ seatNumber: NotNull }>()
    .executeTakeFirst()
  return { room: found?.name ?? null, place: found ? seatLabel(found.seatNumber, found.seatColumns) : null }
}
