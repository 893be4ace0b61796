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
  const earlierLot = lot.map((drawn) => -drawn)
  const criteriaOf: Record<SelectionTies, Float64Array[]> = {
    all: [total],
    none: [total],
    next: [total, ...scores, earlierLot],
    lot: [total, earlierLot],
  }
  const { ranked, tie, rankedOf } = rankApplications({
    group: quota,
    wish,
    criteria: quotas.map(({ ties }) => criteriaOf[ties]),
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
  let position = 0
  for (const [group, { places }] of quotas.entries()) {
    const reserve: { index: number; rank: number; lot: number }[] = []
    let openCount = 0
    let ownRank = 0
    let lastTie: number | undefined
    for (const index of rankedOf[group]!) {
      const ownTie = tie[position++]
      if (state[index] !== states.open) continue
      openCount++
      if (ownTie !== lastTie) ownRank = openCount
      lastTie = ownTie
      rank[index] = ownRank
      if (application[applicant[index]!] === -1) reserve.push({ index, rank: ownRank, lot: lot[index]! })
    }
    // Ties follow each other by lot, so that only one of them is offered a place at a time.
    reserve.sort((a, b) => a.rank - b.rank || a.lot - b.lot)
    const most = Math.ceil((Math.max(places, placedCounts[group]!) * reservePercent) / 100)
    for (const [turn, { index }] of reserve.slice(0, most).entries()) reserveRank[index] = turn + 1
  }
  return { placed, rank, reserveRank }
}
