type Fields = Record<string, unknown>
/** An empty text and a missing value look the same to the user. */
const isBlank = (value: unknown) => value === undefined || value === null || value === ''
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Paths whose values differ (`name.en`, `banks.0.code`), except fields of a new object or row, which the user has not
 * filled in yet.
 */
export function changedFields(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after) || (isBlank(before) && isBlank(after))) return []
  if (!isObject(before) || !isObject(after)) return path && !(before == null && isObject(after)) ? [path] : []
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => changedFields(before[key], after[key], path ? `${path}.${key}` : key))
}

const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`)

/** Whether the field, a part of it or its parent was touched. */
export const isTouched = (field: string, touched: Iterable<string>) =>
  [...touched].some((path) => isWithin(field, path) || isWithin(path, field))

export const omitTouched = <T>(fields: Record<string, T>, changed: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !isTouched(field, changed)))
