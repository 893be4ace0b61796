/** Input of `rankApplications`: columns as in `Applications`, and the criteria that count for each group. */
export type Candidates = {
  group: Int32Array
  /** Number of the wish, 1 for the first. */
  wish: Int32Array
  /** By group: columns of numbers by application, higher is better, compared in this order. */
  criteria: readonly (readonly Float64Array[])[]
  /** Whether an earlier wish comes before any score ("first choices first"). */
  firstChoicesFirst: boolean
}

export type Ranking = {
  /** Applications of each group from best to worst, group after group. */
  ranked: Int32Array
  /** By position in `ranked`: the number of its tie, from 0. Applications of equal rank share it. */
  tie: Int32Array
  /** By group: its applications in `ranked`. */
  rankedOf: Int32Array[]
}

export function rankApplications({ group, wish, criteria, firstChoicesFirst }: Candidates): Ranking {
  const sizes = new Int32Array(criteria.length)
  for (const place of group) sizes[place]!++
  const ranked = new Int32Array(group.length)
  let start = 0
  const members = criteria.map((columns, place) => {
    const own = ranked.subarray(start, start + sizes[place]!)
    start += own.length
    return { columns, own, filled: 0 }
  })
  for (let index = 0; index < group.length; index++) {
    const member = members[group[index]!]!
    member.own[member.filled++] = index
  }
  const tie = new Int32Array(group.length)
  let position = 0
  let tieCount = 0
  for (const { columns, own } of members) {
    const compare = (a: number, b: number) => {
      if (firstChoicesFirst && wish[a] !== wish[b]) return wish[a]! - wish[b]!
      for (const column of columns) if (column[a] !== column[b]) return column[b]! - column[a]!
      return 0
    }
    own.sort(compare)
    let better: number | undefined
    for (const application of own) {
      if (better === undefined || compare(better, application) !== 0) tieCount++
      tie[position++] = tieCount - 1
      better = application
    }
  }
  return { ranked, tie, rankedOf: members.map(({ own }) => own) }
}
