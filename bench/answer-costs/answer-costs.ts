import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Bench, type Case, costOf, prepare, withHeaders } from '../measure.ts'
import { sharesOf } from './shares.ts'

const defaultAnswers = [
  'registration-detail',
  'applicant-dashboard',
  'registration-list',
  'registration-list-all',
  'bills-list',
  'permissions',
]

/**
 * Prints where the processor time of one answer goes: the parts of the product by a processor profile, and every
 * statement with its planning and execution. `BENCH_ANSWERS` names other cases of the filled database.
 */
export async function answerCosts(cases: Record<string, Case>): Promise<true> {
  const profileFile = path.resolve('.data/answer-costs.cpuprofile')
  fs.mkdirSync(path.dirname(profileFile), { recursive: true })
  const bench = await prepare({
    nodeArguments: ['--import', path.join(import.meta.dirname, 'profile-on-signal.ts')],
    environment: { BENCH_PROFILE: profileFile },
    configure: trackStatements,
  })
  const db = new pg.Client({ connectionString: bench.databaseUrl, application_name: 'answer-costs' })
  await db.connect()
  try {
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    for (const name of process.env.BENCH_ANSWERS?.split(',') ?? defaultAnswers) {
      const benchCase = cases[name]
      if (!benchCase || benchCase.ownDatabase) throw new Error(`${name} is no case of the filled database`)
      await printCosts(name, () => benchCase.ours(bench), { bench, db, profileFile })
    }
  } finally {
    await db.query('DROP EXTENSION IF EXISTS pg_stat_statements')
    await db.query('ALTER SYSTEM RESET ALL')
    await db.end()
    await bench.close()
  }
  return true
}

/** Settings of PostgreSQL that count statements with their planning, also inside triggers. */
export async function trackStatements(databaseUrl: string) {
  const db = new pg.Client({ connectionString: databaseUrl })
  await db.connect()
  await db.query('ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements')
  await db.query('ALTER SYSTEM SET pg_stat_statements.track_planning = on')
  // Statements inside triggers and functions too.
  await db.query("ALTER SYSTEM SET pg_stat_statements.track = 'all'")
  await db.end()
}

type Tools = { bench: Bench; db: pg.Client; profileFile: string }

async function printCosts(name: string, load: () => Promise<number>, { bench, db, profileFile }: Tools) {
  // Statements get their names and the compiler its types.
  await load()
  // Measured apart, because the profiler costs time too.
  const cost = await costOf(load, bench)
  const compressed = await costOf(() => withHeaders({ 'accept-encoding': 'br' }, load), bench)
  fs.rmSync(profileFile, { force: true })
  const { answers } = await costOf(load, bench, async () => {
    await db.query('SELECT pg_stat_statements_reset()')
    process.kill(bench.pid, 'SIGUSR2')
  })
  process.kill(bench.pid, 'SIGUSR2')
  while (!fs.existsSync(profileFile)) await wait(100)
  const { parts, functions } = sharesOf(JSON.parse(fs.readFileSync(profileFile, 'utf8')))
  const round = (value: number) => Math.round(value * 1_000) / 1_000
  console.log(
    `\n${name}: ${Math.round(cost.rate)} answers/s, product ${round(cost.serverMs)} ms and PostgreSQL ${round(cost.postgresMs)} ms of processor for each`,
  )
  console.table([
    ...parts.map(({ name: part, share }) => ({ part, ms: round(share * cost.serverMs) })),
    { part: 'compressing (br), if asked', ms: round(compressed.serverMs - cost.serverMs) },
  ])
  console.table(
    functions.slice(0, 25).map(({ name: place, share }) => ({ function: place, ms: round(share * cost.serverMs) })),
  )
  console.table(await statementCosts(db, answers))
}

/**
 * Statements of the product for one answer. An arrow marks statements inside triggers and functions, whose time is part
 * of their caller's. Statements asked for fewer than one answer in fifty belong to jobs.
 */
async function statementCosts(db: pg.Client, answerCount: number) {
  const { rows } = await db.query<
    Record<'calls' | 'plans' | 'plan' | 'run' | 'rows' | 'blocks', number> & { text: string; toplevel: boolean }
  >(
    `SELECT toplevel, calls::float8, plans::float8, total_plan_time AS plan, total_exec_time AS run, rows::float8, query AS text,
        (shared_blks_hit + shared_blks_read)::float8 AS blocks
      FROM pg_stat_statements WHERE calls > $1 / 50.0 ORDER BY total_plan_time + total_exec_time DESC LIMIT 40`,
    [answerCount],
  )
  const per = (value: number, digits = 3) => Number((value / answerCount).toFixed(digits))
  return rows.map(({ calls, plans, plan, run, rows: found, blocks, text, toplevel }) => ({
    asked: per(calls, 2),
    planned: per(plans, 2),
    planMs: per(plan),
    runMs: per(run),
    rows: per(found, 1),
    blocks: per(blocks, 0),
    statement: `${toplevel ? '' : '↳ '}${text.replace(/\s+/g, ' ')}`.slice(0, 90),
  }))
}
