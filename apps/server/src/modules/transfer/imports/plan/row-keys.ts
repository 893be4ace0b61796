import { type RawBuilder, sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { table } from '#server/list/row-titles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { column, columnsOf, toRow } from '#server/resource/columns.ts'

type Input = Record<string, unknown>

/** Fields that no two rows may share. The first of an entity's keys says which row a line of a sheet means. */
export type RowKey = { fields: readonly string[]; single: boolean }

const uniqueFields = (entity: Entity) =>
  Object.entries(entity.fields)
    .filter(([, field]) => field.kind === 'code' || field.unique)
    .map(([key]): RowKey => ({ fields: [key], single: true }))

/** Entities without a unique field: rows alike in names, days and what they must point to are the same row. */
const naturalKey = (entity: Entity): RowKey => ({
  fields: Object.entries(entity.fields)
    .filter(
      ([key, field]) =>
        (field.kind === 'reference' && !field.optional) ||
        entity.titleFields.includes(key) ||
        field.kind === 'date' ||
        field.kind === 'time',
    )
    .map(([key]) => key),
  single: false,
})

export function rowKeysOf(entity: Entity): RowKey[] {
  const together = (entity.uniqueTogether ?? []).map((fields): RowKey => ({ fields, single: false }))
  const keys = [...uniqueFields(entity), ...together]
  return keys.length > 0 ? keys : [naturalKey(entity)]
}

const part = (value: unknown) => (value === null || value === undefined ? '' : String(value).toLowerCase())

/** The key of one row as text; the same as `keySql` makes of a stored one. */
export const keyOf = ({ fields }: RowKey, row: Input) => fields.map((key) => part(row[key])).join('|')

function keySql(entity: Entity, { fields, single }: RowKey): RawBuilder<string> {
  if (single) return sql`lower(${column(fields[0]!)})`
  const parts = fields.map((key) => {
    const text =
      entity.fields[key]!.kind === 'time' ? sql`to_char(${column(key)}, 'HH24:MI')` : sql`${column(key)}::text`
    return sql`coalesce(lower(${text}), '')`
  })
  return sql`concat_ws('|', ${sql.join(parts)})`
}

/** Stored rows with one of these keys, by key. */
export async function rowsByKey(
  db: Db,
  entity: Entity,
  key: RowKey,
  wanted: readonly string[],
): Promise<Map<string, Row>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)} FROM ${table(entity)} t WHERE ${keySql(entity, key)} = ANY(${wanted})`.execute(db)
  return new Map(rows.map(toRow).map((row) => [keyOf(key, row), row]))
}

/** Whose these keys are: enough to tell that another row already has one. */
export async function idsByKey(
  db: Db,
  entity: Entity,
  key: RowKey,
  wanted: readonly string[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ id: string; key: string }>`
    SELECT t.id::text AS id, ${keySql(entity, key)} AS key FROM ${table(entity)} t
    WHERE ${keySql(entity, key)} = ANY(${wanted})`.execute(db)
  return new Map(rows.map(({ id, key: text }) => [text, id]))
}
