import { whatsappQueued } from '#server/modules/messaging/queue-whatsapp.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Sets when a message is due; a timer sends it, or a job if no process has the timer. */
export async function postponeMessage(tx: Tx, services: Services, messageId: string, dueAt: Date) {
  await tx.updateTable('messages').set({ dueAt }).where('id', '=', messageId).execute()
  await services.jobs.publish(tx, whatsappQueued, { messageId }, { startAfter: dueAt })
}
