import { setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Beyond this a total is estimated, so that no list costs a full scan. */
const exactTotalLimit = 10_000

export type Count = { total: number; sums: Record<string, number>; isEstimate: boolean }

/**
 * How many rows a query finds, and the sums of some of its columns: counted up to 10,000 rows, estimated by the planner
 * above; `exact` counts and adds up every row.
 */
export async function countRows(
  db: Db,
  matching: RawBuilder<unknown>,
  summed: readonly string[] = [],
  { exact = false } = {},
): Promise<Count> {
  const added = summed.map((name) => sql`, coalesce(sum(${sql.ref(name)}), 0)::bigint AS ${sql.ref(name)}`)
  const limit = exact ? sql`` : sql`LIMIT ${exactTotalLimit + 1}`
  const { rows } = await sql<{ rowCount: number } & Record<string, number>>`
    SELECT count(*)::int AS row_count${sql.join(added, sql``)} FROM (${matching} ${limit}) counted`.execute(db)
  const { rowCount: total, ...sums } = rows[0]!
  if (exact || total <= exactTotalLimit) return { total, sums, isEstimate: false }
  const plan = await sql<Record<string, [{ Plan: { 'Plan Rows': number } }]>>`
    EXPLAIN (FORMAT JSON) ${matching}`.execute(db)
  const estimate = Math.max(Object.values(plan.rows[0]!)[0]![0].Plan['Plan Rows'], total)
  const scaled = Object.entries(sums).map(([name, sum]) => [name, Math.round((sum / total) * estimate)])
  return { total: estimate, sums: Object.fromEntries(scaled) as typeof sums, isEstimate: true }
}

/** Nobody counts so many rows by hand: their number may be some seconds old. */
const keptFrom = 1_000
const keptFor = 10_000

const counts = new WeakMap<Db, Map<string, Promise<Count>>>()

/**
 * `countRows`, once for all who ask the same at the same time; a count of more than 1,000 rows is kept for ten seconds.
 * What is asked is the compiled statement with its parameters, so readers who may see different rows never share one.
 */
export function countOnce(
  db: Db,
  matching: RawBuilder<unknown>,
  summed: readonly string[],
  options?: { exact?: boolean },
): Promise<Count> {
  const known = counts.get(db) ?? new Map<string, Promise<Count>>()
  counts.set(db, known)
  const { sql: text, parameters } = matching.compile(db)
  const key = JSON.stringify([text, parameters])
  const running = known.get(key)
  if (running) return running
  const counting = countRows(db, matching, summed, options)
  known.set(key, counting)
  const forget = () => void known.delete(key)
  counting.then(
    ({ total }) => (total > keptFrom ? void setTimeout(keptFor, undefined, { ref: false }).then(forget) : forget()),
    forget,
  )
  return counting
}

/** Milliseconds that rows which are there wait for their count. */
const patience = 500

/** The count, or nothing where it takes much longer than the rows: who asks again finds it. */
export const countInTime = (counting: Promise<Count>, rows: Promise<unknown>): Promise<Count | undefined> =>
  Promise.race([counting, rows.then(() => setTimeout(patience, undefined, { ref: false }))])
