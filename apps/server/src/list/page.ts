import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { openText, sealTextRepeatably } from '#server/platform/access/secret-box.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import { type Count, countInTime, countOnce, fewRows } from './count-rows.ts'

export type Sort = {
  by: RawBuilder<unknown>
  /** The same value in `from` of a list with `rows`, such as a column of a joined table whose index is in this order. */
  inFrom?: RawBuilder<unknown>
  /** PostgreSQL type of a non-null expression, for cursors; without a type, pages are read by number only. */
  type?: 'text' | 'timestamptz' | 'date' | 'time' | 'bigint' | 'integer' | 'numeric' | 'boolean'
}

export type PageQuery = { page: number; per_page: number; after?: string | undefined; sort: string }

type ListParts<DB, TB extends keyof DB, S extends string, K extends string> = {
  /** Tables and conditions, without columns and order. */
  from: SelectQueryBuilder<DB, TB, object>
  sorts: Record<K, Sort>
  /** Unique column that breaks ties; a uuid unless `idType` says otherwise. */
  id: RawBuilder<unknown>
  idType?: 'uuid' | 'bigint'
  /** Integers summed over all matching rows; scaled up from the counted rows if the total is estimated. */
  sums?: Record<S, RawBuilder<unknown>>
  /** Counts and sums every row instead of estimating above 100,000. */
  exact?: boolean
  /** A count of `from` that has begun, with its sums. */
  pendingCount?: Promise<Count>
  /** The installation's secret and the list's path, which seal its cursors. */
  seal: CursorSeal
}

export type CursorSeal = { secret: string; path: string }

/** Finds a page's ids in `from`, in list order; `rows` then reads that page. */
type WalkedList<DB, TB extends keyof DB, O> = {
  /** All rows with their columns, without conditions; filtered by the ids of the page. */
  rows: SelectQueryBuilder<any, any, O>
  /**
   * Like `from`, with conditions that are cheap to check row by row while walking the order. The rows are counted
   * first: few matches are far apart in the order, so `from` then finds all of them and they are sorted.
   */
  many?: SelectQueryBuilder<DB, TB, object>
}

