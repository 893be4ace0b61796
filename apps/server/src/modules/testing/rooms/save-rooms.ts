import { sql } from 'kysely'
import type { RoomInput } from '#domain/testing/rooms/room-input.ts'
import { lockCounters } from '#server/modules/testing/seats/seats.ts'
import { getOpenSession, lockSession } from '#server/modules/testing/sessions/read-session.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Context } from '#server/platform/use-case.ts'
import { roomsOf } from './give-place.ts'
import { lockRooms, refuseRoomsInUse } from './rooms-in-use.ts'

const valuesOf = ({ name, capacity, seatRows, seatColumns, specialSeats }: RoomInput, index: number) => ({
  name,
  capacity,
  seatRows,
  seatColumns,
  specialSeats: [...new Set(specialSeats)].sort((a, b) => a - b),
  position: index + 1,
})

/** Inserts the rooms that have no id yet, at their position in the order. */
export async function insertRooms(tx: Tx, testSessionId: string, rooms: readonly RoomInput[]) {
  const added = rooms.flatMap((room, index) => (room.id ? [] : [{ testSessionId, ...valuesOf(room, index) }]))
  if (added.length > 0) await tx.insertInto('testSessionRooms').values(added).execute()
}

/**
 * Replaces the rooms of a session under the lock of its counter. Throws 409 if fewer seats than are taken would be
 * left, an occupied place would disappear, or another session uses a room at that time.
 */
export async function saveRooms(
  { tx, actor, now }: Context,
  id: string,
  { version, rooms }: { version: number; rooms: readonly RoomInput[] },
) {
  await lockRooms(tx)
  const session = await getOpenSession(tx, id, now)
  const [counter] = await lockCounters(tx, [id])
  await lockSession({ tx, actor, now }, id, version)
  await refuseRoomsInUse(tx, { ...session, id }, rooms)
  const before = await roomsOf(tx, id)
  const known = new Set(before.map((room) => room.id))
  for (const [index, room] of rooms.entries())
    if (room.id && !known.has(room.id)) throw invalid({ [`rooms.${index}.name`]: 'not_found' })

  const capacity = rooms.reduce((sum, room) => sum + room.capacity, 0)
  const takenCount = counter?.taken ?? 0
  if (rooms.length > 0 && capacity < takenCount) throw conflict('test_capacity_taken', { capacity, taken: takenCount })
  await refuseLosingPlaces(tx, id, rooms)

  // Rooms that grow come first, so that the sum never falls below the taken seats meanwhile.
  const capacities = new Map(before.map((room) => [room.id, room.capacity]))
  const keptRooms = rooms
    .flatMap((room, index) => {
      const { id: roomId } = room
      return roomId ? [{ room, roomId, index, growth: room.capacity - (capacities.get(roomId) ?? 0) }] : []
    })
    .sort((a, b) => b.growth - a.growth)
  // Names are unique within a session, and two rooms may swap theirs.
  await tx.updateTable('testSessionRooms').set({ name: sql`id::text` }).where('testSessionId', '=', id).execute()
  const removedIds = [...known].filter((roomId) => !rooms.some((room) => room.id === roomId))
  await insertRooms(tx, id, rooms)
  for (const { room, roomId, index } of keptRooms)
    await tx.updateTable('testSessionRooms').set(valuesOf(room, index)).where('id', '=', roomId).execute()
  if (removedIds.length > 0) await tx.deleteFrom('testSessionRooms').where('id', 'in', removedIds).execute()
  await recordAudit(tx, actor, {
    action: 'test-session.rooms',
    on: { 'jadwal-test': id },
    before: { capacity: session.capacity, rooms: before.map(({ name, capacity }) => ({ name, capacity })) },
    after: { capacity, rooms: rooms.map(({ name, capacity }) => ({ name, capacity })) },
  })
}

/** Throws 409 with the first room in which people would lose their place. */
async function refuseLosingPlaces(tx: Tx, id: string, rooms: readonly RoomInput[]) {
  const occupied = await tx
    .selectFrom('testSeats as p')
    .innerJoin('testSessionRooms as o', 'o.id', 'p.roomId')
    .select(['o.id', 'o.name'])
    .select([sql<number>`max(p.seat_number)`.as('highest'), sql<number>`count(*)::int`.as('taken')])
    .where('p.testSessionId', '=', id)
    .where('p.status', '<>', 'released')
    .groupBy(['o.id', 'o.name'])
    .orderBy('o.name')
    .execute()
  for (const { id: roomId, name, highest, taken } of occupied) {
    const room = rooms.find((candidate) => candidate.id === roomId)
    if (!room) throw conflict('test_room_taken', { room: name, taken })
    if (room.capacity < highest) throw conflict('test_room_seat_taken', { room: name, seat: highest })
  }
}
