export type Difference = { field: string; before: unknown; after: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Kept beside the values: names of references, and what changes with every edit. */
const beside = new Set(['titles', 'version', 'id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'])

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields in which two snapshots differ; with only one of them, all that it tells. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const loose = [before, after].some((value) => value !== null && value !== undefined && !isRecord(value))
  if (loose) return [{ field: '', before, after }]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => !beside.has(field) && !same(old[field], now[field]))
    .map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }))
}

/** What the references of a snapshot were called when it was taken. */
export const titlesOf = (snapshot: unknown): Record<string, unknown> =>
  isRecord(snapshot) && isRecord(snapshot.titles) ? snapshot.titles : {}
