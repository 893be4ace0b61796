import { type RawBuilder, sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { table } from '#server/list/row-titles.ts'
import { fieldOf } from '#server/modules/transfer/imports/import-columns.ts'
import type { Db } from '#server/platform/database/database.ts'
import { column, columnsOf, toRow } from '#server/resource/columns.ts'

type Input = Record<string, unknown>

/** Fields whose values no two rows share. An entity's first key identifies the stored row of a line. */
export type RowKey = {
  fields: readonly string[]
  /** The field of a key that has only one. */
  single: string | null
}

const uniqueFields = (entity: Entity) =>
  Object.entries(entity.fields)
    .filter(([, field]) => field.kind === 'code' || field.unique)
    .map(([key]): RowKey => ({ fields: [key], single: key }))

/** Key of entities without a unique field: rows with equal names, dates and required references are the same row. */
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
  single: null,
})

export function rowKeysOf(entity: Entity): RowKey[] {
  const together = (entity.uniqueTogether ?? []).map((fields): RowKey => ({ fields, single: null }))
  const keys = [...uniqueFields(entity), ...together]
  return keys.length > 0 ? keys : [naturalKey(entity)]
}

const textOfPart = (value: unknown) => (value === null || value === undefined ? '' : String(value).toLowerCase())

/** Text of a row's key, equal to `keySql` for the stored row. */
export const keyOf = ({ fields }: RowKey, row: Input) => fields.map((key) => textOfPart(row[key])).join('|')

function keySql(entity: Entity, { fields, single }: RowKey): RawBuilder<string> {
  if (single !== null) return sql`lower(${column(single)})`
  const parts = fields.map((key) => {
    const text =
      fieldOf(entity, key).kind === 'time' ? sql`to_char(${column(key)}, 'HH24:MI')` : sql`${column(key)}::text`
    return sql`coalesce(lower(${text}), '')`
  })
  return sql`concat_ws('|', ${sql.join(parts)})`
}

/** Loads the stored rows that have these keys. */
export async function findRowsByKey(
  db: Db,
  entity: Entity,
  key: RowKey,
  keyTexts: readonly string[],
): Promise<Map<string, Row>> {
  if (keyTexts.length === 0) return new Map()
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)} FROM ${table(entity)} t WHERE ${keySql(entity, key)} = ANY(${keyTexts})`.execute(db)
  return new Map(rows.map(toRow).map((row) => [keyOf(key, row), row]))
}

/** Finds the ids of rows with these keys, to detect a key that belongs to another row. */
export async function findIdsByKey(
  db: Db,
  entity: Entity,
  key: RowKey,
  keyTexts: readonly string[],
): Promise<Map<string, string>> {
  if (keyTexts.length === 0) return new Map()
  const { rows } = await sql<{ id: string; key: string }>`
    SELECT t.id::text AS id, ${keySql(entity, key)} AS key FROM ${table(entity)} t
    WHERE ${keySql(entity, key)} = ANY(${keyTexts})`.execute(db)
  return new Map(rows.map(({ id, key: text }) => [text, id]))
}