type ColumnedList<DB, TB extends keyof DB, O> = {
  columns: (from: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<any, any, O>
}

export type PageOf<DB, TB extends keyof DB, O, S extends string = never, K extends string = string> = ListParts<
  DB,
  TB,
  S,
  K
> &
  (ColumnedList<DB, TB, O> | WalkedList<DB, TB, O>)

type Ordered = { seal: CursorSeal; sort: string; type: string; idType: string }

/** The key includes list, order and types, so a cursor of another list or order, or of older types, does not open. */
const purposeOf = ({ seal, sort, type, idType }: Ordered) =>
  `cursor of ${seal.path} by ${sort} (${type}), then by ${idType}`

/** Seals the last row's position, because the reader may see one of its columns masked or not at all. */
const writeCursor = (ordered: Ordered, value: string, id: string) =>
  sealTextRepeatably(ordered.seal.secret, purposeOf(ordered), JSON.stringify([value, id]))

function readCursor(ordered: Ordered, cursor: string): [value: string, id: string] {
  const place = openText(ordered.seal.secret, purposeOf(ordered), cursor)
  if (place === undefined) throw invalid({ after: 'invalid_input' })
  return JSON.parse(place)
}

function orderOf(sorts: Record<string, Sort>, sortKey: string) {
  const isDescending = sortKey.startsWith('-')
  const sort = sorts[isDescending ? sortKey.slice(1) : sortKey]
  if (!sort) throw invalid({ sort: 'invalid_input' })
  const ordering = (direction: 'ASC' | 'DESC', nulls: 'FIRST' | 'LAST') => {
    const [towards, nullsAt] = [sql.raw(direction), sql.raw(sort.type ? '' : `NULLS ${nulls}`)]
    return (by: RawBuilder<unknown>, tie: RawBuilder<unknown>) => sql`${by} ${towards} ${nullsAt}, ${tie} ${towards}`
  }
  return {
    ...sort,
    comparison: sql.raw(isDescending ? '<' : '>'),
    inOrder: ordering(isDescending ? 'DESC' : 'ASC', 'LAST'),
    inReverse: ordering(isDescending ? 'ASC' : 'DESC', 'FIRST'),
  }
}

/** Query for every row of a list in order, for a file. */
export function wholeList<DB, TB extends keyof DB, O>(sort: string, list: PageOf<DB, TB, O, string>) {
  const { by, inOrder } = orderOf(list.sorts, sort)
  const selection =
    'rows' in list
      ? list.rows.where(sql<boolean>`${list.id} IN (${list.from.select(sql`${list.id}`.as('id'))})`)
      : list.columns(list.from)
  return selection.orderBy(inOrder(by, list.id))
}

/**
 * From this many preceding rows on, a page is found by its ids, so that columns and joins of the preceding rows are not
 * read.
 */
const deepFromRows = 1_000

/** So many of the last pages of an estimated total are walked to from the end. */
const pagesFromEnd = 10

const offsetOf = ({ page, per_page }: PageQuery) => (page - 1) * per_page

type Counted = {
  /** All rows are found and sorted, instead of walking the order. */
  isFew?: boolean
  /** Number of matching rows, if known; a page in the second half of the order is walked to from the end. */
  total?: number | undefined
  /**
   * The total may be wrong by some per cent, so that only its last pages are walked to from the end: the last one then has
   * the last rows, and those before follow on each other from the beginning.
   */
  isEstimate?: boolean
}

/** Query for the rows of a page and one more row, whose presence means another page. */
export function pageQuery<DB, TB extends keyof DB, O>(
  query: PageQuery,
  list: PageOf<DB, TB, O, string>,
  { isFew = false, total, isEstimate = false }: Counted = {},
) {
  const { from, sorts, id, idType = 'uuid', seal } = list
  const { by, inFrom, type, comparison, inOrder, inReverse } = orderOf(sorts, query.sort)
  const walkedBy = 'rows' in list ? (inFrom ?? by) : by
  const cursor = query.after && type ? readCursor({ seal, sort: query.sort, type, idType }, query.after) : undefined
  const [value, lastId] = cursor ?? []
  const valueOfCursor = sql`${value}::${sql.raw(type ?? 'text')}`
  const isAfterCursor = sql<boolean>`(${walkedBy}, ${id}) ${comparison} (${valueOfCursor}, ${lastId}::${sql.raw(idType)})`
  // The index of a joined table has its own id behind the value, so it only answers the comparison of the value.
  const isAtCursor = sql<boolean>`${walkedBy} ${comparison}= ${valueOfCursor}`
  const offset = cursor ? 0 : offsetOf(query)
  const isLate = (of: number) => offset > (isEstimate ? of - pagesFromEnd * query.per_page : of / 2)
  const fromEnd = total !== undefined && isLate(total) ? total - offset : undefined
  const rowCount = fromEnd === undefined ? query.per_page + 1 : Math.min(Math.max(fromEnd, 0), query.per_page + 1)
  const skippedCount = fromEnd === undefined ? offset : Math.max(fromEnd - rowCount, 0)
  const inWalk = fromEnd === undefined ? inOrder : inReverse
  const pageLimit = sql`LIMIT ${sql.lit(rowCount)} OFFSET ${sql.lit(skippedCount)}`
  const matches = (where = from) => {
    if (!cursor) return where
    return inFrom ? where.where(isAfterCursor).where(isAtCursor) : where.where(isAfterCursor)
  }
  // An array instead of IN (SELECT): the planner joins the names to a few ids without another order of joins for each
  // filter. Its expected number of rows does not depend on the values, so that PostgreSQL keeps the plan.
  const isOneOf = (ids: RawBuilder<unknown>) => sql<boolean>`${id} = ANY(ARRAY(${ids}))`
  const selectByIds = ({ rows, many }: WalkedList<DB, TB, O>) => {
    const keys = matches(isFew ? from : many).select([sql<string>`${id}`.as('id'), sql`${walkedBy}`.as('key')])
    // OFFSET 0 keeps the planner from walking the order in the hope of finding enough rows soon.
    const ids = isFew
      ? sql`SELECT id FROM (${keys} OFFSET 0) found ORDER BY ${inWalk(sql`key`, sql`id`)} ${pageLimit}`
      : sql`SELECT id FROM (${keys} ORDER BY ${inWalk(walkedBy, id)} ${pageLimit}) walked`
    return rows.where(isOneOf(ids))
  }
  const selectColumns = ({ columns }: ColumnedList<DB, TB, O>) => {
    if (offset < deepFromRows) return columns(matches()).modifyEnd(pageLimit)
    const keys = columns(from)
      .clearSelect()
      .select([sql<string>`${id}`.as('id'), sql`${by}`.as('key')])
    return columns(from).where(isOneOf(sql`SELECT id FROM (${keys} ORDER BY ${inWalk(by, id)} ${pageLimit}) walked`))
  }
  const selection = 'rows' in list ? selectByIds(list) : selectColumns(list)
  return selection
    .select(sql<string>`${by}::text`.as('cursorValue'))
    .select(sql<string>`${id}::text`.as('cursorId'))
    .orderBy(inOrder(by, id))
}

/** Reads the rows of a page; counts first if the count decides how to find them. */
async function findRows<DB, TB extends keyof DB, O>(
  query: PageQuery,
  list: PageOf<DB, TB, O, string>,
  pendingCount: Promise<Count>,
) {
  const hasMany = 'many' in list && list.many !== undefined
  const isDeep = !query.after && offsetOf(query) >= deepFromRows
  if (!hasMany && !isDeep) return pageQuery(query, list).execute()
  const { total, isEstimate } = await pendingCount
  const isFew = hasMany && total <= fewRows
  return pageQuery(query, list, { isFew, total: isDeep ? total : undefined, isEstimate }).execute()
}

/**
 * Reads a page of a list with its total: exact up to 100,000, the planner's estimate above, `null` while the count is
 * still running. 422 for a cursor of another list.
 */
export async function pageOf<DB, TB extends keyof DB, O, S extends string = never>(
  db: Db,
  query: PageQuery,
  list: PageOf<DB, TB, O, S>,
) {
  const { sums = {}, exact, seal, idType = 'uuid' } = list
  const matchingRows = list.from
    .clearSelect()
    .clearOrderBy()
    .select([sql<number>`1`.as('one'), ...Object.entries<RawBuilder<unknown>>(sums).map(([name, sum]) => sum.as(name))])
  const pendingCount =
    list.pendingCount ?? countOnce(db, sql`${matchingRows}`, Object.keys(sums), exact ? { exact } : {})
  const pendingRows = findRows(query, list, pendingCount)
  const [page, count] = await Promise.all([pendingRows, countInTime(pendingCount, pendingRows)])
  const rows = page as unknown as (O & { cursorValue: string | null; cursorId: string })[]
  const hasMore = rows.length > query.per_page
  const visibleRows = rows.slice(0, query.per_page)
  const lastVisible = visibleRows.at(-1)
  const { type } = orderOf(list.sorts, query.sort)
  return {
    data: visibleRows.map(({ cursorValue: _value, cursorId: _id, ...row }) => row as unknown as O),
    meta: {
      total: count?.total ?? null,
      total_is_estimate: count?.isEstimate ?? true,
      sums: (count?.sums ?? null) as Record<S, number> | null,
      next:
        hasMore && lastVisible?.cursorValue != null && type
          ? writeCursor({ seal, sort: query.sort, type, idType }, lastVisible.cursorValue, lastVisible.cursorId)
          : null,
    },
  }
}
