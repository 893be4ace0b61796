import { rankRules } from './specificity.ts'

type Cell = { trackId: string | null; feeComponentId: string }

/** The amounts of a class for a track: of each fee component the row of the track, or else the row for every track. */
export const tuitionRowsFor = <R extends Cell>(rows: readonly R[], trackId: string): R[] => {
  const winners = new Set(
    [...Map.groupBy(rows, (row) => row.feeComponentId).values()].map(
      (ofComponent) => rankRules(ofComponent, { trackId }, ['trackId'] as const)[0],
    ),
  )
  return rows.filter((row) => winners.has(row))
}
