import { rankRules } from './specificity.ts'

type Cell = { trackId: string | null; feeComponentId: string }

/** Tuition rows for a track: for each fee component the track's row, otherwise the row for all tracks. */
export const tuitionRowsFor = <R extends Cell>(rows: readonly R[], trackId: string): R[] => {
  const winners = new Set(
    [...Map.groupBy(rows, (row) => row.feeComponentId).values()].map(
      (componentRows) => rankRules(componentRows, { trackId }, ['trackId'] as const)[0],
    ),
  )
  return rows.filter((row) => winners.has(row))
}
