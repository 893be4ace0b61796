/** Most selected rows: the limit of the server's bulk endpoints. */
export const maxSelected = 500

/** Adds a page's rows to the selection or removes them; rows of other pages stay selected. */
export function withPage<Row>(
  before: ReadonlyMap<string, Row>,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  chosen: boolean,
): ReadonlyMap<string, Row> {
  const after = new Map(before)
  for (const row of rows) {
    if (!chosen) after.delete(idOf(row))
    else if (after.size < maxSelected) after.set(idOf(row), row)
  }
  return after
}
