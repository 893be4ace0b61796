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

export type PageOf<DB, TB extends keyof DB, O, S extends string = never> = {
  /** Tables and conditions, without columns and order. */
  from: SelectQueryBuilder<DB, TB, object>
  columns: (from: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, O>
  sorts: Record<string, Sort>
  /** Unique column that settles ties, a uuid unless told. */
  id: RawBuilder<unknown>
  idType?: 'uuid' | 'bigint'
  /** Whole numbers added up over everything that matches, as far as rows are counted, and scaled up from there. */
  sums?: Record<S, RawBuilder<unknown>>
}

const writeCursor = (sort: string, value: string, id: string) =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

function readCursor(cursor: string, sort: string): [value: string, id: string] {
  try {
    const [of, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (of === sort && typeof value === 'string' && typeof id === 'string') return [value, id]
  } catch {}
  throw invalid({ after: 'invalid_input' })
}

/** One page of a list with its total, exact up to 10,000 and the planner's estimate above; 422 for a strange cursor. */
export async function pageOf<DB, TB extends keyof DB, O, S extends string = never>(
  db: Db,
  query: PageQuery,
  { from, columns, sorts, id, idType = 'uuid', sums }: PageOf<DB, TB, O, S>,
) {
  const descending = query.sort.startsWith('-')
  const sort = sorts[descending ? query.sort.slice(1) : query.sort]
  if (!sort) throw invalid({ sort: 'invalid_input' })
  const direction = sql.raw(descending ? 'DESC' : 'ASC')
  const nulls = sql.raw(sort.type ? '' : 'NULLS LAST')
  let page = columns(from)
    .select(sql<string>`${sort.by}::text`.as('cursorValue'))
    .select(sql<string>`${id}::text`.as('cursorId'))
    .orderBy(sql`${sort.by} ${direction} ${nulls}, ${id} ${direction}`)
    .limit(query.per_page + 1)
  if (query.after && sort.type) {
    const [value, last] = readCursor(query.after, query.sort)
    const behind = sql.raw(descending ? '<' : '>')
    page = page.where(
      sql<boolean>`(${sort.by}, ${id}) ${behind} (${value}::${sql.raw(sort.type)}, ${last}::${sql.raw(idType)})`,
    )
  } else page = page.offset((query.page - 1) * query.per_page)
  const matching = from
    .clearSelect()
    .clearOrderBy()
    .select([
      sql<number>`1`.as('one'),
      ...Object.entries<RawBuilder<unknown>>(sums ?? {}).map(([name, by]) => by.as(name)),
    ])
  const [found, count] = await Promise.all([
    page.execute().catch((error: { code?: string }) => {
      // A value of the cursor that is none of the type of its column.
      throw query.after && error.code?.startsWith('22') ? invalid({ after: 'invalid_input' }) : error
    }),
    countRows(db, sql`${matching}`, Object.keys(sums ?? {})),
  ])
  const rows = found as unknown as (O & { cursorValue: string | null; cursorId: string })[]
  const more = rows.length > query.per_page
  const shown = rows.slice(0, query.per_page)
  const last = shown.at(-1)
  return {
    data: shown.map(({ cursorValue: _value, cursorId: _id, ...row }) => row as unknown as O),
    meta: {
      total: count.total,
      total_is_estimate: count.isEstimate,
      sums: count.sums as Record<S, number>,
      next:
        more && last?.cursorValue != null && sort.type
          ? writeCursor(query.sort, last.cursorValue, last.cursorId)
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
