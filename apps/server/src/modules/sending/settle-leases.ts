import { sql } from 'kysely'
import { keepTryingMs } from '#domain/whatsapp/problems.ts'
import { advanceHandovers } from '#server/modules/messaging/handovers/advance-handovers.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

const batchSize = 500

/**
 * Marks handovers with an expired lease as uncertain: the process died between call and record, or Meta did not report
 * for an hour. An uncertain message is never sent again, but a later report still settles the handover.
 */
export async function settleLeases(services: Services) {
  const { db, clock } = services
  for (let count = batchSize; count === batchSize; ) {
    const now = clock.now()
    const overdue = await db
      .selectFrom('handovers')
      .select('id')
      .where('state', '=', 'handed')
      .where('leasedUntil', '<', now)
      .orderBy('leasedUntil')
      .limit(batchSize)
      .execute()
    count = overdue.length
    const news = overdue.map(({ id }) => ({ id, state: 'uncertain' as const, at: now }))
    if (count > 0) await inTransaction(services, systemActor, (context) => advanceHandovers(context, news))
  }
}

/**
 * Gives up due messages that were erased or are no longer queued, mails older than `keepTryingMs`, and WhatsApp
 * messages of that age with an error. Messages that only wait for the pace stay due.
 */
export async function giveUpOld(services: Services) {
  const { db, clock } = services
  for (let count = batchSize; count === batchSize; ) {
    const now = clock.now()
    const limit = new Date(now.getTime() - keepTryingMs)
    const { rows } = await sql<{ id: string; reason: string; detail: string | null }>`
      SELECT h.id, coalesce(m.error, 'too_old') AS reason, m.error_detail AS detail
      FROM handovers h JOIN messages m ON m.id = h.message_id
      WHERE h.state = 'due' AND (m.status <> 'queued' OR m.to_address IS NULL
        OR (m.created_at < ${limit} AND (m.channel = 'email' OR m.error IS NOT NULL)))
      LIMIT ${sql.lit(batchSize)}`.execute(db)
    count = rows.length
    const news = rows.map((row) => ({ ...row, state: 'failed' as const, consequence: 'end' as const, at: now }))
    if (count > 0) await inTransaction(services, systemActor, (context) => advanceHandovers(context, news))
  }
}
