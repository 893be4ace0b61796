import { takeReports } from '#server/modules/whatsapp/reports.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import type { MessageUpdate } from './socket.ts'

/** Status numbers of WhatsApp's own protocol. */
const statuses: Record<number, 'failed' | 'sent' | 'delivered' | 'read'> = {
  0: 'failed',
  2: 'sent',
  3: 'delivered',
  4: 'read',
  5: 'read',
}

/** Stores what WhatsApp reports about messages sent by a phone. */
export async function noteStatuses(services: Services, connectionId: string, updates: MessageUpdate[]) {
  const at = services.clock.now()
  const reports = updates.flatMap(({ key, update }) => {
    const status = statuses[update.status ?? -1]
    if (!key.id || !status) return []
    return [
      { providerMessageId: key.id, status, at, ...(status === 'failed' && { problem: 'undeliverable' as const }) },
    ]
  })
  if (reports.length > 0)
    await inTransaction(services, systemActor, (context) => takeReports(context, connectionId, reports))
}

/** Text of a message sent by a phone. WhatsApp asks for it if the receiver could not decrypt the message. */
export async function textOf({ db }: Services, connectionId: string, providerMessageId: string) {
  const message = await db
    .selectFrom('messages')
    .select(['body', 'link'])
    .where('connectionId', '=', connectionId)
    .where('providerMessageId', '=', providerMessageId)
    .executeTakeFirst()
  return message && [message.body, message.link].filter(Boolean).join('\n\n')
}
