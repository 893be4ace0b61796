import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { declaredField, type Entity } from '#entities/define/entity.ts'
import { filterKeys } from '#entities/define/row.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { contains, likePattern, searchPattern } from '#server/platform/database/database.ts'
import { column, referenceTitleSql, scopeSql } from './columns.ts'

type Condition = RawBuilder<SqlBool>

/** Matches codes by prefix and names by any part; an entity without names, the titles of its references. */
export function searchCondition(entity: Entity, q: string, keys = Object.keys(entity.fields)): Condition {
  const start = searchPattern(q).slice(1)
  // Two letters make no trigram: in a large table they match only beginnings of words.
  const matchesWord = (text: RawBuilder<unknown>): Condition =>
    entity.large && q.length < 3
      ? sql<boolean>`search_key(${text}) LIKE ${start} OR search_key(${text}) LIKE ${`% ${start}`}`
      : contains(text, q)
  const ownConditions: Condition[] = []
  const referenceConditions: Condition[] = []
  for (const key of keys) {
    const field = declaredField(entity, key)
    if (field.kind === 'code')
      ownConditions.push(sql`lower(${column(key)}) LIKE ${likePattern(q.toLowerCase()).slice(1)}`)
    if (field.kind === 'text' && field.searchable !== false) ownConditions.push(matchesWord(column(key)))
    if (field.kind === 'email') ownConditions.push(matchesWord(column(key)))
    if (field.kind === 'reference' && key !== entity.parent?.field)
      referenceConditions.push(contains(referenceTitleSql(key, field.to), q))
  }
  const either = ownConditions.length > 0 ? ownConditions : referenceConditions
  return either.length > 0 ? sql<boolean>`(${sql.join(either, sql` OR `)})` : sql<boolean>`false`
}

const equals = (key: string, value: unknown): Condition => sql`${column(key)} = ${value}`

/** Conditions for the rows of an entity that the reader sees, below the parent in the path. */
export const scopeOf = (entity: Entity, actor: Actor, parentId: string | undefined): Condition[] => [
  ...(entity.scope ? [scopeSql(entity, actor)] : []),
  ...(entity.parent && parentId ? [equals(entity.parent.field, parentId)] : []),
]

/** A rule for each filter of an entity. */
export function rulesOf(entity: Entity): Record<string, (value: string) => Condition> {
  const keys = [...filterKeys(entity), ...(entity.parent ? [entity.parent.field] : [])]
  const ruleOf = (key: string) => (value: string) =>
    equals(key, declaredField(entity, key).kind === 'boolean' ? value === 'true' : value)
  return {
    ...Object.fromEntries(keys.map((key) => [key, ruleOf(key)])),
    active: (active) => sql`t.active = ${active === 'true'}`,
    q: (q) => searchCondition(entity, q),
  }
}
