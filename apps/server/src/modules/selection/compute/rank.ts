/** Input of `rankApplications`: columns as in `Applications`, and the criteria that count for each group. */
export type Candidates = {
  group: Int32Array
  /** Number of the wish, 1 for the first. */
  wish: Int32Array
  /** Columns of numbers, higher is better, by application. */
  criteria: readonly Float64Array[]
  groupCount: number
  /** By group: criteria compared, in this order. */
  compared: readonly (readonly number[])[]
  /** Whether an earlier wish comes before any score ("first choices first"). */
  firstChoicesFirst: boolean
}

/** Applications of each group from best to worst; by position a number that ties share. */
export function rankApplications(candidates: Candidates): { ranked: Int32Array; tie: Int32Array } {
  const { group, wish, criteria, groupCount, compared, firstChoicesFirst } = candidates
  const starts = new Int32Array(groupCount + 1)
  for (const place of group) starts[place + 1]!++
  for (let place = 0; place < groupCount; place++) starts[place + 1]! += starts[place]!
  const ranked = new Int32Array(group.length)
  const filled = starts.slice()
  for (let index = 0; index < group.length; index++) ranked[filled[group[index]!]!++] = index
  const tie = new Int32Array(group.length)
  let tieCount = 0
  for (let place = 0; place < groupCount; place++) {
    const columns = compared[place]!.map((criterion) => criteria[criterion]!)
    const compare = (a: number, b: number) => {
      if (firstChoicesFirst && wish[a] !== wish[b]) return wish[a]! - wish[b]!
      for (const column of columns) if (column[a] !== column[b]) return column[b]! - column[a]!
      return 0
    }
    const own = ranked.subarray(starts[place], starts[place + 1])
    own.sort(compare)
    for (let position = starts[place]!; position < starts[place + 1]!; position++) {
      const isTied = position > starts[place]! && compare(ranked[position - 1]!, ranked[position]!) === 0
      tie[position] = isTied ? tie[position - 1]! : tieCount++
    }
  }
  return { ranked, tie }
}
