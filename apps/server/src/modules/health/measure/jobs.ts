import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'
import { above, dayMs, type MeasuredLine } from './line.ts'

type Queue = {
  name: string
  waiting: number
  running: number
  failed: number
  oldestDueAt: Date | null
  lastFailedAt: Date | null
}

/**
 * Queues with waiting, running or failed jobs. A failed run of a schedule counts until a later run succeeds; other
 * failed jobs count until they are run again or deleted.
 */
export async function readQueues({ db, clock }: Services): Promise<Queue[]> {
  const now = clock.now()
  const { rows } = await sql<Queue>`
    SELECT name, count(*) FILTER (WHERE state IN ('created', 'retry'))::int AS waiting,
      count(*) FILTER (WHERE state = 'active')::int AS running, count(*) FILTER (WHERE state = 'failed')::int AS failed,
      min(start_after) FILTER (WHERE state IN ('created', 'retry') AND start_after <= ${now}) AS oldest_due_at,
      max(completed_on) FILTER (WHERE state = 'failed') AS last_failed_at
    FROM pgboss.job j WHERE state IN ('created', 'retry', 'active') OR (state = 'failed' AND ${stillFailed})
    GROUP BY name ORDER BY name`.execute(db)
  return rows
}

const stillFailed = sql`NOT EXISTS (SELECT FROM pgboss.schedule s JOIN pgboss.job later ON later.name = s.name
  WHERE s.name = j.name AND later.state = 'completed' AND later.completed_on > j.completed_on)`

/** Failed jobs of a queue, newest first. */
export async function readFailedJobs({ db }: Services, queue: string) {
  const { rows } = await sql<{ id: string; failedAt: Date; attempts: number; output: unknown }>`
    SELECT id, completed_on AS failed_at, retry_count + 1 AS attempts, output FROM pgboss.job j
    WHERE name = ${queue} AND state = 'failed' AND ${stillFailed}
    ORDER BY completed_on DESC LIMIT 50`.execute(db)
  return rows.map(({ output, failedAt, ...row }) => ({
    ...row,
    failedAt: failedAt.toISOString(),
    problem: problemIn(output),
  }))
}

/** The first line of a failed job's error. Its data is left out, because it may name people. */
function problemIn(output: unknown): string {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: unknown }
  const text = typeof message === 'string' ? message : typeof value === 'string' ? value : ''
  return text.split('\n')[0]!.slice(0, 300)
}

export async function measureJobs(services: Services): Promise<MeasuredLine[]> {
  const now = services.clock.now().getTime()
  const queues = await readQueues(services)
  const due = queues.flatMap(({ oldestDueAt }) => oldestDueAt?.getTime() ?? [])
  const waitingSeconds = due.length === 0 ? 0 : Math.round((now - Math.min(...due)) / 1_000)
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0)
  const lastFailedAt = Math.max(0, ...queues.flatMap((queue) => queue.lastFailedAt?.getTime() ?? []))
  return [
    {
      name: 'jobs-waiting',
      state: above(waitingSeconds, { soon: 5 * 60, red: 15 * 60 }),
      code: due.length === 0 ? 'jobs-none-waiting' : 'jobs-waiting',
      facts: { waitingSeconds, queues: queues.filter(({ oldestDueAt }) => oldestDueAt).length },
    },
    failed === 0
      ? { name: 'jobs-failed', state: 'ok', code: 'jobs-none-failed', facts: {} }
      : {
          name: 'jobs-failed',
          state: now - lastFailedAt < dayMs ? 'red' : 'soon',
          code: 'jobs-failed',
          facts: { failed, lastAt: new Date(lastFailedAt).toISOString() },
        },
  ]
}

/** Queues failed jobs again with one more attempt; jobs queued again meanwhile are skipped. */
export const retryJobs = (services: Services, actor: Actor, { queue, ids }: { queue: string; ids?: string[] }) =>
  services.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1, completed_on = NULL, start_after = now()
      WHERE name = ${queue} AND state = 'failed' AND (${ids ?? null}::uuid[] IS NULL OR id = ANY(${ids ?? null}::uuid[]))
      RETURNING id`.execute(tx)
    if (rows.length > 0)
      await recordAudit(tx, actor, { action: 'job.retry', on: { job: queue }, after: { retried: rows.length } })
    return { retried: rows.length }
  })
