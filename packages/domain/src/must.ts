/** The row of a statement that returns exactly one, such as a count. Throws for none and for several. */
export function theOnly<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`One row expected, not ${rows.length}`)
  return row
}

/** Value of a key that the map was built with. Throws where it was not. */
export function mustGet<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`No entry for ${String(key)}`)
  return value
}
