import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { EnqueueOptions, Jobs } from '#server/platform/job-queue.ts'
import { type AnyJob, jobsFor } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'

const maxAttempts = 3
/** Jobs may add further jobs; an endless cycle stops after this many runs. */
const maxRuns = 200

/** A trial's queue: a table in its schema, so that the university's workers never see its jobs. */
export function trialJobs(jobs: readonly AnyJob[], clock: Services['clock']): Jobs {
  const add = async (
    tx: Db,
    name: string,
    list: readonly object[],
    { startAfter = clock.now(), singletonKey }: EnqueueOptions = {},
  ) => {
    if (list.length === 0 || (singletonKey && (await isWaiting(tx, name, singletonKey)))) return
    await tx
      .insertInto('trialJobs')
      .values(
        list.map((data) => ({ name, data: JSON.stringify(data), startAfter, singletonKey: singletonKey ?? null })),
      )
      .execute()
  }
  const publish = async (tx: Db, event: string, list: readonly object[], options?: EnqueueOptions) => {
    for (const { job, parsed } of jobsFor(jobs, event, list)) await add(tx, job.name, parsed, options)
  }
  return {
    enqueue: (tx, job, data, options) => add(tx, job.name, [data as object], options),
    enqueueMany: (tx, job, list) => add(tx, job.name, list as readonly object[]),
    publish: (tx, event, data, options) => publish(tx, event, [data], options),
    publishMany: publish,
  }
}

const isWaiting = async (tx: Db, name: string, singletonKey: string) =>
  (await tx
    .selectFrom('trialJobs')
    .select('id')
    .where('name', '=', name)
    .where('singletonKey', '=', singletonKey)
    .executeTakeFirst()) !== undefined

/** Runs a trial's due jobs and the jobs they add. A failed job waits for the next call, at most `maxAttempts` times. */
export async function runTrialJobs(services: Services, jobs: readonly AnyJob[]) {
  const { db, clock, log } = services
  const failed: { name: string; data: string; startAfter: Date; attempts: number }[] = []
  for (let run = 0; run < maxRuns; run++) {
    const { rows } = await sql<{ name: string; data: object; attempts: number }>`
      DELETE FROM trial_jobs WHERE id = (
        SELECT id FROM trial_jobs WHERE start_after <= ${clock.now()} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING name, data, attempts`.execute(db)
    const row = rows[0]
    if (!row) break
    const job = jobs.find(({ name }) => name === row.name)
    try {
      await job?.run(services, job.data.parse(row.data))
    } catch (error) {
      log.warn({ err: error, job: row.name }, 'job of a trial failed')
      if (row.attempts + 1 < maxAttempts)
        failed.push({
          name: row.name,
          data: JSON.stringify(row.data),
          startAfter: clock.now(),
          attempts: row.attempts + 1,
        })
    }
  }
  if (failed.length > 0) await db.insertInto('trialJobs').values(failed).execute()
}
