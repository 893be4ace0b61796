import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'

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
