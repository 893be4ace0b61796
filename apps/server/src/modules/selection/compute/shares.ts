import type { PlaceGroup } from './place-group.ts'

export type Shares = {
  /** Removes a place for a manually placed applicant; a group without places left exceeds them by one. */
  hold(group: number): void
  /** Calls `keep` with the places of each group whose places may depend on the applicants of `group`. */
  forEachChanged(group: number, demand: Int32Array, keep: (group: number, places: number) => void): void
}

/**
 * Divides programmes' places among their parts, which depends on the demand for each: a part has its own places first;
 * places left empty go round in turn. RangeError for parts larger than the whole.
 */
export function sharesOf(groups: readonly PlaceGroup[]): Shares {
  const places = Int32Array.from(groups, (group) => group.places)
  const parts: number[][] = groups.map(() => [])
  for (const [index, { parent }] of groups.entries()) if (parent !== null) parts[parent]!.push(index)
  const inTurn = parts.map((siblings) =>
    siblings
      .filter((part) => groups[part]!.spillTurn !== null)
      .sort((a, b) => groups[a]!.spillTurn! - groups[b]!.spillTurn!),
  )
  const placesOfParts = (group: number) => parts[group]!.reduce((sum, part) => sum + places[part]!, 0)
  for (const group of groups.keys())
    if (placesOfParts(group) > places[group]!)
      throw new RangeError(`The parts of group ${group} have more places than it.`)
  const whole = groups.map((_, index) => {
    let top = index
    while (groups[top]!.parent !== null) top = groups[top]!.parent!
    return top
  })
  const demandCounts = new Int32Array(groups.length)
  const shareCounts = new Int32Array(groups.length)

  /** Number of places a group could use. */
  const ask = (group: number, demand: Int32Array): number => {
    let count = parts[group]!.length === 0 ? demand[group]! : 0
    for (const part of parts[group]!) {
      const countOfPart = ask(part, demand)
      count += groups[part]!.spillTurn === null ? Math.min(countOfPart, places[part]!) : countOfPart
    }
    demandCounts[group] = count
    return count
  }
  const give = (group: number, count: number, keep: (group: number, places: number) => void): void => {
    if (parts[group]!.length === 0) {
      keep(group, count)
      return
    }
    let left = count
    for (const part of parts[group]!) {
      shareCounts[part] = Math.min(demandCounts[part]!, places[part]!)
      left -= shareCounts[part]!
    }
    for (const part of inTurn[group]!) {
      const more = Math.max(Math.min(left, demandCounts[part]! - shareCounts[part]!), 0)
      shareCounts[part]! += more
      left -= more
    }
    for (const part of parts[group]!) give(part, shareCounts[part]!, keep)
  }
  return {
    hold(group) {
      places[group] = Math.max(places[group]! - 1, 0)
      for (let above = groups[group]!.parent; above !== null; above = groups[above]!.parent)
        places[above] = Math.max(places[above]! - 1, placesOfParts(above))
    },
    forEachChanged(group, demand, keep) {
      const top = whole[group]!
      if (parts[top]!.length > 0) ask(top, demand)
      give(top, places[top]!, keep)
    },
  }
}
