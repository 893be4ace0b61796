import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { readConfig } from './config.ts'
import { checkInvariants, type Found } from './modules/ops/check-invariants.ts'
import { type MaintenanceRun, recordMaintenance } from './platform/backup/maintenance-runs.ts'
import { systemClock } from './platform/clock.ts'
import { connect, type Db } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { StartError } from './platform/postgres/start-error.ts'

// Commands that `npm run update` runs on a database. Each prints one line of JSON, as the last line of its output.

async function withDatabase<T>(work: (db: Db, connectionString: string) => Promise<T>): Promise<T> {
  const { connectionString, stop } = await openDatabase(readConfig(process.env))
  const { db } = connect(connectionString, { max: 2 })
  try {
    return await work(db, connectionString)
  } finally {
    await db.destroy()
    await stop()
  }
}

const countByCheck = (found: readonly Found[]) =>
  Object.fromEntries([...Map.groupBy(found, ({ check }) => check)].map(([name, rows]) => [name, rows.length]))

/** Contradictions in the books, counted by check. */
const books = () => withDatabase(async (db) => countByCheck(await checkInvariants({ db, clock: systemClock })))

/** Names of the migrations that have run. */
const migrations = () =>
  withDatabase(async (db) => {
    const { rows } = await sql<{ name: string }>`SELECT name FROM schema_migrations ORDER BY name`.execute(db)
    return rows.map(({ name }) => name)
  })

/** Migrates the database of a stopped server and checks its books. */
const migrateAndCheck = () =>
  withDatabase(async (db, connectionString) => {
    await migrate(connectionString)
    return countByCheck(await checkInvariants({ db, clock: systemClock }))
  })

/** Time a server may take to become ready, on a busy machine. */
const readyLimitMs = 60_000

/**
 * Restores a backup into a separate database, migrates it, checks its books and starts the server on it, reachable only
 * from this machine. Shows what an update would do without touching live data.
 */
async function rehearse(archive: string) {
  // Imported here, because the other commands run while the product is stopped and need no server code.
  const { restoreIntoScratch } = await import('./restore-into-scratch.ts')
  const { startServer } = await import('./server.ts')
  const live = readConfig(process.env)
  const { violations } = await restoreIntoScratch(live, archive, async (dataDir) => {
    const running = await startServer({
      ...process.env,
      PMB_DATA_DIR: dataDir,
      DATABASE_URL: '',
      DEMO: String(live.demo),
      SECRET_KEY: live.secretKey,
      STORAGE: 'local',
      SMTP_URL: '',
      PORT: '0',
      HOST: '127.0.0.1',
      RUN_JOBS: 'false',
    })
    if (!running) throw new StartError('The rehearsal was stopped.')
    try {
      await answered(`http://127.0.0.1:${running.port}/api/ready`)
      await answered(`http://127.0.0.1:${running.port}/`)
    } finally {
      await running.close()
    }
  })
  return countByCheck(violations)
}

/** Waits until an address answers with 200. */
async function answered(url: string) {
  for (const startMs = performance.now(); ; await wait(500)) {
    const { status } = await fetch(url)
    if (status === 200) return
    if (performance.now() - startMs > readyLimitMs) throw new StartError(`${new URL(url).pathname} answered ${status}.`)
  }
}

/** Adds the update, given as JSON, to the list of runs. */
const record = (run: string) =>
  withDatabase(async (_db, connectionString) => {
    const { startedAt, ok, detail } = JSON.parse(run) as Pick<MaintenanceRun, 'ok' | 'detail'> & { startedAt: string }
    await recordMaintenance(connectionString, {
      kind: 'update',
      startedAt: new Date(startedAt),
      finishedAt: new Date(),
      ok,
      detail,
      size: null,
    })
    return {}
  })

const commands: Record<string, (argument: string) => Promise<unknown>> = {
  books,
  migrations,
  rehearse,
  migrate: migrateAndCheck,
  record,
}

async function main() {
  const [name = '', argument = ''] = parseArgs({ allowPositionals: true }).positionals
  const command = commands[name]
  if (!command) throw new StartError(`Say one of ${Object.keys(commands).join(', ')}.`)
  process.stdout.write(`${JSON.stringify(await command(argument))}\n`, () => process.exit(0))
}

main().catch((error) => {
  process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`, () =>
    process.exit(1),
  )
})
