import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { trackStatements } from './answer-costs/answer-costs.ts'
import { prepare } from './measure.ts'
import { processorMs } from './processor-time.ts'

const goalPercent = 0.5
const minutes = Number(process.env.BENCH_IDLE_MINUTES ?? 3)
/** A start looks for work once, and PostgreSQL cleans up after the fill. */
const settleMs = 60_000

/**
 * Prints the processor time that the product and PostgreSQL use per minute while nobody asks for anything, and the
 * statements that woke PostgreSQL. False above half a percent of a core.
 */
export async function idleCosts(): Promise<boolean> {
  const bench = await prepare({ configure: trackStatements })
  const db = new pg.Client({ connectionString: bench.databaseUrl, application_name: 'idle' })
  await db.connect()
  try {
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    await wait(settleMs)
    await db.query('SELECT pg_stat_statements_reset()')
    const read = () => ({
      atMs: performance.now(),
      product: processorMs(bench.pid),
      postgres: processorMs(bench.postgresPid, { withChildren: true }),
    })
    const before = read()
    await wait(minutes * 60_000)
    const after = read()
    const elapsedMs = after.atMs - before.atMs
    const costs = (['product', 'postgres'] as const).map((name) => {
      const ms = after[name] - before[name]
      return { name, 'ms per minute': Math.round((ms * 60_000) / elapsedMs), '% of a core': (ms * 100) / elapsedMs }
    })
    console.table(costs.map((cost) => ({ ...cost, '% of a core': Number(cost['% of a core'].toFixed(2)) })))
    const { rows } = await db.query<{ calls: number; ms: number; text: string }>(
      `SELECT calls::float8, total_plan_time + total_exec_time AS ms, query AS text FROM pg_stat_statements
        WHERE toplevel ORDER BY calls DESC LIMIT 25`,
    )
    const perMinute = (value: number) => Number((value / minutes).toFixed(1))
    console.table(
      rows.map(({ calls, ms, text }) => ({
        'calls per minute': perMinute(calls),
        'ms per minute': perMinute(ms),
        statement: text.replace(/\s+/g, ' ').slice(0, 110),
      })),
    )
    const percent = costs.reduce((sum, cost) => sum + cost['% of a core'], 0)
    console.log(`idle: ${percent.toFixed(2)} % of a core (goal ${goalPercent})`)
    return percent <= goalPercent
  } finally {
    await db.query('DROP EXTENSION IF EXISTS pg_stat_statements')
    await db.query('ALTER SYSTEM RESET ALL')
    await db.end()
    await bench.close()
  }
}
