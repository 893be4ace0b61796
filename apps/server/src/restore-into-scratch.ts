import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Config } from './config.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { createDatabaseIfMissing } from './platform/database/migrate.ts'
import { startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts'
import { type RestoreReport, restoreInto } from './restore-into.ts'

type Scratch = { config: Config; connectionString: string; report: RestoreReport }

/**
 * Restores a backup into a PostgreSQL and a file folder of its own below the data folder, lets `use` look at them, and
 * deletes both. No address of the live database is known here, so that it cannot be touched.
 */
export async function restoreIntoScratch(
  config: Config,
  from: string,
  use: (scratch: Scratch) => Promise<void> = async () => {},
): Promise<RestoreReport> {
  const dataDir = path.join(config.dataDir, 'restore-test')
  const unlock = lockDataDir(dataDir)
  try {
    const embedded = await startEmbeddedPostgres({ dataDir, unsafe: true })
    try {
      await dropDatabase(embedded.url('postgres'))
      await createDatabaseIfMissing(embedded.url('postgres'), 'pmb')
      const scratch: Config = { ...config, dataDir, databaseUrl: undefined, s3: undefined, runJobs: false }
      const connectionString = embedded.url('pmb')
      const report = await restoreInto({ config: scratch, connectionString, from })
      await use({ config: scratch, connectionString, report })
      return report
    } finally {
      await embedded.stop()
    }
  } finally {
    unlock()
    removeScratch(dataDir)
  }
}

/** Drops what a killed run has left. */
async function dropDatabase(maintenanceUrl: string) {
  const client = new pg.Client({ connectionString: maintenanceUrl })
  await client.connect()
  await client.query('DROP DATABASE IF EXISTS pmb WITH (FORCE)').finally(() => client.end())
}

function removeScratch(dataDir: string) {
  const cluster = path.join(dataDir, 'postgres')
  // Root's database may lie elsewhere, with a link to it here.
  if (fs.existsSync(cluster)) fs.rmSync(fs.realpathSync(cluster), { recursive: true, force: true })
  fs.rmSync(dataDir, { recursive: true, force: true })
}
