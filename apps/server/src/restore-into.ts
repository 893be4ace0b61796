import type { Config } from './config.ts'
import { jobs as knownJobs } from './jobs.ts'
import { checkInvariants, type Found } from './modules/ops/check-invariants.ts'
import { markRestored } from './modules/payments/banks/after-restore/mark-restored.ts'
import type { Gap } from './modules/payments/banks/after-restore/skip-numbers.ts'
import { type Manifest, markOf, type WaitingJob } from './platform/backup/manifest.ts'
import { type Counter, restoreBackup } from './platform/backup/restore-backup.ts'
import { markFinished } from './platform/backup/unfinished-restore.ts'
import { connect } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { fileStoreFor } from './platform/files/file-store.ts'
import type { Services } from './platform/services.ts'
import { startServices } from './platform/start-services.ts'

type Options = {
  config: Config
  /** Login as the owner of the database. */
  connectionString: string
  /** Path of the archive. */
  from: string
  /** Drops the current contents of the database. */
  replace?: boolean
  /** Nobody has worked on the database since the backup, so counters and banks stay unchanged. */
  untouched?: boolean
}

export type RestoreReport = {
  manifest: Manifest
  jobs: readonly WaitingJob[]
  unknownJobs: string[]
  newMigrations: string[]
  /** Numbers that the counters skip; undefined if the counters stayed. */
  gaps: Gap[] | undefined
  sameSecretKey: boolean
  violations: Found[]
}

/**
 * Restores a backup into a database, runs newer migrations, moves the counters on, enqueues the waiting jobs and checks
 * the books.
 */
export async function restoreInto({
  config,
  connectionString,
  from,
  replace,
  untouched,
}: Options): Promise<RestoreReport> {
  const files = await fileStoreFor(config)
  const restored = await restoreBackup({ from, connectionString, files, replace: replace ?? false })
  const { manifest, jobs, countersBefore } = restored
  const newMigrations = await migrate(connectionString)
  const gaps = await moveCountersOn(connectionString, {
    backupAt: new Date(manifest.createdAt),
    countersBefore,
    untouched: untouched ?? false,
  })
  const running = await startServices({ config: { ...config, runJobs: false }, connectionString, passiveJobs: true })
  try {
    const unknownJobs = await enqueue(running.services, jobs)
    const violations = await checkInvariants(running.services)
    const sameSecretKey = manifest.secretKeyMark === markOf(config.secretKey)
    return { manifest, jobs, unknownJobs, newMigrations, gaps, sameSecretKey, violations }
  } finally {
    await running.stop()
  }
}

type Moving = { backupAt: Date; countersBefore?: readonly Counter[]; untouched?: boolean }

/**
 * Moves the counters past numbers issued since the backup. With `untouched` the counters stay, unless a counter of the
 * replaced database was further on, which proves that somebody did work on it.
 */
export async function moveCountersOn(
  connectionString: string,
  { untouched = false, ...restoredTo }: Moving,
): Promise<Gap[] | undefined> {
  const { db } = connect(connectionString, { max: 1 })
  try {
    if (untouched && (await haveCountersStayed(db, restoredTo.countersBefore ?? []))) {
      await db.transaction().execute(markFinished)
      return undefined
    }
    return await markRestored(db, { ...restoredTo, now: new Date() })
  } finally {
    await db.destroy()
  }
}

async function haveCountersStayed(db: Services['db'], before: readonly Counter[]) {
  const counters = await db.selectFrom('numberCounters').select(['kind', 'scope', 'value']).execute()
  const restoredValues = new Map(counters.map(({ kind, scope, value }) => [`${kind} ${scope}`, Number(value)]))
  return before
    .filter(({ kind }) => kind !== 'school')
    .every(({ kind, scope, value }) => value <= (restoredValues.get(`${kind} ${scope}`) ?? 0))
}

/** Enqueues the waiting jobs with their start times; returns the names of jobs that this program does not have. */
async function enqueue({ jobs, db }: Services, waitingJobs: readonly WaitingJob[]) {
  const unknownNames: string[] = []
  for (const { name, data, startAfter, singletonKey } of waitingJobs) {
    const job = knownJobs.find((knownJob) => knownJob.name === name)
    if (!job) unknownNames.push(name)
    else
      await jobs.enqueue(db, job, data, {
        startAfter: new Date(startAfter),
        ...(singletonKey && { singletonKey }),
      })
  }
  return unknownNames
}
