import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Schema } from '#domain/endpoint.ts'
import type { Db } from './database/database.ts'
import type { Jobs } from './job-queue.ts'
import type { Services } from './services.ts'
import { getSettings } from './settings.ts'

export type Job<S extends Schema = Schema> = {
  /** Queue name; never rename while jobs may be waiting. */
  name: string
  /** Cron expression in the configured time zone. */
  schedule?: string
  /** Events that add a job to this queue; see `publish`. */
  on?: string | readonly string[]
  /** Filters events: false keeps the event out of the queue. */
  when?(data: z.output<S>): boolean
  /** Runs until one succeeds, including the first; 6 by default. Each wait is twice the previous one. */
  maxAttempts?: number
  /** Jobs of this queue that run in parallel in a process; 1 by default. */
  concurrency?: number
  /** Seconds without a heartbeat after which a running job counts as killed and runs again; 900 by default. */
  heartbeatSeconds?: number
  data: S
  run(services: Services, data: z.output<S>): Promise<unknown>
}

export type AnyJob = Job<any>

export const defineJob = <S extends Schema>(job: Job<S>): Job<S> => job

export type JobRunner = Jobs & {
  /** Creates the queues; afterwards jobs can be added. */
  start(): Promise<void>
  /** Starts running jobs in this process. */
  work(services: Services): Promise<void>
  /** Runs the due jobs and returns their number; for tests. */
  runDue(services: Services): Promise<number>
  stop(): Promise<void>
}

type Options = {
  connectionString: string
  jobs: readonly AnyJob[]
  log: FastifyBaseLogger
  /** Set by tests: jobs run only through `runDue`, on this pool of owner connections. */
  passive?: Db
}

