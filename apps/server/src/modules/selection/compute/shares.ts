import { type Pool, placesOfParts } from './pool.ts'

/** Removes a place for a manually placed applicant; a group without places left exceeds them by one. */
export function holdPlace(pool: Pool) {
  pool.places = Math.max(pool.places - 1, 0)
  for (let above = pool.whole; above !== null; above = above.whole)
    above.places = Math.max(above.places - 1, placesOfParts(above))
}

/**
 * Divides a programme's places among its parts by the demand for each, and calls `keep` with the places of every group
 * that may depend on the applicants of `pool`. A part has its own places first; places left empty go round in turn.
 */
export function forEachChanged(pool: Pool, keep: (pool: Pool, places: number) => void) {
  let top = pool
  while (top.whole !== null) top = top.whole
  if (top.parts.length > 0) countUsable(top)
  give(top, top.places, keep)
}

function countUsable(pool: Pool): number {
  let count = pool.parts.length === 0 ? pool.demand : 0
  for (const part of pool.parts) {
    const countOfPart = countUsable(part)
    count += part.takesMore ? countOfPart : Math.min(countOfPart, part.places)
  }
  pool.usable = count
  return count
}

function give(pool: Pool, count: number, keep: (pool: Pool, places: number) => void) {
  if (pool.parts.length === 0) {
    keep(pool, count)
    return
  }
  let left = count
  for (const part of pool.parts) {
    part.share = Math.min(part.usable, part.places)
    left -= part.share
  }
  for (const part of pool.partsInTurn) {
    const more = Math.max(Math.min(left, part.usable - part.share), 0)
    part.share += more
    left -= more
  }
  for (const part of pool.parts) give(part, part.share, keep)
}
