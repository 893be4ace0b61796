import { whatsappQueued } from '#server/modules/messaging/queue-whatsapp.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Messages made due at once; the others retry at their own time. */
const maxAtOnce = 500

/** Makes the messages that waited for a connection due, once it works. */
export async function wakeWaiting(tx: Db, { jobs, clock }: Pick<Services, 'jobs' | 'clock'>, connectionId: string) {
  const waiting = await tx
    .updateTable('messages')
    .set({ dueAt: clock.now() })
    .where('id', 'in', (query) =>
      query
        .selectFrom('messages')
        .select('id')
        .where('channel', '=', 'whatsapp')
        .where('status', '=', 'queued')
        .where((eb) => eb.or([eb('connectionId', '=', connectionId), eb('connectionId', 'is', null)]))
        .where('error', 'is not', null)
        .orderBy('createdAt')
        .limit(maxAtOnce),
    )
    .returning('id')
    .execute()
  await jobs.publishMany(
    tx,
    whatsappQueued,
    waiting.map(({ id }) => ({ messageId: id })),
  )
}
