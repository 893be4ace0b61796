import { type RawBuilder, sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import { filterKeys } from '#entities/define/row.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { contains, likePattern, searchPattern } from '#server/platform/database/database.ts'
import { column, referenceTitleSql, scopeSql } from './columns.ts'

type Condition = RawBuilder<unknown>

/** Matches codes by prefix and names by any part; an entity without names by the titles of its references. */
export function searchCondition(entity: Entity, q: string, keys = Object.keys(entity.fields)): Condition {
  const start = searchPattern(q).slice(1)
  // Two letters are no trigram: in a large table they match only beginnings of words.
  const matchesWord = (text: Condition) =>
    entity.large && q.length < 3
      ? sql`search_key(${text}) LIKE ${start} OR search_key(${text}) LIKE ${`% ${start}`}`
      : contains(text, q)
  const ownConditions: Condition[] = []
  const referenceConditions: Condition[] = []
  for (const key of keys) {
    const field = entity.fields[key]!
    if (field.kind === 'code')
      ownConditions.push(sql`lower(${column(key)}) LIKE ${likePattern(q.toLowerCase()).slice(1)}`)
    if (field.kind === 'text' && field.searchable !== false) ownConditions.push(matchesWord(column(key)))
    if (field.kind === 'email') ownConditions.push(matchesWord(column(key)))
    if (field.kind === 'reference' && key !== entity.parent?.field)
      referenceConditions.push(contains(referenceTitleSql(key, field.to), q))
  }
  const either = ownConditions.length > 0 ? ownConditions : referenceConditions
  return either.length > 0 ? sql`(${sql.join(either, sql` OR `)})` : sql`false`
}

type Filters = Readonly<Record<string, string | undefined>>

/** Conditions of a list: parent, row scope of the reader and filters. */
export function conditionsOf(entity: Entity, actor: Actor, query: Filters, parentId?: string): Condition[] {
  const conditions: Condition[] = entity.scope ? [scopeSql(entity, actor)] : []
  const parentRowId = entity.parent && (parentId ?? query[entity.parent.field])
  if (parentRowId) conditions.push(sql`${column(entity.parent!.field)} = ${parentRowId}`)
  if (query.active) conditions.push(sql`t.active = ${query.active === 'true'}`)
  for (const key of filterKeys(entity)) {
    const value = query[key]
    if (value === undefined) continue
    const filterValue = entity.fields[key]!.kind === 'boolean' ? value === 'true' : value
    conditions.push(sql`${column(key)} = ${filterValue}`)
  }
  if (query.q) conditions.push(searchCondition(entity, query.q))
  return conditions
}
