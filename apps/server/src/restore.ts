import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { jobs as knownJobs } from './jobs.ts'
import { checkInvariants } from './modules/ops/check-invariants.ts'
import { markOf, type WaitingJob } from './platform/backup/manifest.ts'
import { restoreBackup } from './platform/backup/restore-backup.ts'
import { lockDataDir } from './platform/data-lock.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { fileStoreFor } from './platform/file-store.ts'
import { createDatabaseIfMissing, migrate } from './platform/migrate.ts'
import type { Services } from './platform/services.ts'
import { StartError } from './platform/start-error.ts'
import { startServices } from './platform/start-services.ts'

async function database(config: Config): Promise<{ connectionString: string; stop(): Promise<void> }> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl, stop: async () => {} }
  const unlock = lockDataDir(config.dataDir)
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir })
  await createDatabaseIfMissing(embedded.url('postgres'), 'pmb')
  return {
    connectionString: embedded.url('pmb'),
    async stop() {
      await embedded.stop()
      unlock()
    },
  }
}

/** Jobs wait again for when they were to run; those of a program that has no such job any more are told. */
async function enqueue({ jobs, db }: Services, waiting: readonly WaitingJob[]) {
  for (const { name, data, startAfter, singletonKey } of waiting) {
    const job = knownJobs.find((known) => known.name === name)
    if (!job) console.error(`A job ${name} was waiting; this program has none of that name.`)
    else
      await jobs.enqueue(db, job, data, {
        startAfter: new Date(startAfter),
        ...(singletonKey && { singletonKey }),
      })
  }
}

/** npm run restore -- file [--replace]: puts a backup into an empty database, or in the place of what is in it. */
async function main() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { replace: { type: 'boolean' } } })
  const [file, ...more] = positionals
  if (!file || more.length > 0) throw new StartError('npm run restore -- <file of the backup> [--replace]')
  const config = readConfig(process.env)
  const begun = performance.now()
  const { connectionString, stop } = await database(config)
  try {
    const files = await fileStoreFor(config)
    const replace = values.replace ?? false
    const { manifest, jobs } = await restoreBackup({ from: path.resolve(file), connectionString, files, replace })
    const newer = await migrate(connectionString)
    const running = await startServices({ config: { ...config, runJobs: false }, connectionString, passiveJobs: true })
    try {
      await enqueue(running.services, jobs)
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(
        `The backup of ${manifest.createdAt} is restored and was read back: ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, ${manifest.files.length} files, ${jobs.length} waiting jobs, in ${((performance.now() - begun) / 1000).toFixed(1)} s.`,
      )
      if (newer.length > 0) console.log(`Newer migrations were run: ${newer.join(', ')}.`)
      for (const key of manifest.missingFiles) console.error(`The file ${key} was missing already.`)
      if (manifest.secretKeyMark !== markOf(config.secretKey))
        console.error(
          'The secret key is another one than that of the backup: links in old mails and keys that were kept encrypted cannot be read. Set SECRET_KEY to the old one.',
        )
      const found = await checkInvariants(running.services)
      for (const { check, label, stored, derived } of found.slice(0, 50))
        console.error(`${check}: ${label} is ${stored}, should be ${derived}`)
      console.log(
        found.length === 0 ? 'The books add up.' : `The books contradict themselves in ${found.length} places.`,
      )
      if (found.length > 0) process.exitCode = 2
    } finally {
      await running.stop()
    }
  } finally {
    await stop()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
