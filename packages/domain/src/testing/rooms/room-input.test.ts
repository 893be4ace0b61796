import { expect, it } from 'vitest'
import { roomProblems } from './room-input.ts'

it.each([
  ['two rooms of one name', [{ name: 'Lab' }, { name: 'LAB' }], { 'rooms.1.name': 'test_room_name_twice' }],
  ['rows without columns', [{ capacity: 4, seatRows: 2 }], { 'rooms.0.seatColumns': 'test_room_grid' }],
  ['too small a grid', [{ capacity: 7, seatRows: 2, seatColumns: 3 }], { 'rooms.0.seatColumns': 'test_room_grid' }],
  ['a special seat outside', [{ capacity: 7, specialSeats: [8] }], { 'rooms.0.specialSeats': 'test_room_special' }],
  ['a grid with seats to spare', [{ name: 'A', capacity: 5, seatRows: 2, seatColumns: 3 }], {}],
])('%s', (_situation, rooms, problems) => expect(roomProblems({ rooms })).toEqual(problems))
