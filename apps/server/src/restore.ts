import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from './config.ts'
import { type Gap, isShort } from './modules/payments/banks/after-restore/skip-numbers.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { StartError } from './platform/postgres/start-error.ts'
import { moveCountersOn, restoreInto } from './restore-into.ts'

/** Prints the lost ranges of numbers, and warns if too few digits are left. */
function printGaps(gaps: readonly Gap[]) {
  for (const gap of gaps) {
    const { kind, scope, first, last } = gap
    const counter = `${kind} ${scope}`.trim()
    if (last >= first) console.log(`Numbers lost in the restore: ${counter}, ${first} to ${last}.`)
    if (isShort(gap))
      console.error(
        `${counter} has too few numbers left to leave out all ${gap.requested} that may have been given since the backup. Read the runbook before new ones are given.`,
      )
  }
}

const usage = `npm run restore -- <file of the backup> [--replace [--untouched]]
npm run restore -- --until <moment, such as 2026-11-21T01:15:00+07:00>   for a database restored by other means`

/** Migrates a database that another tool restored to the moment `until`, and moves its counters on. */
async function markRestoredElsewhere(config: Config, until: string) {
  const backupAt = new Date(until)
  if (Number.isNaN(backupAt.getTime()) || backupAt > new Date()) throw new StartError(usage)
  const { connectionString, stop } = await openDatabase(config, { alone: true })
  try {
    await migrate(connectionString)
    printGaps((await moveCountersOn(connectionString, { backupAt })) ?? [])
  } finally {
    await stop()
  }
}

/**
 * `npm run restore -- file [--replace]` restores a backup into an empty database, or with `--replace` over its
 * contents; `--untouched` keeps the counters if nobody has worked on the database since the backup.
 */
async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean' }, untouched: { type: 'boolean' }, until: { type: 'string' } },
  })
  const [file, ...extraFiles] = positionals
  const { replace = false, untouched = false } = values
  const config = readConfig(process.env)
  if (values.until && !file) return markRestoredElsewhere(config, values.until)
  if (!file || extraFiles.length > 0 || values.until || (untouched && !replace)) throw new StartError(usage)
  const startMs = performance.now()
  const { connectionString, stop } = await openDatabase(config, { alone: true })
  try {
    const from = path.resolve(file)
    const report = await restoreInto({ config, connectionString, from, replace, untouched })
    const { manifest, jobs, newMigrations, gaps, violations } = report
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    printGaps(gaps ?? [])
    for (const name of report.unknownJobs)
      console.error(`A job ${name} was waiting; this program has none of that name.`)
    console.log(
      `The backup of ${manifest.createdAt} is restored and was read back: ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, ${manifest.files.length} files, ${jobs.length} waiting jobs, in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`,
    )
    if (newMigrations.length > 0) console.log(`Newer migrations were run: ${newMigrations.join(', ')}.`)
    for (const key of manifest.missingFiles) console.error(`The file ${key} was missing already.`)
    if (!report.sameSecretKey)
      console.error(
        'The secret key is another one than that of the backup: links in old mails and keys that were kept encrypted cannot be read. Set SECRET_KEY to the old one.',
      )
    for (const { check, label, stored, derived } of violations.slice(0, 50))
      console.error(`${check}: ${label} is ${stored}, should be ${derived}`)
    console.log(
      violations.length === 0 ? 'The books add up.' : `The books contradict themselves in ${violations.length} places.`,
    )
    if (violations.length > 0) process.exitCode = 2
  } finally {
    await stop()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
