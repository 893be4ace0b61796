import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { findNewestBackup } from './platform/backup/backup-folder.ts'
import { recordMaintenance } from './platform/backup/maintenance-runs.ts'
import { answers, runningEmbeddedUrl } from './platform/postgres/embedded-postgres.ts'
import { StartError } from './platform/postgres/start-error.ts'
import { restoreIntoScratch } from './restore-into-scratch.ts'

/** One nightly backup may fail before the restore test does. */
const oldestMs = 2 * 86_400_000

/** URL of the live database if it runs; only the result is written to it. */
async function findLiveDatabase(config: Config) {
  const url = config.databaseUrl ?? runningEmbeddedUrl(config.dataDir, 'pmb')
  return (await answers(url)) ? url : undefined
}

/**
 * `npm run restore:test [-- file]` restores the newest backup in BACKUP_DIR, or this file, into a separate database,
 * checks it and deletes it.
 */
async function main() {
  const { positionals } = parseArgs({ allowPositionals: true })
  const config = readConfig(process.env)
  const startedAt = new Date()
  const archive = positionals[0] ? path.resolve(positionals[0]) : findNewestBackup(config.backupDir)
  const problems: string[] = []
  const detail: Record<string, unknown> = { archive }
  try {
    if (!archive) throw new StartError(`There is no backup in ${config.backupDir}.`)
    const { manifest, violations, sameSecretKey } = await restoreIntoScratch(config, archive)
    Object.assign(detail, {
      backupAt: manifest.createdAt,
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      files: manifest.files.length,
    })
    if (!positionals[0] && startedAt.getTime() - Date.parse(manifest.createdAt) > oldestMs)
      problems.push(`The newest backup is of ${manifest.createdAt}, older than two days.`)
    if (!sameSecretKey) problems.push('The backup was made with another secret key.')
    if (manifest.missingFiles.length > 0)
      problems.push(`${manifest.missingFiles.length} files named by the database are missing.`)
    if (violations.length > 0) problems.push(`The books contradict themselves in ${violations.length} places.`)
  } catch (error) {
    problems.push((error as Error).message)
  }
  const ok = problems.length === 0
  const seconds = ((Date.now() - startedAt.getTime()) / 1000).toFixed(1)
  if (ok)
    console.log(
      `${archive} was restored into a database of its own and read back: ${Number(detail.rows).toLocaleString('en')} rows, ${detail.files} files, in ${seconds} s. The books add up.`,
    )
  else for (const problem of problems) console.error(problem)
  if (!ok) process.exitCode = 1
  const size = archive && fs.existsSync(archive) ? fs.statSync(archive).size : null
  const live = await findLiveDatabase(config)
  if (live)
    await recordMaintenance(live, {
      kind: 'restore_test',
      startedAt,
      finishedAt: new Date(),
      ok,
      detail: ok ? detail : { ...detail, problem: problems.join(' ') },
      size,
    }).catch((error) => console.error(`The result could not be recorded for the page of health: ${error.message}`))
  else console.error('The server is stopped: the result stands here only, not in /settings/health.')
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
