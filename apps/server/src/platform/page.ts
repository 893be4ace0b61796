import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { invalid } from './errors.ts'

/** Beyond this a total is estimated, so that no list costs a full scan. */
const exactTotalLimit = 10_000

type Sort = {
  by: RawBuilder<unknown>
  /** PostgreSQL type of a value that is never null, to continue behind it; without one pages have numbers only. */
  type?: 'text' | 'timestamptz' | 'date' | 'bigint' | 'integer' | 'numeric' | 'boolean'
}

export type PageQuery = { page: number; per_page: number; after?: string | undefined; sort: string }

type Common<DB, TB extends keyof DB, S extends string> = {
  /** Tables and conditions, without columns and order. */
  from: SelectQueryBuilder<DB, TB, object>
  sorts: Record<string, Sort>
  /** Unique column that settles ties, a uuid unless told. */
  id: RawBuilder<unknown>
  idType?: 'uuid' | 'bigint'
  /** Whole numbers added up over everything that matches, as far as rows are counted, and scaled up from there. */
  sums?: Record<S, RawBuilder<unknown>>
}

/**
 * For a table so large that only ids are looked for in it. What matches is counted first. Where that came to an end, all of
 * it is found and sorted: such rows lie far apart. Where there is more, the order is walked until a page is full.
 */
type Large<DB, TB extends keyof DB, O> = {
  /** All rows with their columns and without conditions, of which the ids pick a page. */
  rows: SelectQueryBuilder<any, any, O>
  /** As `from`, with conditions that are quicker to look at row by row on the way. */
  many?: SelectQueryBuilder<DB, TB, object>
}

export type PageOf<DB, TB extends keyof DB, O, S extends string = never> = Common<DB, TB, S> &
  ({ columns: (from: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, O> } | Large<DB, TB, O>)

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
export const refusingCursor =
  (after: string | undefined) =>
  (error: { code?: string }): never => {
    throw after && oddValue.test(error.code ?? '') ? invalid({ after: 'invalid_input' }) : error
  }

/** One page of a list with its total, exact up to 10,000 and the planner's estimate above; 422 for a strange cursor. */
export async function pageOf<DB, TB extends keyof DB, O, S extends string = never>(
  db: Db,
  query: PageQuery,
  list: PageOf<DB, TB, O, S>,
) {
  const { from, sorts, id, idType = 'uuid', sums } = list
  const descending = query.sort.startsWith('-')
  const sort = sorts[descending ? query.sort.slice(1) : query.sort]
  if (!sort) throw invalid({ sort: 'invalid_input' })
  const direction = sql.raw(descending ? 'DESC' : 'ASC')
  const nulls = sql.raw(sort.type ? '' : 'NULLS LAST')
  const behind = query.after && sort.type ? readCursor(query.after, query.sort) : undefined
  const matching = from
    .clearSelect()
    .clearOrderBy()
    .select([
      sql<number>`1`.as('one'),
      ...Object.entries<RawBuilder<unknown>>(sums ?? {}).map(([name, by]) => by.as(name)),
    ])
  const counting = countRows(db, sql`${matching}`, Object.keys(sums ?? {}))
  const [value, last] = behind ?? []
  const continued = sql<boolean>`(${sort.by}, ${id}) ${sql.raw(descending ? '<' : '>')}
    (${value}::${sql.raw(sort.type ?? 'text')}, ${last}::${sql.raw(idType)})`
  const inOrder = (by: RawBuilder<unknown>, tie: RawBuilder<unknown>) =>
    sql`${by} ${direction} ${nulls}, ${tie} ${direction}`
  const within = sql`LIMIT ${query.per_page + 1} OFFSET ${behind ? 0 : (query.page - 1) * query.per_page}`
  const matches = (where = from) => (behind ? where.where(continued) : where)
  const picked = ({ rows, many }: Large<DB, TB, O>, few: boolean) => {
    const keys = matches(few ? from : many).select([sql<string>`${id}`.as('id'), sql`${sort.by}`.as('key')])
    // OFFSET 0 keeps the planner from walking the order in the hope of finding enough rows soon.
    const ids = few
      ? sql`SELECT id FROM (${keys} OFFSET 0) found ORDER BY ${inOrder(sql`key`, sql`id`)} ${within}`
      : sql`SELECT id FROM (${keys} ORDER BY ${inOrder(sort.by, id)} ${within}) walked`
    return rows.where(sql<boolean>`${id} IN (${ids})`)
  }
  const found = 'rows' in list ? picked(list, !(await counting).isEstimate) : list.columns(matches()).modifyEnd(within)
  const [page, count] = await Promise.all([
    found
      .select(sql<string>`${sort.by}::text`.as('cursorValue'))
      .select(sql<string>`${id}::text`.as('cursorId'))
      .orderBy(inOrder(sort.by, id))
      .execute()
      .catch(refusingCursor(query.after)),
    counting,
  ])
  const rows = page as unknown as (O & { cursorValue: string | null; cursorId: string })[]
  const more = rows.length > query.per_page
  const shown = rows.slice(0, query.per_page)
  const lastShown = shown.at(-1)
  return {
    data: shown.map(({ cursorValue: _value, cursorId: _id, ...row }) => row as unknown as O),
    meta: {
      total: count.total,
      total_is_estimate: count.isEstimate,
      sums: count.sums as Record<S, number>,
      next:
        more && lastShown?.cursorValue != null && sort.type
          ? writeCursor(query.sort, lastShown.cursorValue, lastShown.cursorId)
          : null,
    },
  }
}

/** How many rows a query finds, and the sums of some of its columns: counted up to 10,000, estimated by the planner above. */
export async function countRows(db: Db, matching: RawBuilder<unknown>, summed: readonly string[] = []) {
  const added = summed.map((name) => sql`, coalesce(sum(${sql.ref(name)}), 0)::bigint AS ${sql.ref(name)}`)
  const { rows } = await sql<{ total: number } & Record<string, number>>`
    SELECT count(*)::int AS total${sql.join(added, sql``)} FROM (${matching} LIMIT ${exactTotalLimit + 1}) counted`.execute(
    db,
  )
  const { total, ...sums } = rows[0]!
  if (total <= exactTotalLimit) return { total, sums, isEstimate: false }
  const plan = await sql<Record<string, [{ Plan: { 'Plan Rows': number } }]>>`
    EXPLAIN (FORMAT JSON) ${matching}`.execute(db)
  const estimate = Math.max(Object.values(plan.rows[0]!)[0]![0].Plan['Plan Rows'], total)
  const scaled = Object.entries(sums).map(([name, sum]) => [name, Math.round((sum / total) * estimate)])
  return { total: estimate, sums: Object.fromEntries(scaled) as typeof sums, isEstimate: true }
}
