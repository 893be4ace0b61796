import type { PlaceGroup } from './place-group.ts'
import { sharesOf } from './shares.ts'

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
  /** By position in `ranked`: a number shared by those who tie, below their count. */
  tie: Int32Array
}

export type Placement = {
  /** By applicant: the application that got a place, or -1. */
  placed: Int32Array
  /** By group: number of applications placed. */
  placedCounts: Int32Array
  /** By group: position in `ranked` of the first applicant refused for lack of places; the group's end if none was. */
  refusedFrom: Int32Array
}

/** Gives the places, in time proportional to the applications. RangeError for parts larger than their whole. */
export function placeApplicants(groups: readonly PlaceGroup[], applications: Applications): Placement {
  const { applicant, group, eligible, heldByHand, ranked, tie } = applications
  const applicationCount = applicant.length
  const applicantCount = applicationCount === 0 ? 0 : applicant[applicationCount - 1]! + 1
  const shares = sharesOf(groups)

  const positionOf = new Int32Array(applicationCount)
  const end = new Int32Array(groups.length)
  for (let position = 0; position < ranked.length; position++) {
    positionOf[ranked[position]!] = position
    end[group[ranked[position]!]!] = position + 1
  }
  const refusedFrom = end.slice()
  const isHeld = new Uint8Array(ranked.length)
  const heldInTie = new Int32Array(ranked.length)
  const worst = new Int32Array(groups.length).fill(-1)
  const placedCounts = new Int32Array(groups.length)
  const demand = new Int32Array(groups.length)

  const placed = new Int32Array(applicantCount).fill(-1)
  const next = new Int32Array(applicantCount + 1).fill(applicationCount)
  for (let index = applicationCount - 1; index >= 0; index--) next[applicant[index]!] = index
  const waiting: number[] = []
  for (let person = applicantCount - 1; person >= 0; person--) waiting.push(person)

  // Manually held places are taken first and never given up.
  for (let index = 0; index < applicationCount; index++) {
    if (!heldByHand[index] || placed[applicant[index]!] !== -1) continue
    placed[applicant[index]!] = index
    placedCounts[group[index]!]!++
    shares.hold(group[index]!)
  }

  const refuseWorst = (place: number) => {
    let position = worst[place]!
    while (!isHeld[position]) position--
    worst[place] = position - 1
    isHeld[position] = 0
    heldInTie[tie[position]!]!--
    placedCounts[place]!--
    refusedFrom[place] = position
    const application = ranked[position]!
    placed[applicant[application]!] = -1
    waiting.push(applicant[application]!)
  }

  const heldByHandIn = placedCounts.slice()
  /** Refuses applicants beyond a group's places, by its rule for ties. */
  const keepWithin = (place: number, places: number) => {
    const { ties } = groups[place]!
    while (placedCounts[place]! - heldByHandIn[place]! > places) {
      let position = worst[place]!
      while (!isHeld[position]) position--
      worst[place] = position
      const tied = ties === 'strict' ? 1 : heldInTie[tie[position]!]!
      if (ties === 'all' && placedCounts[place]! - heldByHandIn[place]! - tied < places) return
      for (let count = 0; count < tied; count++) refuseWorst(place)
      // Later applicants who tie with them are refused too.
      if (ties !== 'strict')
        while (refusedFrom[place]! > 0 && isSameTie(place, refusedFrom[place]!)) refusedFrom[place]!--
    }
  }
  const isSameTie = (place: number, position: number) =>
    group[ranked[position - 1]!] === place && tie[position - 1] === tie[position]

  while (waiting.length > 0) {
    const person = waiting.pop()!
    while (placed[person] === -1) {
      const application = next[person]!
      if (application >= applicationCount || applicant[application] !== person) break
      next[person]!++
      if (!eligible[application]) continue
      const place = group[application]!
      const position = positionOf[application]!
      if (position >= refusedFrom[place]!) continue
      placed[person] = application
      isHeld[position] = 1
      heldInTie[tie[position]!]!++
      if (position > worst[place]!) worst[place] = position
      placedCounts[place]!++
      demand[place]!++
      shares.forEachChanged(place, demand, keepWithin)
    }
  }
  return { placed, placedCounts, refusedFrom }
}
