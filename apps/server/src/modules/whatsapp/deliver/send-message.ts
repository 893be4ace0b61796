import { freeTextMs } from '#domain/whatsapp/window.ts'
import { findProvider } from '#server/modules/whatsapp/providers/index.ts'
import type { Outgoing } from '#server/modules/whatsapp/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import type { Claim } from './claim-message.ts'
import type { Connection, Message, Outcome } from './settle-message.ts'

/** Hands a claimed message to the provider of its connection. Called outside any transaction. */
export async function sendMessage(services: Services, { message, connection }: Claim): Promise<Outcome> {
  const provider = findProvider(services, connection)
  return 'send' in provider ? provider.send(await toOutgoing(services, message, connection)) : provider
}

async function toOutgoing({ db, clock }: Services, message: Message, { id }: Connection): Promise<Outgoing> {
  const conversation = await db
    .selectFrom('whatsappWindows')
    .select('lastAt')
    .where('connectionId', '=', id)
    .where('address', '=', message.toAddress!)
    .executeTakeFirst()
  return {
    id: message.id,
    to: message.toAddress!,
    language: message.language,
    text: [message.body, message.link].filter(Boolean).join('\n\n'),
    template: message.providerTemplate as Outgoing['template'],
    windowOpen: conversation !== undefined && clock.now().getTime() - conversation.lastAt.getTime() < freeTextMs,
  }
}
