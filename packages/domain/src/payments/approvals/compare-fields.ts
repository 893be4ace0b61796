import { z } from 'zod'

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable()
export type FieldValue = z.output<typeof value>

/** One field of a record before and after; null before it was filled in or after it was emptied. */
export const fieldChange = z.object({ field: z.string(), before: value, after: value })
export type FieldChange = z.output<typeof fieldChange>

export type Fields = Record<string, FieldValue>

/** Fields in which two states of a record differ, in the later state's order; the order of list items is ignored. */
export function fieldChanges(before: Fields, after: Fields): FieldChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  return names
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => written(change.before) !== written(change.after))
}

const written = (one: FieldValue) => JSON.stringify(Array.isArray(one) ? one.toSorted() : one === '' ? null : one)
