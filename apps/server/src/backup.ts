import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { backupName, rotateBackups } from './platform/backup/backup-folder.ts'
import { recordRun } from './platform/backup/maintenance-runs.ts'
import { writeBackup } from './platform/backup/write-backup.ts'
import { fileStoreFor } from './platform/files/file-store.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { StartError } from './platform/postgres/start-error.ts'

/**
 * `npm run backup [-- file] [--rotate]` writes the whole database and all uploaded files into one archive; `--rotate` deletes
 * backups of BACKUP_DIR that are no longer kept.
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
    const seconds = (performance.now() - startMs) / 1000
    const { size } = fs.statSync(archive)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `${archive}\n${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, ${manifest.files.length} files, ${manifest.jobs} waiting jobs; ${(size / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s`,
    )
    for (const key of manifest.missingFiles) console.error(`The file ${key} is named by the database and is missing.`)
    console.log('Keep the secret key (SECRET_KEY, or the file secret-key of the data folder) apart from it.')
    const detail = { archive, rows, files: manifest.files.length, missingFiles: manifest.missingFiles.length }
    await recordRun(connectionString, { kind: 'backup', startedAt: now, ok: true, detail, size })
    if (values.rotate)
      for (const name of rotateBackups(config.backupDir, now)) console.log(`Deleted ${name}, which is no longer kept.`)
  } catch (error) {
    const detail = { archive, problem: (error as Error).message }
    await recordRun(connectionString, { kind: 'backup', startedAt: now, ok: false, detail }).catch(() => {})
    throw error
  } finally {
    await stop()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
