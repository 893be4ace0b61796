import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { backupName, rotateBackups } from './platform/backup/backup-folder.ts'
import { recordMaintenance } from './platform/backup/maintenance-runs.ts'
import { writeBackup } from './platform/backup/write-backup.ts'
import { fileStoreFor } from './platform/files/file-store.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { StartError } from './platform/postgres/start-error.ts'

/** Records the backup. A backup that cannot be recorded, such as one of an older database, counts all the same. */
const recordBackup = (
  connectionString: string,
  startedAt: Date,
  result: { ok: boolean; detail: Record<string, unknown>; size: number | null },
) =>
  recordMaintenance(connectionString, { kind: 'backup', startedAt, finishedAt: new Date(), ...result }).catch((error) =>
    console.error(`The backup could not be recorded for the page of health: ${(error as Error).message}`),
  )

/**
 * `npm run backup [-- file] [--rotate]` writes the whole database and all uploaded files into one archive; `--rotate`
 * deletes backups in BACKUP_DIR past their retention.
 */
async function main() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { rotate: { type: 'boolean' } } })
  const config = readConfig(process.env)
  const now = new Date()
  const archive = path.resolve(positionals[0] ?? path.join(config.backupDir, backupName(now)))
  const startMs = performance.now()
  const { connectionString, stop } = await openDatabase(config)
  try {
    const files = await fileStoreFor(config)
    const manifest = await writeBackup({ connectionString, files, secretKey: config.secretKey, now, archive })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const { size } = fs.statSync(archive)
    const detail = {
      archive,
      rows,
      tables: manifest.tables.length,
      files: manifest.files.length,
      missingFiles: manifest.missingFiles.length,
    }
    await recordBackup(connectionString, now, { ok: true, detail, size })
    const megabytes = (size / 1e6).toFixed(1)
    console.log(
      `${archive}\n${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, ${manifest.files.length} files, ${manifest.jobs} waiting jobs; ${megabytes} MB in ${((performance.now() - startMs) / 1000).toFixed(1)} s`,
    )
    for (const key of manifest.missingFiles) console.error(`The file ${key} is named by the database and is missing.`)
    if (values.rotate)
      for (const name of rotateBackups(config.backupDir, now)) console.log(`Deleted ${name}, which is no longer kept.`)
    console.log('Keep the secret key (SECRET_KEY, or the file secret-key of the data folder) apart from it.')
  } catch (error) {
    const detail = { archive, problem: (error as Error).message.slice(0, 300) }
    await recordBackup(connectionString, now, { ok: false, detail, size: null })
    throw error
  } finally {
    await stop()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
