import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#server/config.ts'
import { lockDataDir } from '#server/platform/database/data-lock.ts'
import { createDatabaseIfMissing } from '#server/platform/database/migrate.ts'
import { answers, runningEmbeddedUrl, startEmbeddedPostgres } from './embedded-postgres.ts'
import { mustAnswer, type RunningDatabase } from './start-database.ts'
import { StartError } from './start-error.ts'

/** Throws StartError if the data folder has never had an embedded database. */
export function requireEmbeddedDatabase({ dataDir }: Pick<Config, 'dataDir'>) {
  if (!fs.existsSync(path.join(dataDir, 'postgres')))
    throw new StartError(`There is no database in ${dataDir}. Set PMB_DATA_DIR or DATABASE_URL.`)
}

/**
 * Connects to the database of DATABASE_URL or to the embedded one, which is started if no server runs it. With `alone`,
 * no server may be running it, and it is created if missing.
 */
export async function openDatabase(config: Config, { alone = false } = {}): Promise<RunningDatabase> {
  if (config.databaseUrl) {
    await mustAnswer(config.databaseUrl)
    return { connectionString: config.databaseUrl, stop: async () => {} }
  }
  if (!alone) {
    requireEmbeddedDatabase(config)
    const runningUrl = runningEmbeddedUrl(config.dataDir, 'pmb')
    if (await answers(runningUrl)) return { connectionString: runningUrl, stop: async () => {} }
  }
  const unlock = lockDataDir(config.dataDir)
  try {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
    if (alone) await createDatabaseIfMissing(embedded.url('postgres'), 'pmb')
    return {
      connectionString: embedded.url('pmb'),
      async stop() {
        await embedded.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
