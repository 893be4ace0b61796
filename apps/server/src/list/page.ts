import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { countInTime, countOnce } from './count-rows.ts'

export type Sort = {
  by: RawBuilder<unknown>
  /** PostgreSQL type of a value that is never null, to continue behind it; without one pages have numbers only. */
  type?: 'text' | 'timestamptz' | 'date' | 'time' | 'bigint' | 'integer' | 'numeric' | 'boolean'
}

export type PageQuery = { page: number; per_page: number; after?: string | undefined; sort: string }

type Common<DB, TB extends keyof DB, S extends string, K extends string> = {
  /** Tables and conditions, without columns and order. */
  from: SelectQueryBuilder<DB, TB, object>
  sorts: Record<K, Sort>
  /** Unique column that settles ties, a uuid unless told. */
  id: RawBuilder<unknown>
  idType?: 'uuid' | 'bigint'
  /** Whole numbers added up over everything that matches, as far as rows are counted, and scaled up from there. */
  sums?: Record<S, RawBuilder<unknown>>
  /** Every row is counted and added up, however many there are. */
  exact?: boolean
}

/** Only ids are looked for in `from`, in the order of the list until a page is full; `rows` reads that page. */
type Walked<DB, TB extends keyof DB, O> = {
  /** All rows with their columns and without conditions, of which the ids pick a page. */
  rows: SelectQueryBuilder<any, any, O>
  /**
   * As `from`, with conditions that are quicker to look at row by row on the way. What matches is counted first: few rows
   * lie far apart, so all of them are found by `from` and sorted.
   */
  many?: SelectQueryBuilder<DB, TB, object>
}

export type PageOf<DB, TB extends keyof DB, O, S extends string = never, K extends string = string> = Common<
  DB,
  TB,
  S,
  K
> &
  ({ columns: (from: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<any, any, O> } | Walked<DB, TB, O>)

const writeCursor = (sort: string, value: string, id: string) =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

function readCursor(cursor: string, sort: string): [value: string, id: string] {
  try {
    const [of, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (of === sort && typeof value === 'string' && typeof id === 'string') return [value, id]
  } catch {}
  throw invalid({ after: 'invalid_input' })
}

/** Class of PostgreSQL's states for values that are none of the type asked for. */
const oddValue = /^22/

/** A cursor of another list has the form of one; that its values are none of these columns only PostgreSQL sees. */
const refusingCursor =
  (after: string | undefined) =>
  (error: { code?: string }): never => {
    throw after && oddValue.test(error.code ?? '') ? invalid({ after: 'invalid_input' }) : error
  }

function orderOf(sorts: Record<string, Sort>, wanted: string) {
  const descending = wanted.startsWith('-')
  const sort = sorts[descending ? wanted.slice(1) : wanted]
  if (!sort) throw invalid({ sort: 'invalid_input' })
  const direction = sql.raw(descending ? 'DESC' : 'ASC')
  const nulls = sql.raw(sort.type ? '' : 'NULLS LAST')
  return {
    ...sort,
    behind: sql.raw(descending ? '<' : '>'),
    inOrder: (by: RawBuilder<unknown>, tie: RawBuilder<unknown>) =>
      sql`${by} ${direction} ${nulls}, ${tie} ${direction}`,
  }
}

/** Every row of a list in its order, for a file. */
export function wholeList<DB, TB extends keyof DB, O>(sort: string, list: PageOf<DB, TB, O, string>) {
  const { by, inOrder } = orderOf(list.sorts, sort)
  const found =
    'rows' in list
      ? list.rows.where(sql<boolean>`${list.id} IN (${list.from.select(sql`${list.id}`.as('id'))})`)
      : list.columns(list.from)
  return found.orderBy(inOrder(by, list.id))
}

/** The rows of one page as a statement, and one more that tells whether there is another page. */
export function pageQuery<DB, TB extends keyof DB, O>(
  query: PageQuery,
  list: PageOf<DB, TB, O, string>,
  isFew = false,
) {
  const { from, sorts, id, idType = 'uuid' } = list
  const { by, type, behind, inOrder } = orderOf(sorts, query.sort)
  const place = query.after && type ? readCursor(query.after, query.sort) : undefined
  const [value, last] = place ?? []
  const continued = sql<boolean>`(${by}, ${id}) ${behind} (${value}::${sql.raw(type ?? 'text')}, ${last}::${sql.raw(idType)})`
  const within = sql`LIMIT ${query.per_page + 1} OFFSET ${place ? 0 : (query.page - 1) * query.per_page}`
  const matches = (where = from) => (place ? where.where(continued) : where)
  const picked = ({ rows, many }: Walked<DB, TB, O>) => {
    const keys = matches(isFew ? from : many).select([sql<string>`${id}`.as('id'), sql`${by}`.as('key')])
    // OFFSET 0 keeps the planner from walking the order in the hope of finding enough rows soon.
    const ids = isFew
      ? sql`SELECT id FROM (${keys} OFFSET 0) found ORDER BY ${inOrder(sql`key`, sql`id`)} ${within}`
      : sql`SELECT id FROM (${keys} ORDER BY ${inOrder(by, id)} ${within}) walked`
    return rows.where(sql<boolean>`${id} IN (${ids})`)
  }
  const found = 'rows' in list ? picked(list) : list.columns(matches()).modifyEnd(within)
  return found
    .select(sql<string>`${by}::text`.as('cursorValue'))
    .select(sql<string>`${id}::text`.as('cursorId'))
    .orderBy(inOrder(by, id))
}

/**
 * One page of a list with its total, exact up to 10,000 and the planner's estimate above, `null` where rows are still
 * being counted; 422 for a strange cursor.
 */
export async function pageOf<DB, TB extends keyof DB, O, S extends string = never>(
  db: Db,
  query: PageQuery,
  list: PageOf<DB, TB, O, S>,
) {
  const { sums = {}, exact } = list
  const matching = list.from
    .clearSelect()
    .clearOrderBy()
    .select([sql<number>`1`.as('one'), ...Object.entries<RawBuilder<unknown>>(sums).map(([name, sum]) => sum.as(name))])
  const counting = countOnce(db, sql`${matching}`, Object.keys(sums), exact ? { exact } : {})
  const isFew = 'many' in list && list.many !== undefined && !(await counting).isEstimate
  const reading = pageQuery(query, list, isFew).execute().catch(refusingCursor(query.after))
  const [page, count] = await Promise.all([reading, countInTime(counting, reading)])
  const rows = page as unknown as (O & { cursorValue: string | null; cursorId: string })[]
  const more = rows.length > query.per_page
  const shown = rows.slice(0, query.per_page)
  const lastShown = shown.at(-1)
  const { type } = orderOf(list.sorts, query.sort)
  return {
    data: shown.map(({ cursorValue: _value, cursorId: _id, ...row }) => row as unknown as O),
    meta: {
      total: count?.total ?? null,
      total_is_estimate: count?.isEstimate ?? true,
      sums: (count?.sums ?? null) as Record<S, number> | null,
      next:
        more && lastShown?.cursorValue != null && type
          ? writeCursor(query.sort, lastShown.cursorValue, lastShown.cursorId)
          : null,
    },
  }
}
