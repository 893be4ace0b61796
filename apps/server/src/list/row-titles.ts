import { type SelectQueryBuilder, sql } from 'kysely'
import type { ListFilter } from '#domain/list.ts'
import { columnName, type Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import { getEntity } from '#entities/index.ts'
import type { Db } from '#server/platform/database/database.ts'

type NamedTable = Extract<ListFilter, { kind: 'id' }>['table']

/** `sql.raw` is safe here: every name below comes from a declaration, never from a request. */
export const table = (entity: Entity) => sql.raw(entity.table)

/** SQL for the title of an entity's row; `alias` is its table's name in the query. */
export const titleOf = (entity: Entity, alias: string) =>
  entity.titleFields.length === 0
    ? `''`
    : `concat_ws(' · ', ${entity.titleFields.map((key) => `${alias}.${columnName(key)}`).join(', ')})`

/** Order by the titles of `joinTitles`; a title of one field is the column itself, which has an index. */
export function orderByTitle(field: Extract<Field, { kind: 'reference' }>) {
  if (field.optional) return {}
  const entity = getEntity(field.to)
  const [only, ...others] = entity.titleFields
  const isColumn = only && others.length === 0 && !entity.fields[only]?.optional
  const title = isColumn ? `sorted_by.${columnName(only)}` : titleOf(entity, 'sorted_by')
  return { type: 'text', inFrom: sql.raw(title) } as const
}

/**
 * The rows of a list joined with those that a required reference names, if the list is in the order of their titles:
 * it is then walked by the index of the titles, instead of looking up each.
 */
export function joinTitles(from: SelectQueryBuilder<any, any, any>, entity: Entity, sort: string) {
  const key = sort.replace('-', '')
  const field = entity.fields[key]
  if (field?.kind !== 'reference' || field.optional) return {}
  const titles = sql`${table(getEntity(field.to))}`.as('sorted_by')
  const isNamed = sql<boolean>`sorted_by.id = ${sql.raw(`t.${columnName(key)}`)}`
  return { from: from.innerJoin(titles, (join) => join.on(isNamed)) }
}

/** The title of a row; undefined if the row does not exist. */
export async function findTitle(db: Db, entity: Entity, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ title: string }>`
    SELECT ${sql.raw(titleOf(entity, 't'))} AS title FROM ${table(entity)} t WHERE t.id = ${id}`.execute(db)
  return rows[0]?.title
}

const nameColumns = {
  accounts: 'name',
  bankAccounts: 'name',
  roles: 'name',
  statementImports: 'file_name',
} as const satisfies Record<NamedTable, string>

/** The name of a row outside the master data; undefined if the row does not exist. */
export async function findName(db: Db, from: NamedTable, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom(from)
    .select(sql<string>`${sql.ref(nameColumns[from])}`.as('name'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.name
}
