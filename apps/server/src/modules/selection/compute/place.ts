import type { PlaceGroup } from './place-group.ts'
import { createPools, type Pool } from './pool.ts'
import { forEachChanged, holdPlace } from './shares.ts'

/**
 * Gives programmes' places to applicants by rank: deferred acceptance (Gale and Shapley 1962) with nested quotas,
 * places left empty passing to siblings in a stated order (Westkamp 2013), and ties at the last place (Biró and
 * Kiselgof 2015). Among outcomes in which nobody has to envy a place, this one is best for every applicant.
 */

/** Applications as columns. Those of one applicant are adjacent, in the order of their wishes. */
export type Applications = {
  /** Index of the applicant, ascending. */
  applicant: Int32Array
  /** Index of the group applied for. */
  group: Int32Array
  /** 1 if every minimum is met and staff did not exclude the application. */
  eligible: Uint8Array
  /** 1 for a place held manually, which comes before all others. */
  heldByHand: Uint8Array
  /** Applications of each group from best to worst, group after group. */
  ranked: Int32Array
  /** By position in `ranked`: the number of its tie, from 0. Applications of equal rank share it. */
  tie: Int32Array
}

export type Placement = {
  /** By applicant: the application that got a place, or -1. */
  placed: Int32Array
  /** By group: number of applications placed. */
  placedCounts: Int32Array
}

/** Gives the places, in time proportional to the applications. RangeError for parts larger than their whole. */
export function placeApplicants(groups: readonly PlaceGroup[], applications: Applications): Placement {
  const { applicant, group, eligible, heldByHand, ranked, tie } = applications
  const applicationCount = applicant.length
  const applicantCount = (applicant.at(-1) ?? -1) + 1
  const pools = createPools(groups)
  const poolOf = (application: number) => pools[group[application]!]!
  const personOf = (application: number) => applicant[application]!

  const positionOf = new Int32Array(applicationCount)
  for (let position = 0; position < ranked.length; position++) {
    const application = ranked[position]!
    positionOf[application] = position
    poolOf(application).refusedFrom = position + 1
  }
  const isHeld = new Uint8Array(ranked.length)
  const heldInTie = new Int32Array(ranked.length)

  const placed = new Int32Array(applicantCount).fill(-1)
  const next = new Int32Array(applicantCount + 1).fill(applicationCount)
  for (let index = applicationCount - 1; index >= 0; index--) next[personOf(index)] = index
  const waiting: number[] = []
  for (let person = applicantCount - 1; person >= 0; person--) waiting.push(person)

  // Manually held places are taken first and never given up.
  for (let index = 0; index < applicationCount; index++) {
    const person = personOf(index)
    if (!heldByHand[index] || placed[person] !== -1) continue
    placed[person] = index
    const pool = poolOf(index)
    pool.placedCount++
    pool.heldByHandCount++
    holdPlace(pool)
  }

  const refuseWorst = (pool: Pool) => {
    let position = pool.worst
    while (!isHeld[position]) position--
    pool.worst = position - 1
    isHeld[position] = 0
    heldInTie[tie[position]!]!--
    pool.placedCount--
    pool.refusedFrom = position
    const person = personOf(ranked[position]!)
    placed[person] = -1
    waiting.push(person)
  }

  /** Refuses applicants beyond a group's places, by its rule for ties. */
  const keepWithin = (pool: Pool, places: number) => {
    while (pool.placedCount - pool.heldByHandCount > places) {
      let position = pool.worst
      while (!isHeld[position]) position--
      pool.worst = position
      const tied = pool.ties === 'strict' ? 1 : heldInTie[tie[position]!]!
      if (pool.ties === 'all' && pool.placedCount - pool.heldByHandCount - tied < places) return
      for (let count = 0; count < tied; count++) refuseWorst(pool)
      // Later applicants who tie with them are refused too.
      if (pool.ties !== 'strict') while (pool.refusedFrom > 0 && isSameTie(pool, pool.refusedFrom)) pool.refusedFrom--
    }
  }
  const isSameTie = (pool: Pool, position: number) =>
    poolOf(ranked[position - 1]!) === pool && tie[position - 1] === tie[position]

  for (let person = waiting.pop(); person !== undefined; person = waiting.pop())
    while (placed[person] === -1) {
      const application: number = next[person]!
      if (application >= applicationCount || applicant[application] !== person) break
      next[person] = application + 1
      if (!eligible[application]) continue
      const pool = poolOf(application)
      const position = positionOf[application]!
      if (position >= pool.refusedFrom) continue
      placed[person] = application
      isHeld[position] = 1
      heldInTie[tie[position]!]!++
      pool.worst = Math.max(pool.worst, position)
      pool.placedCount++
      pool.demand++
      forEachChanged(pool, keepWithin)
    }
  return { placed, placedCounts: Int32Array.from(pools, ({ placedCount }) => placedCount) }
}
