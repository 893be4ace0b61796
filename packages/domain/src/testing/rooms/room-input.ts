import { z } from 'zod'
import type { Problems } from '#domain/endpoint.ts'
import { typedLine } from '#entities/define/typed-text.ts'

const side = z.int().min(1).max(100).nullable().default(null)

/** A room as staff enter it; a new room has no id. */
export const roomInput = z.strictObject({
  id: z.uuid().optional(),
  name: typedLine().min(1).max(80),
  capacity: z.int().min(1).max(10_000),
  seatRows: side,
  seatColumns: side,
  specialSeats: z.array(z.int().min(1).max(10_000)).max(500).default([]),
})
export type RoomInput = z.output<typeof roomInput>

/** Most seats of one session. */
export const mostSeats = 100_000

export const rooms = z.array(roomInput).max(50)

/**
 * Names must differ, a grid needs both sides and room for everyone, special seats must exist, and the total is limited.
 */
export function roomProblems({ rooms = [] }: { rooms?: readonly Partial<RoomInput>[] | undefined }): Problems {
  const problems: Problems = {}
  const names = rooms.map(({ name }) => name?.toLowerCase())
  for (const [index, { name, capacity, seatRows, seatColumns, specialSeats = [] }] of rooms.entries()) {
    if (name !== undefined && names.indexOf(name.toLowerCase()) < index)
      problems[`rooms.${index}.name`] = 'test_room_name_twice'
    if (capacity === undefined) continue
    if (Boolean(seatRows) !== Boolean(seatColumns) || (seatRows && seatColumns && seatRows * seatColumns < capacity))
      problems[`rooms.${index}.seatColumns`] = 'test_room_grid'
    if (specialSeats.some((seat) => seat > capacity)) problems[`rooms.${index}.specialSeats`] = 'test_room_special'
  }
  const capacity = rooms.reduce((sum, room) => sum + (room.capacity ?? 0), 0)
  if (capacity > mostSeats)
    problems[`rooms.${rooms.length - 1}.capacity`] = { code: 'test_capacity_too_large', params: { most: mostSeats } }
  return problems
}
