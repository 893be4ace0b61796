import { whatsappQueued } from '#server/modules/messaging/queue-whatsapp.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

/** Makes a message due at a moment: for a process that looks by the clock, and by a job in case none does. */
export async function postponeMessage(tx: Tx, services: Services, messageId: string, at: Date) {
  await tx.updateTable('messages').set({ dueAt: at }).where('id', '=', messageId).execute()
  await services.jobs.publish(tx, whatsappQueued, { messageId }, { startAfter: at })
}
