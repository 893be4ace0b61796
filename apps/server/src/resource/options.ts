import { sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import { optionKeys } from '#entities/define/row.ts'
import type { Option } from '#entities/endpoints.ts'
import { table } from '#server/list/row-titles.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { column, hintSql, scopeSql, titleSql } from './columns.ts'
import { searchCondition } from './list-query.ts'

type OptionQuery = { q?: string; ids?: string; parent?: string; per_page: number }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Active rows to choose from, or those of `ids`: a chosen row stays readable after it is deactivated. */
export async function findOptions(db: Db, entity: Entity, actor: Actor, query: OptionQuery): Promise<Option[]> {
  const ids = query.ids?.split(',')
  if (ids?.some((id) => !uuid.test(id))) throw invalid({ ids: 'invalid_input' })
  const conditions = [scopeSql(entity, actor), ids ? sql`t.id = ANY(${ids}::uuid[])` : sql`t.active`]
  if (query.parent && entity.parent) conditions.push(sql`${column(entity.parent.field)} = ${query.parent}`)
  if (query.q && !ids) conditions.push(searchCondition(entity, query.q, optionKeys(entity)))
  const title = titleSql(entity)
  const byTitle = entity.titleFields.length > 0 && query.q?.toLowerCase()
  const isDescending = entity.defaultSort.startsWith('-')
  const order = column(isDescending ? entity.defaultSort.slice(1) : entity.defaultSort)
  const { rows } = await sql<Option>`
    SELECT t.id, ${title} AS title, ${isApplicant(actor) ? sql`NULL` : hintSql(entity)} AS hint, t.active FROM ${table(entity)} t
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${byTitle ? sql`starts_with(lower(${title}), ${byTitle}) DESC, ${title}` : order}
      ${sql.raw(isDescending && !byTitle ? 'DESC' : 'ASC')}, t.id
    LIMIT ${query.per_page}`.execute(db)
  return rows
}
