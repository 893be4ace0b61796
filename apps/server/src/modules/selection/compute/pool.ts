import type { PlaceGroup, TieRule } from './place-group.ts'

/** A group while its places are given. */
export type Pool = {
  whole: Pool | null
  parts: Pool[]
  /** Parts that take places left empty, in turn. */
  partsInTurn: Pool[]
  ties: TieRule
  /** Whether it takes places its siblings leave empty. */
  takesMore: boolean
  /** Places not held manually. */
  places: number
  /** Number of times the group itself accepted an applicant. */
  demand: number
  /** Number of places it could use. */
  usable: number
  /** Number of places it gets. */
  share: number
  placedCount: number
  heldByHandCount: number
  /** No position after this one is held. */
  worst: number
  /** Position of the first applicant refused for lack of places; the group's end if none was. */
  refusedFrom: number
}

/** The groups with their wholes and parts. RangeError for parts larger than their whole. */
export function createPools(groups: readonly PlaceGroup[]): Pool[] {
  const members = groups.map(({ parent, places, spillTurn, ties }) => ({
    parent,
    spillTurn,
    pool: createPool(places, ties),
  }))
  for (const { parent, pool } of members) {
    pool.whole = parent === null ? null : members[parent]!.pool
    pool.whole?.parts.push(pool)
  }
  const inTurn = members.flatMap(({ pool, spillTurn: turn }) => (turn === null ? [] : [{ pool, turn }]))
  for (const { pool } of inTurn.sort((a, b) => a.turn - b.turn)) {
    pool.takesMore = true
    pool.whole?.partsInTurn.push(pool)
  }
  for (const [index, { pool }] of members.entries())
    if (placesOfParts(pool) > pool.places) throw new RangeError(`The parts of group ${index} have more places than it.`)
  return members.map(({ pool }) => pool)
}

const createPool = (places: number, ties: TieRule): Pool => ({
  whole: null,
  parts: [],
  partsInTurn: [],
  ties,
  takesMore: false,
  places,
  demand: 0,
  usable: 0,
  share: 0,
  placedCount: 0,
  heldByHandCount: 0,
  worst: -1,
  refusedFrom: 0,
})

export const placesOfParts = ({ parts }: Pool) => parts.reduce((sum, part) => sum + part.places, 0)
