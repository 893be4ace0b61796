import type { SelectionTies } from '#domain/selection/rules.ts'
import { placeApplicants } from './place.ts'
import type { PlaceGroup } from './place-group.ts'
import { rankApplications } from './rank.ts'

export type SelectionQuota = {
  /** Index of the programme this track is part of; null for a programme. */
  parent: number | null
  places: number
  spillTurn: number | null
  ties: SelectionTies
}

/** State of an application before places are given. */
export const states = { out: 0, open: 1, held: 2 } as const

/** Applications as columns. Those of one applicant are adjacent, in the order of their choices. */
export type SelectionColumns = {
  /** Index of the applicant, ascending. */
  applicant: Int32Array
  /** Number of the choice, 1 for the first. */
  wish: Int32Array
  quota: Int32Array
  state: Uint8Array
  /** In hundredths. */
  total: Float64Array
  /** Scores of the first criterion, the second and so on, in ten-thousandths; -Infinity for no score. */
  scores: readonly Float64Array[]
  /** Number drawn for the applicant, smallest first. */
  lot: Float64Array
}

export type SelectionInput = {
  quotas: readonly SelectionQuota[]
  columns: SelectionColumns
  firstChoicesFirst: boolean
  reservePercent: number
}

/** By application. */
export type SelectionOutput = {
  /** 1 for the application that got a place. */
  placed: Uint8Array
  /** One more than the number of better open applications in the quota; 0 if the application takes no part. */
  rank: Int32Array
  /** Turn among the reserve candidates of the quota; 0 for none. */
  reserveRank: Int32Array
}

/** Gives the places of a wave by its rules, and orders each quota's reserve candidates. */
export function selectApplicants({
  quotas,
  columns,
  firstChoicesFirst,
  reservePercent,
}: SelectionInput): SelectionOutput {
  const { applicant, wish, quota, state, total, scores, lot } = columns
  const count = applicant.length
  const lotIndex = scores.length + 1
  const comparedBy: Record<SelectionTies, number[]> = {
    all: [0],
    none: [0],
    next: [0, ...scores.map((_, index) => index + 1), lotIndex],
    lot: [0, lotIndex],
  }
  const { ranked, tie } = rankApplications({
    group: quota,
    wish,
    criteria: [total, ...scores, lot.map((drawn) => -drawn)],
    groupCount: quotas.length,
    compared: quotas.map(({ ties }) => comparedBy[ties]),
    firstChoicesFirst,
  })
  const groups: PlaceGroup[] = quotas.map(({ parent, places, spillTurn, ties }) => ({
    parent,
    places,
    spillTurn,
    ties: ties === 'all' || ties === 'none' ? ties : 'strict',
  }))
  const { placed: application, placedCounts } = placeApplicants(groups, {
    applicant,
    group: quota,
    eligible: state.map((one) => Number(one === states.open)),
    heldByHand: state.map((one) => Number(one === states.held)),
    ranked,
    tie,
  })
  const placed = new Uint8Array(count)
  for (const index of application) if (index !== -1) placed[index] = 1

  const rank = new Int32Array(count)
  const reserveRank = new Int32Array(count)
  let reserve: number[] = []
  let openCount = 0
  for (let position = 0; position < count; position++) {
    const index = ranked[position]!
    const group = quota[index]!
    const isFirst = position === 0 || quota[ranked[position - 1]!] !== group
    if (isFirst) {
      reserve = []
      openCount = 0
    }
    if (state[index] === states.open) {
      const before = position - 1
      const isTied = !isFirst && tie[before] === tie[position]
      openCount++
      rank[index] = isTied ? (rankOfTie(before) ?? openCount) : openCount
      if (application[applicant[index]!] === -1) reserve.push(index)
    }
    const isLast = position === count - 1 || quota[ranked[position + 1]!] !== group
    if (!isLast) continue
    // Ties follow each other by lot, so that only one of them is offered a place at a time.
    reserve.sort((a, b) => rank[a]! - rank[b]! || lot[a]! - lot[b]!)
    const most = Math.ceil((Math.max(quotas[group]!.places, placedCounts[group]!) * reservePercent) / 100)
    for (const [turn, candidate] of reserve.slice(0, most).entries()) reserveRank[candidate] = turn + 1
  }
  return { placed, rank, reserveRank }

  /** Rank of the nearest earlier open application that ties. */
  function rankOfTie(before: number): number | undefined {
    const shared = tie[before]
    for (let position = before; position >= 0 && tie[position] === shared; position--)
      if (state[ranked[position]!] === states.open) return rank[ranked[position]!]
    return undefined
  }
}
