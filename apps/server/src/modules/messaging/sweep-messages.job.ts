import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { deliverMessageJob, mailFailed } from './deliver-message.job.ts'
import { whatsappQueued } from './queue-whatsapp.ts'

const batchSize = 500
/** Younger messages are left to their own jobs. */
const graceMs = 15 * 60_000

/**
 * Settles queued messages without a waiting or running job: the job used up its attempts outside of the delivery, or
 * its process died. A message without an attempt gets a new job. One with an attempt may have arrived, so it fails with
 * `interrupted`: a second copy is worse than a visible failure.
 */
export const sweepMessagesJob = defineJob({
  name: 'sweep-messages',
  schedule: '*/10 * * * *',
  data: z.object({}),
  async run(services) {
    for (let count = batchSize; count === batchSize; )
      count = await services.db.transaction().execute((tx) => sweepBatch(tx, services))
  },
})

type Stranded = { id: string; channel: 'email' | 'whatsapp'; event: string; attempts: number; toAddress: string | null }

async function sweepBatch(tx: Tx, services: Services) {
  // A job that another sweep adds is seen once that sweep has ended: its message is queued as before.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('sweep-messages', 0))`.execute(tx)
  const createdBefore = new Date(services.clock.now().getTime() - graceMs)
  const { rows } = await sql<Stranded>`
    SELECT m.id, m.channel, m.event, m.attempts, m.to_address FROM messages m
    WHERE m.status = 'queued' AND m.channel IN ('email', 'whatsapp')
      AND greatest(m.created_at, m.due_at, m.claimed_until) < ${createdBefore}
      AND NOT EXISTS (SELECT FROM pgboss.job j
        WHERE j.data ->> 'messageId' = m.id::text AND j.state IN ('created', 'retry', 'active'))
    ORDER BY m.created_at LIMIT ${batchSize} FOR UPDATE OF m SKIP LOCKED`.execute(tx)
  for (const { id: messageId, channel, event, attempts, toAddress } of rows) {
    if (attempts > 0 || !toAddress) {
      await tx
        .updateTable('messages')
        .set((eb) => ({ status: 'failed' as const, error: eb.fn.coalesce('error', eb.val('interrupted')) }))
        .where('id', '=', messageId)
        .execute()
      if (channel === 'email') await services.jobs.publish(tx, mailFailed, { messageId, event })
    } else if (channel === 'email') await services.jobs.enqueue(tx, deliverMessageJob, { messageId })
    else await services.jobs.publish(tx, whatsappQueued, { messageId })
  }
  return rows.length
}
