import { whatsappQueued } from '#server/modules/messaging/queue-whatsapp.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** How many are told at once; those behind them have their own time to try again. */
const atOnce = 500

/** What waited for a connection is tried at once, now that it works. */
export async function wakeWaiting(tx: Db, { jobs, clock }: Pick<Services, 'jobs' | 'clock'>, connectionId: string) {
  const waiting = await tx
    .updateTable('messages')
    .set({ dueAt: clock.now() })
    .where('id', 'in', (from) =>
      from
        .selectFrom('messages')
        .select('id')
        .where('channel', '=', 'whatsapp')
        .where('status', '=', 'queued')
        .where((eb) => eb.or([eb('connectionId', '=', connectionId), eb('connectionId', 'is', null)]))
        .where('error', 'is not', null)
        .orderBy('createdAt')
        .limit(atOnce),
    )
    .returning('id')
    .execute()
  for (const { id } of waiting) await jobs.publish(tx, whatsappQueued, { messageId: id })
}
