import { describe, expect, it } from 'vitest'
import { seatingRules } from '#domain/testing/rooms/seating.ts'
import { fc } from '#testing/properties.ts'
import { type Candidate, placeGiver, seatingOrder, seatLabel, seatPeople } from './seat-people.ts'

const person = (id: string, options: Partial<Candidate> = {}): Candidate => ({
  id,
  name: id,
  schoolId: null,
  hasNeeds: false,
  ...options,
})
const room = (id: string, capacity: number, specialSeats: number[] = []) => ({ id, capacity, specialSeats })

const people = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid(),
      name: fc.string({ maxLength: 8 }),
      schoolId: fc.constantFrom('a', 'b', 'c', null),
      hasNeeds: fc.boolean(),
    }),
    { selector: ({ id }) => id, maxLength: 40 },
  )
  .map((list) => list as Candidate[])

describe('places', () => {
  it('are given by name, one room after another', () => {
    const places = seatPeople(
      [room('A', 2), room('B', 2)],
      ['c', 'a', 'b'].map((id) => person(id)),
      'name',
      '',
    )!
    expect([...places]).toEqual([
      ['a', { roomId: 'A', seatNumber: 1 }],
      ['b', { roomId: 'A', seatNumber: 2 }],
      ['c', { roomId: 'B', seatNumber: 1 }],
    ])
  })

  it('for special needs go first to people who need them, to others only if nothing else is free', () => {
    const places = seatPeople(
      [room('A', 3, [2])],
      [person('a'), person('b'), person('z', { hasNeeds: true })],
      'name',
      '',
    )!
    expect(places.get('z')).toEqual({ roomId: 'A', seatNumber: 2 })
    expect(seatPeople([room('A', 2, [1])], [person('a'), person('b')], 'name', '')!.get('b')!.seatNumber).toBe(1)
  })

  it('are not given at all if there are too few', () =>
    expect(seatPeople([room('A', 1)], [person('a'), person('b')], 'name', '')).toBeNull())

  it('by lot are the same for the same seed, and differ for another', () => {
    const group = Array.from({ length: 30 }, (_, index) => person(`p${index}`))
    const drawn = (seed: string) => seatingOrder(group, 'lot', seed).map(({ id }) => id)
    expect(drawn('one')).toEqual(drawn('one'))
    expect(drawn('one')).not.toEqual(drawn('two'))
    expect(drawn('one')).not.toEqual(group.map(({ id }) => id))
  })

  it('side by side are given to different schools, unless a school has more than half of the people', () => {
    const group = [
      ...Array.from({ length: 6 }, (_, index) => person(`a${index}`, { schoolId: 'a' })),
      ...Array.from({ length: 4 }, (_, index) => person(`b${index}`, { schoolId: 'b' })),
      ...Array.from({ length: 2 }, (_, index) => person(`c${index}`, { schoolId: 'c' })),
    ]
    const schools = seatingOrder(group, 'school', '').map(({ schoolId }) => schoolId)
    expect(schools.filter((school, index) => school === schools[index + 1])).toEqual([])
  })

  it('never collide, reach everyone, and do not depend on the order of the people', () =>
    fc.assert(
      fc.property(people, fc.constantFrom(...seatingRules), fc.string(), (group, rule, seed) => {
        const rooms = [room('A', 15, [1, 15]), room('B', 25, [3])]
        const places = seatPeople(rooms, group, rule, seed)!
        expect(new Set([...places.values()].map(({ roomId, seatNumber }) => `${roomId} ${seatNumber}`)).size).toBe(
          group.length,
        )
        expect([...places].sort()).toEqual([...seatPeople(rooms, group.toReversed(), rule, seed)!].sort())
      }),
    ))

  it('that are free are given one by one, never a taken one', () => {
    const next = placeGiver([room('A', 3, [3])], [{ roomId: 'A', seatNumber: 1 }])
    expect([next(false), next(false), next(false)]).toEqual([
      { roomId: 'A', seatNumber: 2 },
      { roomId: 'A', seatNumber: 3 },
      undefined,
    ])
  })
})

it.each([
  [1, null, '1'],
  [1, 6, 'A1'],
  [6, 6, 'A6'],
  [7, 6, 'B1'],
  [157, 6, 'AA1'],
])('seat %i in rows of %s is %s', (seatNumber, columns, label) => expect(seatLabel(seatNumber, columns)).toBe(label))
