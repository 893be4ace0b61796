export type Difference = { field: string; before: unknown; after: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ignored: names of references, and columns that change with every edit. */
const ignoredFields = new Set(['titles', 'version', 'id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'])

const isEqual = (first: unknown, second: unknown) => JSON.stringify(first ?? null) === JSON.stringify(second ?? null)

/** Fields that differ between two snapshots; all fields if one snapshot is missing. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [oldRecord, newRecord] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const hasPlainValue = [before, after].some((value) => value !== null && value !== undefined && !isRecord(value))
  if (hasPlainValue) return [{ field: '', before, after }]
  return [...new Set([...Object.keys(oldRecord), ...Object.keys(newRecord)])]
    .filter((field) => !ignoredFields.has(field) && !isEqual(oldRecord[field], newRecord[field]))
    .map((field) => ({ field, before: oldRecord[field] ?? null, after: newRecord[field] ?? null }))
}

/** Names of a snapshot's references, as they were then. */
export const titlesOf = (snapshot: unknown): Record<string, unknown> =>
  isRecord(snapshot) && isRecord(snapshot.titles) ? snapshot.titles : {}
