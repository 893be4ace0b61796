import { type RawBuilder, sql } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import { filterKeys, type ListQuery, type Row } from '#entities/define/row.ts'
import { countRows } from '#server/list/count-rows.ts'
import { refusingCursor } from '#server/list/page.ts'
import { table } from '#server/list/row-titles.ts'
import type { Actor } from '#server/platform/authorization.ts'
import type { Db } from '#server/platform/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { column, columnsOf, referenceTitleSql, scopeSql, toRow } from './columns.ts'

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

type Filters = Omit<ListQuery, 'page' | 'per_page' | 'sort'>

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
  if (query.q) conditions.push(searchCondition(entity, String(query.q)))
  return conditions
}

const whereAll = (conditions: Condition[]) =>
  conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`

type Sort = { key: string; expression: Condition; descending: boolean; keyset: boolean }

const keysetKinds = new Set(['text', 'code', 'integer', 'decimal', 'money', 'date', 'choice', 'boolean'])

function sortOf(entity: Entity, sort: string): Sort {
  const descending = sort.startsWith('-')
  const key = descending ? sort.slice(1) : sort
  const field = entity.fields[key]
  const expression = field?.kind === 'reference' ? referenceTitleSql(key, field.to) : column(key)
  return { key, expression, descending, keyset: !!field && !field.optional && keysetKinds.has(field.kind) }
}

/** A place in the list: behind a row where the order allows it, else behind a number of rows. */
type Cursor = { sort: string; value: unknown; id: string } | { sort: string; offset: number }

const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor(text: string, sort: string): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
    const known = typeof cursor.id === 'string' || (Number.isSafeInteger(cursor.offset) && Number(cursor.offset) >= 0)
    if (cursor.sort === sort && known) return cursor as Cursor
  } catch {}
  throw invalid({ after: 'invalid_input' })
}

/** One page of a list as SQL, and the rows it is a page of. */
export function pageSql(entity: Entity, actor: Actor, query: ListQuery, parentId?: string) {
  const conditions = conditionsOf(entity, actor, query, parentId)
  const sort = sortOf(entity, query.sort)
  const direction = sql.raw(sort.descending ? 'DESC' : 'ASC')
  const nulls = sql.raw(sort.descending && !sort.keyset ? 'NULLS LAST' : '')
  const order = sql`ORDER BY ${sort.expression} ${direction} ${nulls}, t.id ${direction}`
  const cursor = query.after ? readCursor(query.after, query.sort) : { offset: (query.page - 1) * query.per_page }
  const offset = 'offset' in cursor ? cursor.offset : 0
  const behind = sql.raw(sort.descending ? '<' : '>')
  const rest =
    'id' in cursor
      ? whereAll([...conditions, sql`(${sort.expression}, t.id) ${behind} (${cursor.value}, ${cursor.id})`])
      : whereAll(conditions)
  // The rows of the page are found first: what they point to is looked up for them alone, not for those skipped.
  const page = sql<Record<string, unknown>>`
    SELECT ${columnsOf(entity)} FROM (
      SELECT t.* FROM ${table(entity)} t ${rest} ${order} LIMIT ${query.per_page + 1} OFFSET ${offset}) t ${order}`
  const nextOf = (last: Row): Cursor =>
    sort.keyset
      ? { sort: query.sort, value: last[sort.key], id: last.id }
      : { sort: query.sort, offset: offset + query.per_page }
  return { page, matching: sql`SELECT 1 FROM ${table(entity)} t ${whereAll(conditions)}`, nextOf }
}

export async function listRows(db: Db, entity: Entity, actor: Actor, query: ListQuery, parentId?: string) {
  const { page, matching, nextOf } = pageSql(entity, actor, query, parentId)
  const found = page.execute(db).catch(refusingCursor(query.after))
  const [{ rows }, { total, isEstimate }] = await Promise.all([found, countRows(db, matching)])
  const data = rows.slice(0, query.per_page).map(toRow)
  const next = rows.length > query.per_page ? writeCursor(nextOf(data.at(-1)!)) : null
  return { data, meta: { total, total_is_estimate: isEstimate, next } }
}
