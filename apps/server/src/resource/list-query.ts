import { type RawBuilder, sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import { filterKeys } from '#entities/define/row.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { column, referenceTitleSql, scopeSql } from './columns.ts'

type Condition = RawBuilder<unknown>

const literal = (typed: string) => typed.replace(/[%_\\]/g, '\\$&')

/** Codes are found by their beginning, names by any part; a row without names by those it points to. */
export function searchCondition(entity: Entity, q: string, keys = Object.keys(entity.fields)): Condition {
  const anywhere = `%${literal(q)}%`
  // Two letters are no trigram: of many rows they find what a word begins with.
  const within = (text: Condition) =>
    entity.large && q.length < 3
      ? sql`${text} ILIKE ${`${literal(q)}%`} OR ${text} ILIKE ${`% ${literal(q)}%`}`
      : sql`${text} ILIKE ${anywhere}`
  const own: Condition[] = []
  const pointed: Condition[] = []
  for (const key of keys) {
    const field = entity.fields[key]!
    if (field.kind === 'code') own.push(sql`lower(${column(key)}) LIKE ${`${literal(q.toLowerCase())}%`}`)
    if (field.kind === 'text' && field.searchable !== false) own.push(within(column(key)))
    if (field.kind === 'email') own.push(within(column(key)))
    if (field.kind === 'reference' && key !== entity.parent?.field)
      pointed.push(sql`${referenceTitleSql(key, field.to)} ILIKE ${anywhere}`)
  }
  const either = own.length > 0 ? own : pointed
  return either.length > 0 ? sql`(${sql.join(either, sql` OR `)})` : sql`false`
}

type Filters = Readonly<Record<string, string | undefined>>

/** What the rows of a list must be: below their parent, in the reader's scope, and as the filters say. */
export function conditionsOf(entity: Entity, actor: Actor, query: Filters, parentId?: string): Condition[] {
  const conditions: Condition[] = entity.scope ? [scopeSql(entity, actor)] : []
  const above = entity.parent && (parentId ?? query[entity.parent.field])
  if (above) conditions.push(sql`${column(entity.parent!.field)} = ${above}`)
  if (query.active) conditions.push(sql`t.active = ${query.active === 'true'}`)
  for (const key of filterKeys(entity)) {
    const value = query[key]
    if (value === undefined) continue
    const wanted = entity.fields[key]!.kind === 'boolean' ? value === 'true' : value
    conditions.push(sql`${column(key)} = ${wanted}`)
  }
  if (query.q) conditions.push(searchCondition(entity, query.q))
  return conditions
}