export function createJobRunner({ connectionString, jobs, log, passive }: Options): JobRunner {
  const boss = new PgBoss({
    schema: 'pgboss',
    ...(passive ? { db: fromKysely(rawExecutor(passive)) } : { connectionString, max: 4, useListenNotify: true }),
    ...(passive && { supervise: false, schedule: false }),
    // We have no jobs that wait for others, and create queues and indexes only at a start.
    flowIntervalSeconds: 3_600,
    bamIntervalSeconds: 3_600,
    queueCacheIntervalSeconds: 600,
    cronWorkerIntervalSeconds: 15,
    application_name: 'pmb-jobs',
  } as ConstructorParameters<typeof PgBoss>[0] & object)
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))

  /** Ids of the workers of this process, by queue. */
  const workerIds = new Map<string, string[]>()
  let looking: NodeJS.Timeout | undefined

  /**
   * Wakes the workers of queues with a due job. One statement for all queues, because asking each of them costs an idle
   * server more than everything else.
   */
  async function wakeWorkers({ db }: Services) {
    const { rows } = await sql<{ name: string }>`
      SELECT q.name FROM pgboss.queue q WHERE EXISTS (SELECT FROM pgboss.job j
        WHERE j.name = q.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now())`.execute(db)
    for (const { name } of rows) for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id)
  }

  async function startWorker(services: Services, job: AnyJob) {
    const id = await boss.work(job.name, workerOptions, async ([item]) => {
      try {
        await runOne(services, job, item?.data)
      } catch (error) {
        log.error({ err: error, job: job.name, jobId: item?.id }, 'job failed')
        throw error
      } finally {
        // Fetches the next job at once; otherwise a worker takes one job per polling interval.
        boss.notifyWorker(id)
      }
    })
    workerIds.set(job.name, [...(workerIds.get(job.name) ?? []), id])
  }

  /** A job that is due even a millisecond later is added without NOTIFY. */
  async function insertMany(tx: Db, job: AnyJob, list: readonly object[]) {
    if (list.length === 0) return
    await boss.insert(
      job.name,
      list.map((data) => ({ data, startAfter: 0.001 })),
      { db: fromKysely(rawExecutor(tx)) },
    )
  }

  async function runOne(services: Services, job: AnyJob, data: unknown) {
    const parsed = job.data.parse(data ?? {})
    if (isFor(job, parsed)) await job.run(services, parsed)
  }

  return {
    async enqueue(tx, job, data, { startAfter, singletonKey } = {}) {
      if (singletonKey && (await isWaiting(tx, job.name, singletonKey))) return
      await boss.send(job.name, data as object, {
        db: fromKysely(rawExecutor(tx)),
        ...(startAfter && { startAfter }),
        ...(singletonKey && { singletonKey }),
      })
    },

    enqueueMany: (tx, job, list) => insertMany(tx, job as AnyJob, list as readonly object[]),

    async publish(tx, event, data, { startAfter } = {}) {
      for (const { job, parsed } of jobsFor(jobs, event, [data]))
        for (const item of parsed)
          await boss.send(job.name, item, { db: fromKysely(rawExecutor(tx)), ...(startAfter && { startAfter }) })
    },

    async publishMany(tx, event, list) {
      for (const { job, parsed } of jobsFor(jobs, event, list)) await insertMany(tx, job, parsed)
    },

    async start() {
      await boss.start()
      const queuesByName = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
      for (const job of jobs) {
        const [queue, options] = [queuesByName.get(job.name), queueOptions(job)]
        if (!queue) await boss.createQueue(job.name, options)
        // Waiting jobs keep the options they were added with.
        else if (Object.entries(options).some(([key, value]) => queue[key as keyof typeof options] !== value))
          await boss.updateQueue(job.name, options)
      }
    },

    async work(services) {
      const { timeZone: tz } = await getSettings(services.db)
      for (const job of jobs) {
        if (job.schedule) await boss.schedule(job.name, job.schedule, {}, { tz })
        for (let worker = 0; worker < (job.concurrency ?? 1); worker++) await startWorker(services, job)
      }
      looking = setInterval(
        () => wakeWorkers(services).catch((error) => log.warn({ err: error }, 'due jobs were not looked for')),
        lookMs,
      )
      const scheduledNames = new Set(jobs.filter((job) => job.schedule).map((job) => job.name))
      for (const { name } of await boss.getSchedules()) if (!scheduledNames.has(name)) await boss.unschedule(name)
    },

    async runDue(services) {
      const names = jobs.map(({ name }) => name)
      /** Queues with a due job, found in one query because most queues are empty. */
      const findDueQueues = async () => {
        // Uses the services' clock, which tests may set.
        const now = services.clock.now()
        await sql`UPDATE pgboss.job SET start_after = created_on
          WHERE name = ANY (${names}::text[]) AND state IN ('created', 'retry') AND (start_after <= ${now}
            OR start_after BETWEEN created_on AND created_on + interval '10 milliseconds')`.execute(services.db)
        await sql`UPDATE pgboss.job SET start_after = start_after + ${outOfReach}::interval
          WHERE name = ANY (${names}::text[]) AND state = 'created' AND start_after > ${now} AND start_after <= now()
            AND start_after NOT BETWEEN created_on AND created_on + interval '1 second'`.execute(services.db)
        const { rows } = await sql<{ name: string }>`SELECT DISTINCT name FROM pgboss.job
          WHERE state IN ('created', 'retry') AND start_after <= now()`.execute(services.db)
        return new Set(rows.map(({ name }) => name))
      }
      let count = 0
      for (let ran = true; ran; ) {
        ran = false
        let dueQueues = await findDueQueues()
        for (const job of jobs) {
          if (!dueQueues.has(job.name)) continue
          for (const item of await boss.fetch<unknown>(job.name, { batchSize: 50 })) {
            ran = true
            count++
            try {
              await runOne(services, job, item.data)
              await boss.complete(job.name, item.id)
            } catch (error) {
              await boss.fail(job.name, item.id, { message: String(error) })
            }
          }
          dueQueues = await findDueQueues()
        }
      }
      await sql`UPDATE pgboss.job SET start_after = start_after - ${outOfReach}::interval
        WHERE start_after > now() + ${outOfReach}::interval / 2`.execute(services.db)
      return count
    },

    async stop() {
      clearInterval(looking)
      await boss.stop({ graceful: !passive, timeout: 10_000 })
    },
  }
}

/** Time between looks for due jobs. */
const lookMs = 2_000

/** `wakeWorkers` starts the workers with a due job; their own polling is only a safeguard. */
const workerOptions = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 600, batchSize: 1 }

const queueOptions = ({ maxAttempts = 6, heartbeatSeconds }: AnyJob) => ({
  retryLimit: maxAttempts - 1,
  retryDelay: 15,
  retryBackoff: true,
  expireInSeconds: 900,
  notify: true,
  ...(heartbeatSeconds && { heartbeatSeconds }),
})

const isFor = (job: AnyJob, data: unknown) => job.when?.(data) ?? true

/** The jobs that events add, each with its data. */
export const jobsFor = (jobs: readonly AnyJob[], event: string, list: readonly object[]) =>
  jobs
    .filter((job) => [job.on ?? []].flat().includes(event))
    .map((job) => ({
      job,
      parsed: list.map((data) => job.data.parse(data) as object).filter((data) => isFor(job, data)),
    }))

/** Moves away jobs that are due by the database's clock but not by the services' clock. */
const outOfReach = '1000 years'

/** Without the camelCase plugin, because pg-boss expects its own column names. */
const rawExecutor = (db: Db) => db.withoutPlugins() as unknown as Parameters<typeof fromKysely>[0]

async function isWaiting(tx: Db, name: string, singletonKey: string) {
  const { rows } = await sql`SELECT 1 FROM pgboss.job
    WHERE name = ${name} AND singleton_key = ${singletonKey} AND state IN ('created', 'retry') LIMIT 1`.execute(tx)
  return rows.length > 0
}
