import type { SeatingRule } from '#domain/testing/rooms/seating.ts'

/** Seats are numbered from 1 to `capacity`; `specialSeats` go first to people with special needs. */
export type SeatedRoom = { id: string; capacity: number; specialSeats: readonly number[] }

export type Place = { roomId: string; seatNumber: number }

export type Candidate = { id: string; name: string; schoolId: string | null; hasNeeds: boolean }

const placeKey = ({ roomId, seatNumber }: Place) => `${roomId} ${seatNumber}`

/**
 * Returns a function that gives the next free place, in order of rooms and numbers; undefined if none is left. Special
 * seats go first to people with special needs, and to others only if nothing else is free.
 */
export function placeGiver(rooms: readonly SeatedRoom[], taken: readonly Place[] = []) {
  const takenKeys = new Set(taken.map(placeKey))
  const free = rooms.flatMap(({ id, capacity, specialSeats }) =>
    Array.from({ length: capacity }, (_, index) => ({
      place: { roomId: id, seatNumber: index + 1 },
      isSpecial: specialSeats.includes(index + 1),
    })).filter(({ place }) => !takenKeys.has(placeKey(place))),
  )
  const special = free.filter(({ isSpecial }) => isSpecial).map(({ place }) => place)
  const ordinary = free.filter(({ isSpecial }) => !isSpecial).map(({ place }) => place)
  return (hasNeeds: boolean): Place | undefined =>
    hasNeeds ? (special.shift() ?? ordinary.shift()) : (ordinary.shift() ?? special.shift())
}

/** 32-bit hash of the text: FNV-1a with MurmurHash3's final mixing step. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const byId = (a: Candidate, b: Candidate) => (a.id < b.id ? -1 : 1)

const byName = (people: readonly Candidate[]) =>
  [...people].sort((a, b) => a.name.localeCompare(b.name, 'id') || byId(a, b))

/** The same seed and the same people give the same order. */
function byLot(people: readonly Candidate[], seed: string): Candidate[] {
  return people
    .map((person) => ({ person, lot: hashOf(`${seed}\n${person.id}`) }))
    .sort((a, b) => a.lot - b.lot || byId(a.person, b.person))
    .map(({ person }) => person)
}

/**
 * Fills every second place with the largest schools, then the places between: no two people from one school sit side by
 * side unless a school has more than half of the people. A person without a school counts as a separate school.
 */
function bySchool(people: readonly Candidate[]): Candidate[] {
  const groups = Map.groupBy(byName(people), ({ schoolId, id }) => schoolId ?? id)
  const bySize = [...groups].sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1))
  const sorted = bySize.flatMap(([, group]) => group)
  const half = Math.ceil(sorted.length / 2)
  return sorted.map((_, index) => sorted[index % 2 === 0 ? index / 2 : half + (index - 1) / 2]!)
}

/** Orders the people by the rule, regardless of the given order. `seed` only matters for lots. */
export function seatingOrder(people: readonly Candidate[], rule: SeatingRule, seed: string): Candidate[] {
  if (rule === 'name') return byName(people)
  return rule === 'lot' ? byLot(people, seed) : bySchool(people)
}

/** Gives everyone a place by the rule, people with special needs first; null if there are too few places. */
export function seatPeople(
  rooms: readonly SeatedRoom[],
  people: readonly Candidate[],
  rule: SeatingRule,
  seed: string,
): Map<string, Place> | null {
  const nextPlace = placeGiver(rooms)
  const ordered = seatingOrder(people, rule, seed)
  const places = new Map<string, Place>()
  for (const person of [
    ...ordered.filter(({ hasNeeds }) => hasNeeds),
    ...ordered.filter(({ hasNeeds }) => !hasNeeds),
  ]) {
    const place = nextPlace(person.hasNeeds)
    if (!place) return null
    places.set(person.id, place)
  }
  return places
}

/** Row name, counted from 0: `A`, `B` … `Z`, `AA`. */
const rowName = (row: number): string =>
  (row >= 26 ? rowName(Math.floor(row / 26) - 1) : '') + String.fromCharCode(65 + (row % 26))

/** Seat label: `B3` in a grid, otherwise its number. */
export const seatLabel = (seatNumber: number, seatColumns: number | null): string =>
  seatColumns === null
    ? String(seatNumber)
    : `${rowName(Math.floor((seatNumber - 1) / seatColumns))}${((seatNumber - 1) % seatColumns) + 1}`
