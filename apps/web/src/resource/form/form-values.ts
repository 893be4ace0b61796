import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'

import type { FieldValue, Row } from '#entities/define/row.ts'

export type Values = Record<string, FieldValue>

const startOf = (field: Field): FieldValue =>
  ('default' in field ? (field.default as FieldValue) : undefined) ?? (field.kind === 'boolean' ? false : null)

/** Initial values of the form: all fields except the parent, which comes from the address. */
export function valuesOf(entity: Entity, row?: Row, start?: Values): Values {
  const fields = Object.entries(entity.fields).filter(([key]) => key !== entity.parent?.field)
  const heldIn = (field: Field, key: string) => (row ? (row[key] as FieldValue) : (start?.[key] ?? startOf(field)))
  return Object.fromEntries(fields.map(([key, field]) => [key, heldIn(field, key)]))
}

/** Reference values kept for the next new row, which often has the same. */
export const sharedOf = (entity: Entity, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => entity.fields[key]?.kind === 'reference'))
