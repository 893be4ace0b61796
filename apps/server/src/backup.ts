import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { writeBackup } from './platform/backup/write-backup.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { fileStoreFor } from './platform/files/file-store.ts'
import { answers, runningEmbeddedUrl, startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts'
import { mustAnswer } from './platform/postgres/start-database.ts'
import { StartError } from './platform/postgres/start-error.ts'

/** The database of DATABASE_URL, or the embedded one: that of a running server, else started for the while. */
async function database(config: Config): Promise<{ connectionString: string; stop(): Promise<void> }> {
  if (config.databaseUrl) {
    await mustAnswer(config.databaseUrl)
    return { connectionString: config.databaseUrl, stop: async () => {} }
  }
  if (!fs.existsSync(path.join(config.dataDir, 'postgres')))
    throw new StartError(`There is no database in ${config.dataDir}. Set PMB_DATA_DIR or DATABASE_URL.`)
  const running = runningEmbeddedUrl(config.dataDir, 'pmb')
  if (await answers(running)) return { connectionString: running, stop: async () => {} }
  const unlock = lockDataDir(config.dataDir)
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
  return {
    connectionString: embedded.url('pmb'),
    async stop() {
      await embedded.stop()
      unlock()
    },
  }
}

/** npm run backup [-- file]: the whole database and all uploaded files in one archive. */
async function main() {
  const { positionals } = parseArgs({ allowPositionals: true })
  const config = readConfig(process.env)
  const now = new Date()
  const stamp = now.toISOString().replace(/[:T]/g, '-').slice(0, 19)
  const to = path.resolve(positionals[0] ?? path.join(config.dataDir, 'backups', `pmb-${stamp}.tar.gz`))
  const begun = performance.now()
  const { connectionString, stop } = await database(config)
  try {
    const files = await fileStoreFor(config)
    const manifest = await writeBackup({ connectionString, files, secretKey: config.secretKey, now, to })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const megabytes = (fs.statSync(to).size / 1e6).toFixed(1)
    console.log(
      `${to}\n${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, ${manifest.files.length} files, ${manifest.jobs} waiting jobs; ${megabytes} MB in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    )
    for (const key of manifest.missingFiles) console.error(`The file ${key} is named by the database and is missing.`)
    console.log('Keep the secret key (SECRET_KEY, or the file secret-key of the data folder) apart from it.')
  } finally {
    await stop()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
