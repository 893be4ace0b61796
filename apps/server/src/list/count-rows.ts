import { setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { mostCountedRows } from '#domain/list.ts'
import { theOnly } from '#domain/must.ts'
import type { Db } from '#server/platform/database/database.ts'

/**
 * Above this number, rows are counted only if the planner expects at most `mostCountedRows`, so that no list costs a
 * full scan.
 */
export const fewRows = 10_000

export type Count = { total: number; sums: Record<string, number>; isEstimate: boolean }

/**
 * Number of rows a query finds, and sums of some of its columns. Counted up to 100,000 rows and estimated by the
 * planner above, so that parts of a counted total are never larger than the total. `exact` counts and sums every row.
 */
export async function countRows(
  db: Db,
  matchingRows: RawBuilder<unknown>,
  sumNames: readonly string[] = [],
  { exact = false } = {},
): Promise<Count> {
  const sumColumns = sumNames.map((name) => sql`, coalesce(sum(${sql.ref(name)}), 0)::bigint AS ${sql.ref(name)}`)
  const countUpTo = async (most: number) => {
    const limit = exact ? sql`` : sql`LIMIT ${sql.lit(most + 1)}`
    const { rows } = await sql<{ rowCount: number } & Record<string, number>>`
      SELECT count(*)::int AS row_count${sql.join(sumColumns, sql``)} FROM (${matchingRows} ${limit}) counted`.execute(
      db,
    )
    const { rowCount: total, ...sums } = theOnly(rows)
    return { total, sums, isEstimate: !exact && total > most }
  }
  const few = await countUpTo(fewRows)
  if (!few.isEstimate) return few
  const plan = await sql<Record<string, [{ Plan: { 'Plan Rows': number } }]>>`
    EXPLAIN (FORMAT JSON) ${matchingRows}`.execute(db)
  const expected = theOnly(Object.values(theOnly(plan.rows)))[0].Plan['Plan Rows']
  const { total, sums, isEstimate } = expected > mostCountedRows ? few : await countUpTo(mostCountedRows)
  if (!isEstimate) return { total, sums, isEstimate }
  const estimate = Math.max(expected, total)
  const scaledSums = Object.entries(sums).map(([name, sum]) => [name, Math.round((sum / total) * estimate)])
  return { total: estimate, sums: Object.fromEntries(scaledSums) as typeof sums, isEstimate }
}

/** Counts above this may be ten seconds old, which no reader notices. */
const cacheFromRows = 1_000
const cacheMs = 10_000

const counts = new WeakMap<Db, Map<string, Promise<unknown>>>()

/**
 * Result of `count`, shared by all who request `key` at the same time; above 1,000 rows it is cached for ten seconds.
 * The key must include everything that limits what a reader sees.
 */
export function shareCount<T>(
  db: Db,
  key: string,
  count: () => Promise<T>,
  rowsOf: (counted: T) => number,
): Promise<T> {
  const countsOfDb = counts.get(db) ?? new Map<string, Promise<unknown>>()
  counts.set(db, countsOfDb)
  const sameCount = countsOfDb.get(key)
  if (sameCount) return sameCount as Promise<T>
  const pendingCount = count()
  countsOfDb.set(key, pendingCount)
  const forget = () => void countsOfDb.delete(key)
  pendingCount.then(
    (counted) =>
      rowsOf(counted) > cacheFromRows ? void setTimeout(cacheMs, undefined, { ref: false }).then(forget) : forget(),
    forget,
  )
  return pendingCount
}

/** A time such as that of the request, without which no two requests would share a count. */
const roughly = (parameter: unknown) =>
  parameter instanceof Date ? Math.floor(parameter.getTime() / cacheMs) : parameter

/**
 * `countRows`, shared like `shareCount`. The key is the compiled statement with its parameters, so readers with different
 * row scopes never share a count; times are alike within ten seconds.
 */
export function countOnce(
  db: Db,
  matchingRows: RawBuilder<unknown>,
  sumNames: readonly string[],
  options?: { exact?: boolean },
): Promise<Count> {
  const { sql: text, parameters } = matchingRows.compile(db)
  return shareCount(
    db,
    JSON.stringify([text, parameters.map(roughly)]),
    () => countRows(db, matchingRows, sumNames, options),
    ({ total }) => total,
  )
}

/** Milliseconds that a page whose rows are ready waits for its count. */
const patienceMs = 500

/** The count, or undefined if it takes 500 ms longer than the rows; a later request finds it in the cache. */
export const countInTime = (
  pendingCount: Promise<Count>,
  rows: Promise<unknown> = Promise.resolve(),
): Promise<Count | undefined> =>
  Promise.race([pendingCount, rows.then(() => setTimeout(patienceMs, undefined, { ref: false }))])
