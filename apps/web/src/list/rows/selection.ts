/** Most rows one selection may hold, as many as the server takes at once. */
export const mostSelected = 500

/** The selection with the rows of a page added to it or taken from it; what other pages gave stays. */
export function withPage<Row>(
  before: ReadonlyMap<string, Row>,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  chosen: boolean,
): ReadonlyMap<string, Row> {
  const after = new Map(before)
  for (const row of rows) {
    if (!chosen) after.delete(idOf(row))
    else if (after.size < mostSelected) after.set(idOf(row), row)
  }
  return after
}
