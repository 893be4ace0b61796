import pg from 'pg'
import { theOnly } from '#domain/must.ts'
import type { Config } from '#server/config.ts'
import { createDatabaseIfMissing, migrate } from '#server/platform/database/migrate.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { isDiskFull, StartError } from './start-error.ts'

export type RunningDatabase = { connectionString: string; stop(): Promise<void> }

type Phase = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Connects to the database of DATABASE_URL or starts the embedded one, and migrates it. */
export async function startDatabase(config: Config, phase: Phase): Promise<RunningDatabase> {
  let embedded: EmbeddedPostgres | undefined
  let connectionString: string
  const { databaseUrl } = config
  if (databaseUrl) {
    connectionString = databaseUrl
    await phase('reach the database', () => mustAnswer(databaseUrl))
  } else {
    embedded = await phase('start the database', () =>
      startEmbeddedPostgres({ dataDir: config.dataDir, onRevived: tellRevived }),
    )
    connectionString = embedded.url('pmb')
  }
  try {
    if (embedded) await createDatabaseIfMissing(embedded.url('postgres'), 'pmb')
    await phase('migrate', () => migrate(connectionString))
  } catch (error) {
    await embedded?.stop()
    throw isDiskFull(error) ? diskFull() : error
  }
  return { connectionString, stop: async () => embedded?.stop() }
}

const tellRevived = (milliseconds: number) =>
  process.stderr.write(`The database ended unexpectedly; it runs again after ${(milliseconds / 1000).toFixed(1)} s.\n`)

export const diskFull = () =>
  new StartError('The disk is full: the database could not be written. Free some space and start again.')

/** Throws StartError for a database that is too old or unreachable; the message names it without its password. */
export async function mustAnswer(connectionString: string) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 8_000 })
  const where = `${client.host}:${client.port}/${client.database ?? ''}`
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    )
    if (theOnly(rows).version < 150_000) throw new StartError(`The database at ${where} is older than PostgreSQL 15.`)
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = (error as Error).message || (error as NodeJS.ErrnoException).code
    throw new StartError(`The database of DATABASE_URL at ${where} could not be reached: ${reason}`)
  } finally {
    await client.end().catch(() => {})
  }
}
