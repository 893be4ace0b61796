import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Config } from './config.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { createDatabaseIfMissing } from './platform/database/migrate.ts'
import { startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts'
import { type RestoreReport, restoreInto } from './restore-into.ts'

/**
 * Restores a backup into a separate PostgreSQL and file folder below the data folder, lets `use` start a server there,
 * and deletes both. The live database's address is unknown here, so it cannot be touched.
 */
export async function restoreIntoScratch(
  config: Config,
  from: string,
  use: (dataDir: string) => Promise<void> = async () => {},
): Promise<RestoreReport> {
  const dataDir = path.join(config.dataDir, 'restore-test')
  const unlock = lockDataDir(dataDir)
  try {
    const report = await restoreThere({ ...config, dataDir, databaseUrl: undefined, s3: undefined }, from)
    await use(dataDir)
    return report
  } finally {
    unlock()
    removeScratch(dataDir)
  }
}

async function restoreThere(config: Config, from: string) {
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, unsafe: true })
  try {
    await dropDatabase(embedded.url('postgres'))
    await createDatabaseIfMissing(embedded.url('postgres'), 'pmb')
    return await restoreInto({ config, connectionString: embedded.url('pmb'), from })
  } finally {
    await embedded.stop()
  }
}

/** Drops the database a killed run left behind. */
async function dropDatabase(maintenanceUrl: string) {
  const client = new pg.Client({ connectionString: maintenanceUrl })
  await client.connect()
  await client.query('DROP DATABASE IF EXISTS pmb WITH (FORCE)').finally(() => client.end())
}

function removeScratch(dataDir: string) {
  const cluster = path.join(dataDir, 'postgres')
  // When run as root, the database may be elsewhere, behind a link here.
  if (fs.existsSync(cluster)) fs.rmSync(fs.realpathSync(cluster), { recursive: true, force: true })
  fs.rmSync(dataDir, { recursive: true, force: true })
}
